/**
 * Heavy answers: an answer is in memory whole until its reader has taken it (Bun, measured), so the number that is on the way
 * at once is limited. A light answer passes as it is.
 */
import type { Metrics } from "../telemetry/metrics.ts";
import type { Clock } from "../util/clock.ts";
import { contextOf, whileWaiting } from "./context.ts";
import { createPlaces, QUEUE, type Place } from "./places.ts";

/** A socket takes this much at once, even if the reader reads nothing: 1,000 such answers cost next to nothing. */
const LIGHT_BYTES = 32_768;
/** The most of messages in one answer, as they are stored. */
export const MAX_PAGE_BYTES = 1_048_576;

const RULES = { name: "answer", what: "large answers", held: { network: 4, idle: 16, site: 16, all: 48 }, ...QUEUE };

/** A body and its headers, before it is known how they are sent. */
export interface Made {
  body: string | Uint8Array<ArrayBuffer>;
  status?: number;
  headers?: Record<string, string>;
}

/** Whether an answer of this many bytes has a place, or needs none. The place is kept until the answer is made. */
export type Fits = (bytes: number) => boolean;

export interface Answers {
  /**
   * Sends the answer that `make` makes; a Response goes as it is. A heavy one takes a place until its bytes are on their way or
   * the connection is gone. If there is none it is dropped, waits for a place with nothing in hand, and is made again. What
   * takes long to make asks first: `make` gives up, by undefined, if its answer does not fit.
   * @throws Problem 429 `rate_limited`, 503 `busy`; what `make` throws; the signal's reason once the request is aborted
   */
  send(request: Request, make: Make): Promise<Response>;
}
type Make = (fits: Fits) => Promise<Made | Response | undefined>;

export function createAnswers(deps: { clock: Clock; metrics: Pick<Metrics, "rateLimited"> }): Answers {
  const places = createPlaces(RULES, deps);

  /** Undefined if it is heavy and there is no place for it. */
  async function attempt(request: Request, make: Make, given?: Place): Promise<Response | undefined> {
    const { address, head } = contextOf(request);
    using unused = new DisposableStack();
    let place = given && unused.use(given);
    // Bun sends no body with a HEAD, and would not count the bytes of a stream
    const isPlain = (bytes: number) => head || bytes <= LIGHT_BYTES;
    const fits: Fits = (bytes) => isPlain(bytes) || (place ??= unused.use(places.tryTake(address))) !== undefined;
    const made = await make(fits);
    if (made === undefined || made instanceof Response) return made;
    const bytes = Buffer.byteLength(made.body);
    if (!fits(bytes)) return undefined;
    if (place === undefined || isPlain(bytes)) return new Response(made.body, made);
    unused.move();
    return streamed(request, made, place);
  }

  return {
    send: async (request, make) => {
      let sent = await attempt(request, make);
      while (sent === undefined) {
        const take = async () => places.take(contextOf(request).address, request.signal);
        sent = await attempt(request, make, await whileWaiting(request, take));
      }
      return sent;
    },
  };
}

const NOTHING = new Uint8Array();

/**
 * Sends the body in pieces: Bun asks for the next once the socket has taken the one before, and after the last the place is
 * free again. If it is ended, Bun sends what it has, which is a light piece, and closes the connection: the reader sees that
 * the end of the answer is missing (measured, PLATFORM.md §8).
 */
function streamed(request: Request, { body, ...rest }: Made, place: Place): Response {
  let left: Uint8Array = typeof body === "string" ? Buffer.from(body) : body;
  const release = () => {
    left = NOTHING;
    place[Symbol.dispose]();
  };
  const source = {
    start: (controller: ReadableStreamDefaultController<Uint8Array>) => {
      place.mayEnd(() => {
        left = NOTHING;
        controller.error();
      });
    },
    pull: (controller: ReadableStreamDefaultController<Uint8Array>) => {
      if (left.length === 0) {
        release();
        controller.close();
        return;
      }
      controller.enqueue(left.subarray(0, LIGHT_BYTES));
      left = left.subarray(LIGHT_BYTES);
    },
    cancel: release,
  };
  const { signal } = request;
  if (signal.aborted) release();
  else signal.addEventListener("abort", release); // even before the first byte
  return new Response(new ReadableStream(source, { highWaterMark: 0 }), rest);
}
