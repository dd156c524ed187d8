/** The answer of one stream, which stays open. */
import type { Server } from "bun";
import type { Frame } from "./format.ts";
import { type AnsweringSink, MAX_UNSENT_BYTES, type SinkOwner } from "./sink.ts";

/** Four heartbeats. Never 0: a stream that ends while its socket is full would then stay for ever (PLATFORM.md §4). */
const IDLE_SECONDS = 60;
/** For a stream that we ended with bytes unsent: otherwise a full socket stays until the peer reads. */
const ABANDONED_SECONDS = 1;

const headers = (contentType: string) => ({
  "content-type": contentType,
  "cache-control": "no-store",
  // nginx buffers answers unless this header forbids it
  "x-accel-buffering": "no",
});

/** The answer to a HEAD, with the headers that a stream would have. */
export const emptyStream = (contentType: string): Response => new Response(null, { headers: headers(contentType) });

interface Answered {
  request: Request;
  server: Server<unknown>;
  contentType: string;
}

/**
 * A stream of type "direct": it takes 5.9 KB where the default controller takes 9.6, and all readers share the bytes of a
 * message (measured, PLATFORM.md §4). The reader is its own source, so that no further object is kept.
 */
export class Reader implements AnsweringSink, Bun.DirectUnderlyingSource<Uint8Array> {
  readonly type = "direct";
  unsent = 0;
  readonly #request: Request;
  readonly #server: Server<unknown>;
  readonly #owner: SinkOwner;
  readonly #contentType: string;
  #controller: ReadableStreamDirectController | undefined;
  #ended = false;

  constructor({ request, server, contentType }: Answered, owner: SinkOwner) {
    this.#request = request;
    this.#server = server;
    this.#contentType = contentType;
    this.#owner = owner;
  }

  response(): Response {
    this.#server.timeout(this.#request, IDLE_SECONDS);
    return new Response(new ReadableStream(this), { headers: headers(this.#contentType) });
  }

  /** Called by the stream, once. It returns no promise, so the answer lasts until `close`. */
  pull(controller: ReadableStreamDirectController): void {
    if (this.#ended) {
      controller.close();
      return;
    }
    this.#controller = controller;
    this.#owner.opened();
  }

  /** Called by the stream when the peer is gone, even if it went before `pull` (measured). */
  cancel(): void {
    this.end();
  }

  send(frame: Frame): void {
    if (this.#ended || this.#controller === undefined) return;
    const written = this.#controller.write(frame);
    if (typeof written === "number" && this.unsent === 0) {
      void this.#controller.flush(); // all bytes were taken, so there is nothing to wait for
      return;
    }
    // a promise once the socket is full; it settles when everything written so far is out (measured)
    if (this.unsent === 0)
      void Promise.resolve(written).then(
        () => this.#drained(),
        () => this.end(),
      );
    this.unsent += typeof frame === "string" ? Buffer.byteLength(frame) : frame.length;
    if (this.unsent > MAX_UNSENT_BYTES) this.end(true);
  }

  end(dropped = false): void {
    if (this.#ended) return;
    this.#ended = true;
    if (this.unsent > 0) this.#server.timeout(this.#request, ABANDONED_SECONDS);
    this.#controller?.close();
    this.#owner.ended(dropped);
  }

  #drained(): void {
    this.unsent = 0;
    if (!this.#ended) this.#owner.drained();
  }
}
