/**
 * Simultaneous pings are stored in one job: the store answers as if they had come one after another, and a failure
 * affects no others.
 */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Rules } from "../../../src/store/checks.ts";
import { SEQUENCES } from "../../support/rounds.ts";
import { comparable, outcome } from "./batching.ts";
import { draft, range, type OpenEngine } from "./engine.ts";
import { pinged, recorded, throwing, told, turn, watch, type Watch } from "./watching.ts";

const NAMES = ["a", "b", "c"];

/** `unsaid`: the database refuses its alert, after standing and log were written. */
const KINDS = ["turn", "log", "run", "alert", "throws", "unsaid"] as const;
interface Ping {
  name: string;
  kind: (typeof KINDS)[number];
  body: string | undefined;
}
const ping: fc.Arbitrary<Ping> = fc.record({
  name: fc.constantFrom(...NAMES, "nobody"),
  kind: fc.constantFrom(...KINDS),
  body: fc.constantFrom(undefined, "said"),
});

const unsaid = (at: number) =>
  turn(at, { compose: (alerts) => [{ draft: draft({ level: null as never }), told: alerts }] });

function rulesOf(kind: Ping["kind"], at: number): Rules {
  switch (kind) {
    case "turn":
      return turn(at);
    case "log":
      return recorded({ kind: "log", at });
    case "run":
      return { ...pinged({ rid: `r${at % 3}`, kind: "ok", at }), rid: `r${at % 3}` };
    case "alert":
      return told({ kind: "test", at });
    case "throws":
      return throwing;
    case "unsaid":
      return unsaid(at);
  }
}

async function begun(open: OpenEngine): Promise<Watch> {
  const peal = await watch(open);
  for (const name of NAMES) await peal.check(name);
  return peal;
}

const apply = async ({ store, home }: Watch, { name, kind, body }: Ping, at: number) =>
  store.checks.apply({ namespaceId: home.id, slug: name }, rulesOf(kind, at), {
    ...{ method: "POST", address: "192.0.2.1" },
    ...(body !== undefined && { body: { head: Buffer.from(body), tail: new Uint8Array(), totalBytes: body.length } }),
  });

async function leftIn(peal: Watch): Promise<unknown> {
  const { store, home, heard } = peal;
  const { checks } = await store.checks.list(home.id, { limit: 10 });
  const left = [];
  for (const check of checks) {
    const events = await store.checks.events(check, { limit: 100 });
    const incidents = await store.checks.incidents(check, { limit: 100 });
    left.push({ check, events, incidents, told: await peal.told(check) });
  }
  return comparable({ left, heard });
}

export const pinging = (open: OpenEngine) => {
  describe("simultaneous pings", () => {
    test("in any mix, answer, announce and leave the same as one after another", async () => {
      const together = async (all: readonly Ping[]) => {
        await using peal = await begun(open);
        const applied = all.map(async (one, at) => apply(peal, one, at));
        return [(await Promise.allSettled(applied)).map(outcome), await leftIn(peal)];
      };
      const alone = async (all: readonly Ping[]) => {
        await using peal = await begun(open);
        const results = [];
        for (const [at, one] of all.entries()) results.push(...(await Promise.allSettled([apply(peal, one, at)])));
        return [results.map(outcome), await leftIn(peal)];
      };
      const property = fc.asyncProperty(fc.array(ping, { maxLength: 40 }), async (all) => {
        expect(await together(all)).toEqual(await alone(all));
      });
      await fc.assert(property, { numRuns: SEQUENCES });
    });

    test.each(["throws", "unsaid"] as const)("one that %s affects no other", async (kind) => {
      await using peal = await begun(open);
      const all = range(0, 8).map((n): Ping => ({
        name: NAMES[n % 3] ?? "",
        kind: n === 4 ? kind : "log",
        body: "said",
      }));
      const applied = await Promise.allSettled(all.map(async (one, at) => apply(peal, one, at)));
      expect(applied.map(({ status }) => status === "fulfilled")).toEqual(range(0, 8).map((n) => n !== 4));
      const { checks } = await peal.store.checks.list(peal.home.id, { limit: 3 });
      expect(checks.map(({ standing: { events, state } }) => [events, state])).toEqual([
        [3, "up"],
        [2, "up"],
        [3, "up"],
      ]);
      for (const check of checks) expect(await peal.told(check)).toEqual([]);
      await peal.reopen();
    });
  });
};
