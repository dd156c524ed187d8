/** Due checks: handled in order, once, in whole slices, and without affecting each other. */
import { describe, expect, test } from "bun:test";
import type { Check, Told } from "../../../src/checks/check.ts";
import type { Rules } from "../../../src/store/checks.ts";
import { draft, range, type OpenEngine } from "./engine.ts";
import { HOUR, messagesIn, nameOf, nothing, standing, turn, turned, watch, type Watch } from "./watching.ts";

const LIMITS = { limit: 200, budgetMs: 1_000 };

const due = async (peal: Watch, name: string, deadlineAt: number, topic = "checks") =>
  peal.check(name, { topic: { name: topic }, standing: standing({ deadlineAt }, name) });
const state = async (peal: Watch, check: Check) => (await peal.read(check)).standing.state;

/** One message for everything that is reported together. */
const digest = (told: readonly Told[]) => [
  { draft: draft({ message: told.map(({ check }) => nameOf(check)).join() }), told },
];
/** Rules that throw for checks with these names. */
const sparing = (names: string[], rules: Rules): Rules => ({
  ...rules,
  decide: (check, known) => {
    if (names.includes(nameOf(check))) throw new Error(`no decision on ${nameOf(check)}`);
    return rules.decide(check, known);
  },
});

export const ticking = (open: OpenEngine) => {
  describe("a tick", () => {
    test("decides what is due, longest due first, up to the limit, and once", async () => {
      await using peal = await watch(open);
      const { checks } = peal.store;
      for (const [name, at] of Object.entries({ c: 30, a: 10, e: 51, b: 20, d: 50 })) await due(peal, name, at);
      await peal.check("never");
      const seen: string[] = [];
      const rules = turn(50, {
        decide: (check) => {
          seen.push(nameOf(check));
          return turned(check, 50);
        },
      });
      expect(await checks.tick(50, rules, { ...LIMITS, limit: 3 })).toEqual({ looked: 3, failed: [], nextAt: 50 });
      expect(await checks.tick(50, rules, { ...LIMITS, limit: 3 })).toEqual({ looked: 1, failed: [], nextAt: 51 });
      expect(await checks.tick(50, rules, { ...LIMITS, limit: 3 })).toEqual({ looked: 0, failed: [], nextAt: 51 });
      expect(seen).toEqual(["a", "b", "c", "d"]);
      expect(await checks.nextAt()).toBe(51);
      await peal.reopen();
    });

    test("has no next time when nothing is due any more", async () => {
      await using peal = await watch(open);
      await due(peal, "a", 10);
      const undue = turn(50, { dueAt: () => undefined });
      expect(await peal.store.checks.tick(50, undue, LIMITS)).toEqual({ looked: 1, failed: [] });
      expect(await peal.store.checks.nextAt()).toBeUndefined();
    });

    test("stores standings, logs, incidents and alerts, and announces those in order", async () => {
      await using peal = await watch(open);
      const { checks } = peal.store;
      const [one, other] = [await due(peal, "one", 10, "x"), await due(peal, "other", 20, "y")];
      await due(peal, "two", 30, "x");
      peal.heard.length = 0;
      await checks.tick(50, turn(50), LIMITS);
      expect(messagesIn(peal.heard)).toEqual(["x 1", "x 2", "y 1"]);
      expect((await peal.told(one)).map(({ text }) => text)).toEqual(["one down", "two down"]);
      expect(await peal.read(other)).toMatchObject({ dueAt: 50 + HOUR, standing: { state: "down", events: 1 } });
      expect(await checks.events(other, { limit: 5 })).toEqual([{ n: 1, kind: "down", at: 50 }]);
      const [message] = await peal.told(other);
      expect(await checks.incidents(other, { limit: 5 })).toMatchObject([{ n: 1, downMessage: message?.seq }]);
    });

    test("reports alerts of one topic together, and each of several incidents links to that message", async () => {
      await using peal = await watch(open);
      const { checks } = peal.store;
      const several = await Promise.all(["a", "b", "c"].map(async (name, n) => due(peal, name, n, "x")));
      const alone = await due(peal, "d", 5, "y");
      await checks.tick(50, turn(50, { compose: digest }), LIMITS);
      const [first] = several;
      const messages = first && (await peal.told(first));
      expect(messages?.map(({ text }) => text)).toEqual(["a,b,c"]);
      for (const check of several)
        expect((await checks.incidents(check, { limit: 5 })).map((one) => one.downMessage)).toEqual(
          messages?.map(({ seq }) => seq) ?? [],
        );
      expect((await peal.told(alone)).map(({ text }) => text)).toEqual(["d"]);
    });

    test("decides checks with the same time topic by topic; a topic that would exceed the limit waits for the next slice", async () => {
      await using peal = await watch(open);
      const { checks } = peal.store;
      const [one] = await Promise.all(range(0, 8).map(async (n) => due(peal, `${n}`, 10, `t${n % 3}`)));
      const slices = [];
      for (let n = 1; n <= 3; n++)
        slices.push((await checks.tick(50, turn(50, { compose: digest }), { ...LIMITS, limit: 5 })).looked);
      expect(slices).toEqual([3, 3, 3]);
      expect(one && (await peal.told(one)).map(({ text }) => text)).toEqual(["0,3,6"]);
    });

    test("decides as many of a topic as the limit allows", async () => {
      await using peal = await watch(open);
      const { checks } = peal.store;
      await Promise.all(range(0, 6).map(async (n) => due(peal, `${n}`, 10, "x")));
      await due(peal, "other", 11, "y");
      const slices = [];
      for (let n = 1; n <= 3; n++) slices.push((await checks.tick(50, turn(50), { ...LIMITS, limit: 5 })).looked);
      expect(slices).toEqual([5, 3, 0]);
    });

    test("postpones a check that cannot be decided by an hour, says why, and does the others", async () => {
      await using peal = await watch(open);
      const { checks } = peal.store;
      const [a, bad, c] = [await due(peal, "a", 10), await due(peal, "bad", 20), await due(peal, "c", 30)];
      const slice = await checks.tick(50, sparing(["bad"], turn(50, { compose: digest })), LIMITS);
      expect(slice).toEqual({
        looked: 3,
        failed: [{ id: bad.id, error: new Error("no decision on bad") }],
        nextAt: 50 + HOUR,
      });
      expect(await Promise.all([a, bad, c].map(async (check) => state(peal, check)))).toEqual(["down", "up", "down"]);
      expect(await peal.read(bad)).toEqual({ ...bad, dueAt: 50 + HOUR });
      expect((await peal.told(a)).map(({ text }) => text)).toEqual(["a,c"]);
      expect(await checks.tick(50 + HOUR, nothing, { ...LIMITS, limit: 0 })).toMatchObject({ looked: 0 });
      await checks.tick(50 + HOUR, turn(99), LIMITS);
      expect(await state(peal, bad)).toBe("down");
    });

    test("stores nothing for a check that cannot be reported, and reports the others one by one", async () => {
      await using peal = await watch(open);
      const { checks } = peal.store;
      const [a, bad, c] = [await due(peal, "a", 10), await due(peal, "bad", 20), await due(peal, "c", 30)];
      const other = await due(peal, "other", 40, "y");
      const compose = (told: readonly Told[]) => {
        if (told.some(({ check }) => nameOf(check) === "bad")) throw new Error("no words for it");
        return digest(told);
      };
      peal.heard.length = 0;
      const { looked, failed } = await checks.tick(50, turn(50, { compose }), LIMITS);
      expect([looked, failed]).toEqual([4, [{ id: bad.id, error: new Error("no words for it") }]]);
      expect(await peal.read(bad)).toEqual({ ...bad, dueAt: 50 + HOUR });
      expect([await checks.events(bad, { limit: 5 }), await checks.incidents(bad, { limit: 5 })]).toEqual([[], []]);
      expect((await peal.told(a)).map(({ id, text }) => `${id} ${text}`)).toEqual(["1 a", "2 c"]);
      expect(messagesIn(peal.heard)).toEqual(["checks 1", "checks 2", "y 1"]);
      expect(await Promise.all([c, other].map(async (check) => state(peal, check)))).toEqual(["down", "down"]);
    });

    test("postpones a check that stays due although nothing changes, or it would be decided forever", async () => {
      await using peal = await watch(open);
      const check = await due(peal, "stuck", 10);
      const { looked, failed, nextAt } = await peal.store.checks.tick(50, nothing, LIMITS);
      expect([looked, failed.map(({ id }) => id), nextAt]).toEqual([1, [check.id], 50 + HOUR]);
    });

    test("decides a check that is not ready again when it is", async () => {
      await using peal = await watch(open);
      await due(peal, "early", 10);
      const later = { ...nothing, dueAt: () => 70 };
      expect(await peal.store.checks.tick(50, later, LIMITS)).toEqual({ looked: 1, failed: [], nextAt: 70 });
    });

    test("and pings of the same moment are applied one after another", async () => {
      await using peal = await watch(open);
      const { checks } = peal.store;
      const names = range(1, 9).map((n) => `c${n}`);
      const all = await Promise.all(names.map(async (name) => due(peal, name, 10)));
      await Promise.all([
        ...all.slice(0, 3).map(async (check) => checks.apply(check, turn(11))),
        checks.tick(50, turn(50), LIMITS),
        ...all.slice(6).map(async (check) => checks.apply(check, turn(60))),
      ]);
      const states = await Promise.all(all.map(async (check) => state(peal, check)));
      expect(states).toEqual([...range(1, 6).map(() => "down" as const), ...range(1, 3).map(() => "up" as const)]);
      const texts = all[0] && (await peal.told(all[0])).map(({ text }) => text);
      expect(texts?.toSorted()).toEqual(
        [...names.map((name) => `${name} down`), ...names.slice(6).map((name) => `${name} up`)].toSorted(),
      );
    });
  });
};
