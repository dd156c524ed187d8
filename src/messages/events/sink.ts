/** Where a stream writes: an answer that stays open (reader.ts) or a WebSocket (socket.ts). */
import type { Frame } from "./format.ts";

/** How many bytes a reader may leave unsent before it is ended; it resumes by its last id. */
export const MAX_UNSENT_BYTES = 256 * 1024;

export interface Sink {
  /** Bytes that the socket has not taken; 0 if it keeps up. */
  readonly unsent: number;
  send(frame: Frame): void;
  end(): void;
}

/** The sink of a request. */
export interface AnsweringSink extends Sink {
  /** @throws Problem if the request cannot be answered with it; its owner hears that it has ended */
  response(): Response;
}

export interface SinkOwner {
  /** From now on it takes frames. */
  opened(): void;
  /** The kernel has everything that was unsent. */
  drained(): void;
  /** Called once, whichever side ended it. `dropped`: it did not keep up. */
  ended(dropped: boolean): void;
}
