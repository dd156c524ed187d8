/**
 * Heavy answers: until its reader has taken it, an answer lies in memory whole (Bun, measured), so that only so many are
 * on their way at once. A light one passes as it is.
 */
import type { Metrics } from "../ops/metrics.ts";
import type { Clock } from "../util/clock.ts";
import { contextOf, whileWaiting } from "./context.ts";
import { createPlaces } from "./places.ts";

/** What a socket takes at once, whoever reads: 1,000 of these cost next to nothing. */
const LIGHT_BYTES = 32_768;
/** Of messages, as they are stored, in one answer. */
export const MAX_PAGE_BYTES = 1_048_576;

const RULES = {
  name: "answer",
  what: "large answers",
  held: { each: 4, all: 48 },
  waiting: { each: 256, all: 4_096 },
  waitMs: 10_000,
};

/** A body and its headers, before it is known how they are sent. */
export interface Made {
  body: string | Uint8Array<ArrayBuffer>;
  status?: number;
  headers?: Record<string, string>;
}

export interface Answers {
  /**
   * The answer that `make` makes; a Response of it goes as it is. A heavy one takes a place until its bytes are on their
   * way or the connection is gone. Where there is none it is dropped, waits for one with nothing in hand, and is made again.
   * @throws Problem 429 `rate_limited`, 503 `busy`; what `make` throws; the signal's reason once the request is aborted
   */
  send(request: Request, make: Make): Promise<Response>;
}
type Make = () => Promise<Made | Response>;

export function createAnswers(deps: { clock: Clock; metrics: Pick<Metrics, "rateLimited"> }): Answers {
  const places = createPlaces(RULES, deps);

  /** Undefined: it is heavy, and there is no place for it. */
  async function atOnce(request: Request, make: Make): Promise<Response | undefined> {
    const made = await make();
    if (made instanceof Response || isPlain(request, made)) return whole(made);
    const place = places.tryTake(contextOf(request).address);
    return place && streamed(request, made, place);
  }

  return {
    send: async (request, make) => {
      const sent = await atOnce(request, make);
      if (sent !== undefined) return sent;
      using waited = new DisposableStack();
      const take = async () => places.take(contextOf(request).address, request.signal);
      waited.use(await whileWaiting(request, take));
      const made = await make();
      if (made instanceof Response || isPlain(request, made)) return whole(made);
      return streamed(request, made, waited.move());
    },
  };
}

/** Bun sends no body with a HEAD, and would not count the bytes of a stream. */
const isPlain = (request: Request, { body }: Made): boolean =>
  Buffer.byteLength(body) <= LIGHT_BYTES || contextOf(request).head;

const whole = (made: Made | Response): Response => (made instanceof Response ? made : new Response(made.body, made));

/** Bun asks for more once the socket has taken all that came before: then the place is free again (measured). */
function streamed(request: Request, { body, ...rest }: Made, place: Disposable): Response {
  const release = () => {
    place[Symbol.dispose]();
  };
  let left: Uint8Array | undefined = typeof body === "string" ? Buffer.from(body) : body;
  const source = {
    pull: (controller: ReadableStreamDefaultController<Uint8Array>) => {
      if (left === undefined) {
        release();
        controller.close();
        return;
      }
      controller.enqueue(left); // in one: in pieces of 64 KB it took four times as long
      left = undefined;
    },
    cancel: release,
  };
  const { signal } = request;
  if (signal.aborted) release();
  else signal.addEventListener("abort", release); // also before the first byte
  return new Response(new ReadableStream(source, { highWaterMark: 0 }), rest);
}
