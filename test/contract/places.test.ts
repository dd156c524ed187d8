/** Places for expensive work: limits, turns, ends and refusals, without a server (ARCHITECTURE.md §5). */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { createPlaces, type Place, type PlaceRules } from "../../src/http/places.ts";
import { Problem } from "../../src/http/problem.ts";
import { createMetrics } from "../../src/telemetry/metrics.ts";
import { heldClock } from "../support/clock.ts";
import { turns } from "../support/turns.ts";

const WAIT_MS = 10_000;
/** How long a place may be held before waiting clients can end it. */
const LONG_MS = 15_000;

/** A site may have four times the limit of a network. */
const caps = (network: number, all: number) => ({ network, site: 4 * network, all });

function placesOf(rules: Partial<PlaceRules> = {}) {
  const clock = heldClock();
  const metrics = createMetrics({ version: "1", startedAt: 0 });
  const whole = {
    ...{ name: "page", what: "pages", held: caps(1, 2), waiting: caps(10, 100), waitMs: WAIT_MS },
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
/** Resolves when everything due has been settled. */
const settled = async () => turns(1);

/** Requests a place under a name; notes the names in the order in which they get one, and those that are ended. */
function asking({ places }: ReturnType<typeof placesOf>) {
  const given: string[] = [];
  const ended: string[] = [];
  const held = new Map<string, Place>();
  return {
    given,
    ended,
    held,
    ask: async (name: string, address: string, signal = STAYS) => {
      const place = await places.take(address, signal);
      given.push(name);
      held.set(name, place);
      place.mayEnd(() => ended.push(name));
    },
    leave: async (name: string) => {
      held.get(name)?.[Symbol.dispose]();
      held.delete(name);
      await settled();
    },
  };
}

test("networks take turns, however many requests wait in each", async () => {
  const { given, ask, leave } = asking(placesOf({ held: caps(1, 1) }));
  for (const n of [1, 2, 3, 4]) void ask(`a${n}`, "203.0.113.7");
  void ask("b1", "198.51.100.1");
  void ask("b2", "198.51.100.1");
  void ask("c1", "2001:db8::1");
  await settled();
  for (let n = 0; n < 7; n++) await leave(given.at(-1) ?? "");
  expect(given).toEqual(["a1", "b1", "c1", "a2", "b2", "a3", "a4"]);
});

test("the addresses of an IPv6 /64 count as one network", async () => {
  const { places } = placesOf();
  await places.take("2001:db8::1", STAYS);
  expect(places.tryTake("2001:db8::ffff")).toBeUndefined();
  const other = places.tryTake("2001:db8:0:1::1");
  expect(other).toBeDefined();
});

test("sites take turns, however many of their networks wait", async () => {
  const { given, ask, leave } = asking(placesOf({ held: caps(1, 1) }));
  await ask("a1", "2001:db8:a:1::1");
  for (const n of [2, 3]) void ask(`a${n}`, `2001:db8:a:${n}::1`);
  void ask("a3 again", "2001:db8:a:3::2");
  for (const n of [1, 2]) void ask(`b${n}`, `2001:db8:b:${n}::1`);
  await settled();
  for (let n = 0; n < 6; n++) await leave(given.at(-1) ?? "");
  expect(given).toEqual(["a1", "b1", "a2", "b2", "a3", "a3 again"]);
});

test("the networks of an IPv6 /48 together hold and wait for no more than four of them may", async () => {
  const { places } = placesOf({ held: caps(1, 10), waiting: caps(1, 10) });
  const at = (n: number) => `2001:db8:0:${n}::1`;
  for (const n of [1, 2, 3, 4]) expect(places.tryTake(at(n))).toBeDefined();
  expect(places.tryTake(at(5))).toBeUndefined();
  for (const n of [5, 6, 7, 8]) void refused(places.take(at(n), STAYS));
  expect(await refused(places.take(at(9), STAYS))).toEqual([429, "rate_limited", "5"]);
  for (const other of ["2001:db8:1::1", "203.0.113.7"]) expect(places.tryTake(other)).toBeDefined();
});

test("while less than half of all places are held a network may hold more, and keeps them", () => {
  const { places } = placesOf({ held: { network: 2, idle: 5, site: 5, all: 12 } });
  const most = (address: string): Disposable[] => {
    const place = places.tryTake(address);
    return place === undefined ? [] : [place, ...most(address)];
  };
  const a = most("203.0.113.1");
  expect(a).toHaveLength(5);
  expect([2, 3, 4].map((n) => most(`203.0.113.${n}`).length)).toEqual([2, 2, 2]);
  for (const place of a) place[Symbol.dispose]();
  expect(most("203.0.113.1")).toHaveLength(2);
});

test("a client that has left is removed from the queue and gets no place", async () => {
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

test("giving back a place twice counts once", async () => {
  const { places } = placesOf({ held: caps(2, 2) });
  const one = await places.take("203.0.113.7", STAYS);
  await places.take("203.0.113.7", STAYS);
  one[Symbol.dispose]();
  one[Symbol.dispose]();
  const again = places.tryTake("203.0.113.7");
  expect([again !== undefined, places.tryTake("203.0.113.7")]).toEqual([true, undefined]);
});

test("a client that waits too long is told the cause, and when to try again", async () => {
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

test("a full queue refuses at once: a network's own, then the overall one", async () => {
  const { places } = placesOf({ held: caps(1, 1), waiting: caps(1, 2) });
  await places.take("203.0.113.7", STAYS);
  void places.take("203.0.113.7", STAYS);
  expect(await refused(places.take("203.0.113.7", STAYS))).toEqual([429, "rate_limited", "5"]);
  void places.take("203.0.113.8", STAYS);
  expect(await refused(places.take("203.0.113.9", STAYS))).toEqual([503, "busy", "5"]);
});

/** `a1` is in the first network of site a. */
const addressOf = (name: string) => `2001:db8:${name.charAt(0)}:${name.charAt(1)}::1`;

// prettier-ignore
const ends: [string, string[], string, string | undefined][] = [
  // promise                                     who holds, the longest first   who asks  whose ends
  ["of the site that holds most, the longest",   ["b1", "a1", "a2", "a3"],      "c1",     "a1"],
  ["of its networks the one that holds most",    ["b1", "a2", "a1", "a1"],      "c1",     "a1"],
  ["of equals the longest",                      ["b1", "b2", "a1", "a2"],      "c1",     "b1"],
  ["for who holds fewer",                        ["c1", "a1", "a1", "b1"],      "c2",     "a1"],
  ["not for who holds as many",                  ["a1", "a2", "b1", "b2"],      "a1",     undefined],
  ["for a neighbour who holds fewer",            ["a1", "a2", "b1", "b2"],      "a3",     "a1"],
  ["of a site that holds all, for a neighbour",  ["a1", "a1", "a2", "a3"],      "a4",     "a1"],
  ["not for who holds all that it may",          ["c1", "c1", "a1", "a1"],      "c1",     undefined],
  ["not where one is free",                      ["a1", "a1", "b1"],            "c1",     undefined],
];
test.each(ends)("a place that is held for too long is ended: %s", async (_, holds, asks, expected) => {
  const made = placesOf({ held: caps(2, 4) });
  const { given, ended, ask } = asking(made);
  for (const name of holds) await ask(name, addressOf(name));
  made.clock.advance(LONG_MS);
  void ask("last", addressOf(asks));
  await settled();
  expect(ended).toEqual(expected === undefined ? [] : [expected]);
  expect(given.includes("last")).toBe(expected !== undefined || holds.length < 4);
  expect(made.metrics.rateLimited.of("page").value).toBe(ended.length);
});

test("a place is not ended earlier when many wait, and only one for each of them", async () => {
  const made = placesOf({ held: caps(2, 2) });
  const { given, ended, ask } = asking(made);
  await ask("a1", "203.0.113.1");
  made.clock.advance(1);
  await ask("a2", "203.0.113.1");
  made.clock.advance(LONG_MS - 2);
  for (const n of [2, 3, 4]) void ask(`b${n}`, `203.0.113.${n}`);
  await settled();
  expect([given, ended]).toEqual([["a1", "a2"], []]);
  made.clock.advance(1);
  await settled();
  expect([given, ended]).toEqual([["a1", "a2", "b2"], ["a1"]]);
  made.clock.advance(1);
  await settled();
  expect([given, ended]).toEqual([
    ["a1", "a2", "b2", "b3"],
    ["a1", "a2"],
  ]);
});

test("what cannot be ended, and what was given back, is not ended", async () => {
  const { places, clock } = placesOf({ held: caps(2, 2) });
  await places.take("203.0.113.7", STAYS);
  const back = await places.take("203.0.113.7", STAYS);
  const ended: string[] = [];
  back.mayEnd(() => ended.push("back"));
  back[Symbol.dispose]();
  back.mayEnd(() => ended.push("back again"));
  await places.take("203.0.113.7", STAYS);
  clock.advance(LONG_MS);
  const waiting = refused(places.take("203.0.113.8", STAYS));
  clock.advance(WAIT_MS);
  expect(await waiting).toEqual([503, "busy", "5"]);
  expect(ended).toEqual([]);
});

/** Few enough that sites and networks reach their limits at times. */
const [NETWORKS, SITES] = [6, 3];
test("whatever happens, no limit is exceeded and no one waits for a place that is free", async () => {
  const what = fc.constantFrom("ask", "ask", "ask", "leave", "go", "late");
  const step = fc.record({ what, network: fc.nat(NETWORKS - 1), pick: fc.nat(20) });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
      const rules = { held: { network: 2, idle: 3, site: 3, all: 5 }, waiting: { network: 3, site: 5, all: 8 } };
      const { places, clock } = placesOf(rules);
      interface One {
        network: number;
        gone: AbortController;
        place?: Place;
      }
      const held = new Set<One>();
      const waiting = new Set<One>();
      for (const { what, network, pick } of steps) {
        if (what === "ask") {
          const one: One = { network, gone: new AbortController() };
          waiting.add(one);
          void places
            .take(addressOf(`${"abc".charAt(network % SITES)}${network}`), one.gone.signal)
            .then(
              (place) => {
                held.add({ ...one, place });
                place.mayEnd(() =>
                  [...held].filter((other) => other.place === place).map((other) => held.delete(other)),
                );
              },
              () => undefined,
            )
            .finally(() => waiting.delete(one));
        }
        const leaving = [...held].at(pick % Math.max(1, held.size));
        if (what === "leave" && leaving !== undefined) {
          held.delete(leaving);
          leaving.place?.[Symbol.dispose]();
        }
        if (what === "go") [...waiting].at(pick % Math.max(1, waiting.size))?.gone.abort();
        if (what === "late") clock.advance(pick < 5 ? WAIT_MS / 2 : 1);
        await settled();
        const of = (all: Iterable<One>, n: number) => [...all].filter((one) => one.network === n).length;
        const ofSite = (all: Iterable<One>, n: number) =>
          [...all].filter((one) => one.network % SITES === n % SITES).length;
        expect(held.size).toBeLessThanOrEqual(rules.held.all);
        expect(waiting.size).toBeLessThanOrEqual(rules.waiting.all);
        const most = held.size < rules.held.all / 2 ? rules.held.idle : rules.held.network;
        for (let n = 0; n < NETWORKS; n++) {
          expect(of(held, n)).toBeLessThanOrEqual(rules.held.idle);
          expect(ofSite(held, n)).toBeLessThanOrEqual(rules.held.site);
          expect(of(waiting, n)).toBeLessThanOrEqual(rules.waiting.network);
          expect(ofSite(waiting, n)).toBeLessThanOrEqual(rules.waiting.site);
          if (of(waiting, n) > 0 && held.size < rules.held.all)
            expect(of(held, n) >= most || ofSite(held, n) >= rules.held.site).toBe(true);
        }
      }
    }),
    { numRuns: 100 },
  );
});
