/** Pages of messages take long to make: one at a time for a network, in slices, and none for a reader who has gone. */
import { contextOf, whileWaiting } from "../http/context.ts";
import { createPlaces, QUEUE } from "../http/places.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import type { Clock } from "../util/clock.ts";
import { createMapInTurns, type MapInTurns } from "../util/turns.ts";

const RULES = { name: "page", what: "pages of messages", held: { network: 1, site: 4, all: 64 }, ...QUEUE };

/**
 * Calls `make` when it is the turn of the request's network. Its `mapInTurns` shares the turns with all pages that are being
 * made, and continues only while the connection is open.
 * @throws Problem 429 `rate_limited`, 503 `busy`; the signal's reason once the request is aborted
 */
export type Rendering = <T>(request: Request, make: (mapInTurns: MapInTurns) => Promise<T>) => Promise<T>;

export function createRendering(deps: { clock: Clock; metrics: Pick<Metrics, "rateLimited"> }): Rendering {
  const places = createPlaces(RULES, deps);
  const mapInTurns = createMapInTurns(deps.clock);
  return async (request, make) => {
    const { signal } = request;
    const place = await whileWaiting(request, async () => places.take(contextOf(request).address, signal));
    try {
      return await make(async (items, one) => mapInTurns(items, one, signal));
    } finally {
      place[Symbol.dispose]();
    }
  };
}
