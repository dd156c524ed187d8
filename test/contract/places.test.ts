/** Places for what costs much: caps, turns and refusals, without a server (ARCHITECTURE.md §2.6). */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { createPlaces, type PlaceRules } from "../../src/http/places.ts";
import { Problem } from "../../src/http/problem.ts";
import { createMetrics } from "../../src/ops/metrics.ts";
import { heldClock } from "../support/clock.ts";
import { turns } from "../support/turns.ts";

const WAIT_MS = 10_000;

function placesOf(rules: Partial<PlaceRules> = {}) {
  const clock = heldClock();
  const metrics = createMetrics({ version: "1", startedAt: 0 });
  const whole = {
    ...{ name: "page", what: "pages", held: { each: 1, all: 2 }, waiting: { each: 10, all: 100 }, waitMs: WAIT_MS },
    ...rules,
  };
  return { clock, metrics, places: createPlaces(whole, { clock, metrics }) };
}

const STAYS = new AbortController().signal;
const refused = async (asked: Promise<unknown>) =>
  asked.then(
    () => undefined,
    (error: unknown): unknown =>
      error instanceof Problem ? [error.status, error.code, error.headers["retry-after"]] : error,
  );
/** All that is due to be settled is. */
const settled = async () => turns(1);

/** Asks for a place under a name; notes the names in the order in which they are given one. */
function asking({ places }: ReturnType<typeof placesOf>) {
  const given: string[] = [];
  const held = new Map<string, Disposable>();
  return {
    given,
    held,
    ask: async (name: string, address: string, signal = STAYS) => {
      const place = await places.take(address, signal);
      given.push(name);
      held.set(name, place);
    },
    leave: async (name: string) => {
      held.get(name)?.[Symbol.dispose]();
      held.delete(name);
      await settled();
    },
  };
}

test("networks take turns, however many wait in each", async () => {
  const { given, ask, leave } = asking(placesOf({ held: { each: 1, all: 1 } }));
  for (const n of [1, 2, 3, 4]) void ask(`a${n}`, "203.0.113.7");
  void ask("b1", "198.51.100.1");
  void ask("b2", "198.51.100.1");
  void ask("c1", "2001:db8::1");
  await settled();
  for (let n = 0; n < 7; n++) await leave(given.at(-1) ?? "");
  expect(given).toEqual(["a1", "b1", "c1", "a2", "b2", "a3", "a4"]);
});

test("the addresses of an IPv6 /64 are one network", async () => {
  const { places } = placesOf();
  await places.take("2001:db8::1", STAYS);
  expect(places.tryTake("2001:db8::ffff")).toBeUndefined();
  const other = places.tryTake("2001:db8:0:1::1");
  expect(other).toBeDefined();
});

test("who has gone leaves the queue, and takes no place", async () => {
  const { given, ask, leave } = asking(placesOf());
  const gone = new AbortController();
  await ask("first", "203.0.113.7");
  const second = refused(ask("second", "203.0.113.7", gone.signal));
  void ask("third", "203.0.113.7");
  gone.abort();
  expect(await second).toBe(gone.signal.reason);
  await leave("first");
  expect(given).toEqual(["first", "third"]);
  expect(await refused(ask("fourth", "203.0.113.7", gone.signal))).toBe(gone.signal.reason);
});

test("a place that is given back twice is given back once", async () => {
  const { places } = placesOf({ held: { each: 2, all: 2 } });
  const one = await places.take("203.0.113.7", STAYS);
  await places.take("203.0.113.7", STAYS);
  one[Symbol.dispose]();
  one[Symbol.dispose]();
  const again = places.tryTake("203.0.113.7");
  expect([again !== undefined, places.tryTake("203.0.113.7")]).toEqual([true, undefined]);
});

test("who waits too long is told whose fault it is, and when to come again", async () => {
  const { places, clock, metrics } = placesOf();
  await places.take("203.0.113.7", STAYS);
  const own = refused(places.take("203.0.113.7", STAYS));
  await places.take("203.0.113.8", STAYS);
  const all = refused(places.take("203.0.113.9", STAYS));
  clock.advance(WAIT_MS);
  expect(await own).toEqual([429, "rate_limited", "5"]);
  expect(await all).toEqual([503, "busy", "5"]);
  expect(metrics.rateLimited.of("page").value).toBe(2);
});

test("a queue that is full refuses at once: a network's own, then that of all", async () => {
  const { places } = placesOf({ held: { each: 1, all: 1 }, waiting: { each: 1, all: 2 } });
  await places.take("203.0.113.7", STAYS);
  void places.take("203.0.113.7", STAYS);
  expect(await refused(places.take("203.0.113.7", STAYS))).toEqual([429, "rate_limited", "5"]);
  void places.take("203.0.113.8", STAYS);
  expect(await refused(places.take("203.0.113.9", STAYS))).toEqual([503, "busy", "5"]);
});

test("whatever happens, no cap is exceeded and nobody waits for a place that is free", async () => {
  const step = fc.record({ what: fc.constantFrom("ask", "leave", "go", "late"), network: fc.nat(4), pick: fc.nat(20) });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const rules = { held: { each: 2, all: 5 }, waiting: { each: 3, all: 8 } };
      const { places, clock } = placesOf(rules);
      const held: { network: number; place: Disposable }[] = [];
      const waiting = new Set<{ network: number; gone: AbortController }>();
      for (const { what, network, pick } of steps) {
        if (what === "ask") {
          const one = { network, gone: new AbortController() };
          waiting.add(one);
          void places
            .take(`203.0.113.${network}`, one.gone.signal)
            .then(
              (place) => held.push({ network, place }),
              () => undefined,
            )
            .finally(() => waiting.delete(one));
        }
        if (what === "leave" && held.length > 0) held.splice(pick % held.length, 1)[0]?.place[Symbol.dispose]();
        if (what === "go") [...waiting].at(pick % Math.max(1, waiting.size))?.gone.abort();
        if (what === "late") clock.advance(pick === 0 ? WAIT_MS : 1);
        await settled();
        const of = (all: Iterable<{ network: number }>, n: number) =>
          [...all].filter((one) => one.network === n).length;
        expect(held.length).toBeLessThanOrEqual(rules.held.all);
        expect(waiting.size).toBeLessThanOrEqual(rules.waiting.all);
        for (let n = 0; n < 5; n++) {
          expect(of(held, n)).toBeLessThanOrEqual(rules.held.each);
          expect(of(waiting, n)).toBeLessThanOrEqual(rules.waiting.each);
          if (of(waiting, n) > 0 && held.length < rules.held.all) expect(of(held, n)).toBe(rules.held.each);
        }
      }
    }),
    { numRuns: 60 },
  );
});
