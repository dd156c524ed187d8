/** The WebSocket of one stream. */
import { type Peer, type Socket, upgraded } from "../../http/websocket.ts";
import type { Frame } from "./format.ts";
import { type AnsweringSink, MAX_UNSENT_BYTES, type SinkOwner } from "./sink.ts";

/**
 * It ends without a close frame, as ntfy's and Gotify's own do: OkHttp, which the apps of both use, stops reading at one and tells
 * the app nothing unless that answers it, so that they would be deaf until a ping fails, minutes later (RealWebSocket.onReadClose).
 */
export class SocketReader implements AnsweringSink, Peer {
  readonly #request: Request;
  readonly #owner: SinkOwner;
  #socket: Socket | undefined;
  #ended = false;

  constructor(request: Request, owner: SinkOwner) {
    this.#request = request;
    this.#owner = owner;
  }

  response(): Response {
    try {
      return upgraded(this.#request, this);
    } catch (error) {
      this.end();
      throw error;
    }
  }

  get unsent(): number {
    return this.#socket?.getBufferedAmount() ?? 0;
  }

  opened(socket: Socket): void {
    this.#socket = socket;
    this.#owner.opened();
  }

  send(frame: Frame): void {
    if (this.#ended || this.#socket === undefined) return;
    // -1: it was not taken whole (measured)
    if (this.#socket.send(frame) === -1 && this.unsent > MAX_UNSENT_BYTES) this.#end(true);
  }

  drained(): void {
    if (!this.#ended && this.unsent === 0) this.#owner.drained();
  }

  end(): void {
    this.#end(false);
  }

  closed(): void {
    this.#end(false);
  }

  #end(dropped: boolean): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#socket?.terminate();
    this.#owner.ended(dropped);
  }
}
