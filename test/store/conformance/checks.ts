/** Checks: made, found, listed and counted. */
import { describe, expect, test } from "bun:test";
import type { Check, CheckState } from "../../../src/checks/check.ts";
import type { CheckPlace } from "../../../src/store/checks.ts";
import { sha256 } from "../../../src/util/ids.ts";
import { range, topicNamed, type OpenEngine } from "./engine.ts";
import {
  changed,
  idOf,
  incident,
  otherNamespace,
  recorded,
  standing,
  turn,
  type Watch,
  watch,
  withoutSlug,
} from "./watching.ts";

export const checks = (open: OpenEngine) => {
  describe("a check", () => {
    test("is among the oldest of all namespaces, in the order of their making, until its namespace is deleted", async () => {
      await using peal = await watch(open);
      const other = await otherNamespace(peal);
      const names = range(0, 249).map((n) => `check ${n}`);
      for (const [n, name] of names.entries()) await peal.make(name, n === 3 ? { namespaceId: other.id } : {});
      const { checks, namespaces } = peal.store;
      const namesOf = async (limit: number) =>
        (await checks.oldest(limit)).map(({ namespace, standing: { settings } }) => `${namespace}/${settings.name}`);
      const all = names.map((name, n) => `${n === 3 ? "other" : "home"}/${name}`);
      expect([await namesOf(1_000), await namesOf(120), await namesOf(0)]).toEqual([all, all.slice(0, 120), []]);
      await namespaces.remove(other.id);
      expect(await namesOf(4)).toEqual([0, 1, 2, 4].map((n) => `home/check ${n}`));
    });

    test("is found by its token, its id, its slug, the ping key and its badge, after a restart too", async () => {
      await using peal = await watch(open);
      const given = standing({ deadlineAt: 7 }, "nas");
      const check = await peal.check("nas", { standing: given });
      expect(check).toEqual({
        ...{ row: check.row, id: `nas${"-".repeat(23)}`, namespaceId: peal.home.id, namespace: "home" },
        ...{ topic: check.topic, tokenGeneration: 0, tokenHash: sha256("nas"), badgeToken: "badge nas" },
        ...{ createdAt: peal.clock.now(), standing: given, dueAt: 7 },
      });
      await peal.store.checks.setPingKey(peal.home.id, 1, "ping key");
      const { checks } = await peal.reopen();
      const { namespaceId, id } = check;
      expect(await checks.find({ token: sha256("nas") })).toEqual(check);
      expect(await checks.find({ namespaceId, id })).toEqual(check);
      expect(await checks.find({ namespaceId, slug: "nas" })).toEqual(check);
      expect(await checks.find({ pingKey: "ping key", slug: "nas" })).toEqual(check);
      expect(await checks.byBadge("badge nas")).toEqual(check);
    });

    test("is found by its id alone, with the latest runs for many at once", async () => {
      await using peal = await watch(open);
      const [one, two, none] = await Promise.all(["one", "two", "none"].map(async (name) => peal.check(name)));
      if (one === undefined || two === undefined || none === undefined) throw new Error("no checks");
      const { checks } = peal.store;
      expect(await checks.byId(one.id)).toEqual(one);
      expect(await checks.byId("nobody")).toBeUndefined();
      expect(await checks.within(one.id.slice(0, -1), `${one.id}z`)).toEqual(one);
      expect(await checks.within("nobody", "nobodz")).toBeUndefined();
      for (let at = 1; at <= 105; at++)
        await checks.apply(one, recorded({ kind: at % 2 === 0 ? "ok" : "start", at }, { kind: "fail", at, exit: 3 }));
      for (const at of [1, 2, 3]) await checks.apply(two, turn(at));
      const histories = await checks.histories([one, two, none], 3);
      expect([...histories.keys()].sort()).toEqual([one.row, two.row, none.row].sort());
      // 210 lines in a ring of 100, of which three in four end a run
      expect(histories.get(one.row)?.ends.map(({ n, kind }) => [n, kind])).toEqual([
        [207, "ok"],
        [208, "fail"],
        [210, "fail"],
      ]);
      expect(histories.get(two.row)?.incidents.map(({ n, closedAt }) => [n, closedAt])).toEqual([
        [2, undefined],
        [1, 2],
      ]);
      expect(histories.get(two.row)?.ends.map(({ at }) => at)).toEqual([2]);
      expect(histories.get(none.row)).toEqual({ ends: [], incidents: [] });
      const [latest] = (await checks.histories([two], 1)).get(two.row)?.incidents ?? [];
      expect(latest?.n).toBe(2);
    });

    test("returns the tails of the bodies in its log, together with others', as long as the log keeps the lines", async () => {
      await using peal = await watch(open);
      const [one, two] = await Promise.all(["one", "two"].map(async (name) => peal.check(name)));
      if (one === undefined || two === undefined) throw new Error("no checks");
      const { checks } = peal.store;
      const bytes = (text: string) => new TextEncoder().encode(text);
      const said = (head: string, tail = "") => ({
        ...{ method: "POST", address: "::1", userAgent: "test" },
        body: { head: bytes(head), tail: bytes(tail), totalBytes: head.length + tail.length },
      });
      await checks.apply(one, recorded({ kind: "fail", at: 1 }), said("first line\nlast line"));
      await checks.apply(one, recorded({ kind: "ok", at: 2 }));
      await checks.apply(two, recorded({ kind: "fail", at: 1 }), said("the be", "ginning and the end"));
      const ends = async (...lines: [Check, number][]) => {
        const found = await checks.endings(
          lines.map(([{ row }, n]) => ({ row, n })),
          9,
        );
        return [...found].map(([row, end]) => [row, new TextDecoder().decode(end)]);
      };
      expect(await ends([one, 1], [two, 1])).toEqual([
        [one.row, "last line"],
        [two.row, "d the end"],
      ]);
      expect(await ends([one, 2], [two, 7])).toEqual([]);
      for (let at = 3; at <= 102; at++) await checks.apply(one, recorded({ kind: "ok", at }));
      expect(await ends([one, 1])).toEqual([]);
    });

    test("is not found by what belongs to another check or to none", async () => {
      await using peal = await watch(open);
      const { id } = await peal.check("nas");
      const other = await otherNamespace(peal);
      await peal.store.checks.setPingKey(other.id, 1, "ping key");
      const { checks } = peal.store;
      for (const which of [
        { token: sha256("none") },
        { token: "badge nas" },
        { namespaceId: other.id, id },
        { namespaceId: other.id, slug: "nas" },
        { pingKey: "ping key", slug: "nas" },
        { pingKey: "none", slug: "nas" },
      ])
        expect(await checks.find(which)).toBeUndefined();
      expect(await checks.byBadge(sha256("nas"))).toBeUndefined();
    });

    test("alerts to a topic that is made by name, or given by key or name", async () => {
      await using peal = await watch(open);
      const first = await peal.check("first");
      const topic = await topicNamed(peal.store, peal.home, "checks");
      expect(topic).toMatchObject(first.topic);
      const key = first.topic.key;
      for (const [name, to] of Object.entries({ second: { name: "checks" }, third: { key }, fourth: { name: key } }))
        expect((await peal.check(name, { topic: to })).topic).toEqual(first.topic);
    });

    test("is refused, and makes no topic, when there is no space", async () => {
      await using peal = await watch(open, { checksPerNamespace: 2, topicsPerNamespace: 2 });
      const elsewhere = { topic: { name: "new" } };
      const gone = await peal.check("a");
      expect(await peal.make("A", { ...elsewhere, standing: standing({}, "a") })).toEqual({ kind: "slug_taken" });
      expect(await peal.make("b", { topic: { key: "none-00000000000000000000000000" } })).toEqual({
        kind: "unknown_topic",
      });
      await peal.publish("another");
      expect(await peal.make("b", elsewhere)).toEqual({ kind: "too_many_topics" });
      await peal.check("b");
      expect(await peal.make("c", elsewhere)).toEqual({ kind: "too_many_checks" });
      expect(await topicNamed(peal.store, peal.home, "new")).toBeUndefined();
      const other = await otherNamespace(peal);
      expect(await peal.make("c", { namespaceId: other.id })).toMatchObject({ kind: "made" });
      await peal.store.checks.remove(peal.home.id, gone.id);
      await peal.check("d");
      expect(await peal.make("e")).toEqual({ kind: "too_many_checks" });
    });

    test("without a slug may exist many times", async () => {
      await using peal = await watch(open);
      const settings = withoutSlug(standing().settings);
      for (const name of ["a", "b"]) await peal.check(name, { standing: standing({ settings }) });
      expect((await peal.store.checks.list(peal.home.id, { limit: 5 })).checks).toHaveLength(2);
    });

    test("is announced when it is due", async () => {
      await using peal = await watch(open);
      await peal.check("never");
      await peal.check("later", { standing: standing({ deadlineAt: 9 }, "later") });
      expect(peal.heard).toEqual([{ kind: "due", at: 9 }]);
      expect(await peal.store.checks.nextAt()).toBe(9);
    });
  });

  describe("checks are listed", () => {
    const named = (name: string, tags: string[] = []) => ({
      standing: standing({ settings: { ...standing({}, name).settings, tags } }),
    });
    /** The ids of all, page by page; `meanwhile` runs after the first page. */
    const listed = async (
      peal: Watch,
      options: { limit: number; tag?: string },
      meanwhile?: () => Promise<unknown>,
    ) => {
      const seen: Check[] = [];
      let after: CheckPlace | undefined;
      for (;;) {
        const page = await peal.store.checks.list(peal.home.id, { ...options, ...(after && { after }) });
        expect(page.checks.length).toBeLessThanOrEqual(options.limit);
        seen.push(...page.checks);
        if (after !== undefined) expect(page.checks).not.toEqual([]); // the previous page announced more
        expect(seen.length).toBeLessThan(1_000); // otherwise the pages repeat
        const last = page.checks.at(-1);
        if (!page.hasMore || last === undefined) return seen.map(({ id }) => id.replaceAll("-", ""));
        expect(page.checks).toHaveLength(options.limit);
        after = { name: last.standing.settings.name, id: last.id };
        await meanwhile?.();
      }
    };

    test("by name and then id, each once, for one namespace", async () => {
      await using peal = await watch(open);
      const settings = withoutSlug(standing({}, "same").settings);
      const same = { standing: standing({ settings }) };
      for (const name of ["c", "B", "a"]) await peal.check(name);
      for (const id of ["z", "y", "x"]) await peal.check(id, same);
      await peal.make("other", { namespaceId: (await otherNamespace(peal)).id });
      for (const limit of range(1, 7)) expect(await listed(peal, { limit })).toEqual(["B", "a", "c", "x", "y", "z"]);
    });

    test("continuing where a page ended, even when its last check was deleted", async () => {
      await using peal = await watch(open);
      for (const name of ["a", "b", "c", "d"]) await peal.check(name);
      const remove = async () => peal.store.checks.remove(peal.home.id, idOf("b"));
      expect(await listed(peal, { limit: 2 }, remove)).toEqual(["a", "b", "c", "d"]);
    });

    test("by a tag, however many others are in between", async () => {
      await using peal = await watch(open);
      const names = range(101, 600).map(String);
      await Promise.all(
        names.map(async (name) => peal.check(name, named(name, Number(name) % 150 === 1 ? ["nas"] : ["n"]))),
      );
      for (const limit of range(1, 4)) expect(await listed(peal, { limit, tag: "nas" })).toEqual(["151", "301", "451"]);
      expect(await listed(peal, { limit: 200 })).toHaveLength(500);
      expect(await listed(peal, { limit: 2, tag: "none" })).toEqual([]);
    });
  });

  describe("checks are counted", () => {
    test("by state, and those that will be due", async () => {
      await using peal = await watch(open);
      const { checks } = peal.store;
      const states: CheckState[] = ["new", "up", "up", "down", "paused", "paused"];
      for (const [n, state] of states.entries())
        await peal.check(`c${n}`, { standing: standing({ state, ...(n < 3 && { deadlineAt: n }) }, `c${n}`) });
      expect(await checks.counts()).toEqual({ byState: { new: 1, up: 2, down: 1, paused: 2 }, armed: 3 });
      const { check } = await applied(peal, "c1", changed({ state: "down", incident: incident(1, 1) }));
      await checks.apply(check, recorded({ kind: "log", at: 1 }));
      await checks.remove(peal.home.id, (await applied(peal, "c4", changed({ deadlineAt: 5 }))).check.id);
      expect(await checks.counts()).toEqual({ byState: { new: 1, up: 1, down: 2, paused: 1 }, armed: 3 });
    });
  });

  describe("the alerter's time", () => {
    test("is that of its last tick, after a restart too", async () => {
      await using peal = await watch(open);
      expect(await peal.store.checks.seenAt()).toBeUndefined();
      await peal.store.checks.see(7);
      await peal.store.checks.see(9);
      expect(await peal.store.checks.seenAt()).toBe(9);
      expect(await (await peal.reopen()).checks.seenAt()).toBe(9);
    });
  });
};

async function applied({ store, home }: Watch, slug: string, rules: Parameters<Watch["store"]["checks"]["apply"]>[1]) {
  const done = await store.checks.apply({ namespaceId: home.id, slug }, rules);
  if (done === undefined) throw new Error(`no check ${slug}`);
  return done;
}
