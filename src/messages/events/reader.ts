/** The socket of one event stream. */
import type { Server } from "bun";

/** How many bytes a reader may leave unsent before it is ended; it resumes by its last id. */
export const MAX_UNSENT_BYTES = 256 * 1024;
/** Four heartbeats. Never 0: a stream that ends while its socket is full would then stay for ever (PLATFORM.md §4). */
const IDLE_SECONDS = 60;
/** For a stream that we ended with bytes unsent: otherwise a full socket stays until the peer reads. */
const ABANDONED_SECONDS = 1;

const EVENT_STREAM = {
  "content-type": "text/event-stream",
  "cache-control": "no-store",
  // nginx buffers answers unless this header forbids it
  "x-accel-buffering": "no",
};

export interface ReaderOwner {
  /** From now on the stream takes bytes. */
  opened(): void;
  /** The kernel has everything that was unsent. */
  drained(): void;
  /** Called once, whichever side ended it. `dropped`: it did not keep up. */
  ended(dropped: boolean): void;
}

/** Where a stream writes. */
export interface Sink {
  /** Bytes that the socket has not taken; 0 if it keeps up. */
  readonly unsent: number;
  send(bytes: Uint8Array): void;
  end(): void;
}

/** The answer to a HEAD, with the headers that a stream would have. */
export const emptyStream = (): Response => new Response(null, { headers: EVENT_STREAM });

/**
 * A stream of type "direct": it takes 5.9 KB where the default controller takes 9.6, and all readers share the bytes of a
 * message (measured, PLATFORM.md §4). The reader is its own source, so that no further object is kept.
 */
export class Reader implements Sink, Bun.DirectUnderlyingSource<Uint8Array> {
  readonly type = "direct";
  unsent = 0;
  readonly #request: Request;
  readonly #server: Server<unknown>;
  readonly #owner: ReaderOwner;
  #controller: ReadableStreamDirectController | undefined;
  #ended = false;

  constructor(request: Request, server: Server<unknown>, owner: ReaderOwner) {
    this.#request = request;
    this.#server = server;
    this.#owner = owner;
  }

  response(): Response {
    this.#server.timeout(this.#request, IDLE_SECONDS);
    return new Response(new ReadableStream(this), { headers: EVENT_STREAM });
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

  send(bytes: Uint8Array): void {
    if (this.#ended || this.#controller === undefined) return;
    const written = this.#controller.write(bytes);
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
    this.unsent += bytes.length;
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
