/** Checks that are changed, given other tokens and ping keys, and deleted. */
import { describe, expect, test } from "bun:test";
import { topicNamed, type OpenEngine } from "./engine.ts";
import { changed, HOUR, otherNamespace, standing, turn, watch, withoutSlug, type Watch } from "./watching.ts";

export const changing = (open: OpenEngine) => {
  describe("a change of settings", () => {
    const settings = (name: string, slug = name) => ({ ...standing({}, name).settings, slug });

    // prettier-ignore
    const edits: [string, { name: string; slug: string }][] = [
      ["name",          { name: "router", slug: "nas" }],
      ["slug",          { name: "nas",    slug: "r" }],
      ["name and slug", { name: "router", slug: "r" }],
    ];
    test.each(edits)("is stored, listed and found: another %s", async (_, { name, slug }) => {
      await using peal = await watch(open);
      const { checks } = peal.store;
      const check = await peal.check("nas");
      const edited = await checks.edit(check, changed({ settings: settings(name, slug) }));
      expect(edited).toMatchObject({ check: { standing: { settings: settings(name, slug) } } });
      expect(await checks.find({ namespaceId: peal.home.id, slug })).toEqual(await peal.read(check));
      const free = ["nas", "r"].find((one) => one !== slug) ?? "";
      expect(await checks.find({ namespaceId: peal.home.id, slug: free })).toBeUndefined();
      await peal.check("between", { standing: standing({ settings: settings("pihole", free) }) });
      const { checks: listed } = await checks.list(peal.home.id, { limit: 5 });
      expect(listed.map((one) => one.standing.settings.name)).toEqual(["pihole", name].toSorted());
    });

    test("to the slug of another check changes nothing; its own slug or none is accepted", async () => {
      await using peal = await watch(open);
      const { checks } = peal.store;
      const check = await peal.check("nas");
      await peal.check("router");
      const moved = { name: "new" };
      expect(await checks.edit(check, changed({ settings: settings("nas", "router") }), moved)).toBe("slug_taken");
      expect(await peal.read(check)).toEqual(check);
      expect(await topicNamed(peal.store, peal.home, "new")).toBeUndefined();
      expect(await checks.edit(check, changed({ settings: settings("renamed", "nas") }))).toMatchObject({ check: {} });
      expect(await checks.edit(check, changed({ settings: withoutSlug(settings("nas")) }))).toMatchObject({
        check: {},
      });
      expect(await checks.edit({ ...check, id: "none" }, changed({}))).toBeUndefined();
    });

    test("moves its alerts to another topic, all or nothing", async () => {
      await using peal = await watch(open);
      const { checks } = peal.store;
      const check = await peal.check("nas");
      const elsewhere = await checks.edit(check, turn(5), { name: "elsewhere" });
      expect(elsewhere).toMatchObject({ check: { topic: { name: "elsewhere" } } });
      const moved = await peal.read(check);
      expect(moved.topic.name).toBe("elsewhere");
      expect([await peal.told(check), (await peal.told(moved)).length]).toEqual([[], 1]);
      const key = "none-00000000000000000000000000";
      expect(await checks.edit(check, changed({ okStreak: 5 }), { key })).toBe("unknown_topic");
      expect(await peal.read(check)).toEqual(moved);
      expect(await checks.edit(check, changed({}), { key: check.topic.key })).toMatchObject({
        check: { topic: check.topic },
      });
    });
  });

  describe("a token", () => {
    const isFound = async ({ store }: Watch, token: string) => (await store.checks.find({ token })) !== undefined;

    test("works for its overlap after a rotation, and not after the next one", async () => {
      await using peal = await watch(open);
      const check = await peal.check("nas");
      const now = peal.clock.now();
      const second = await peal.store.checks.rotate(check, "second", now + HOUR);
      expect(second).toEqual({ ...check, tokenGeneration: 1, tokenHash: "second" });
      expect([await isFound(peal, check.tokenHash), await isFound(peal, "second")]).toEqual([true, true]);
      peal.clock.advance(HOUR - 1);
      expect(await isFound(peal, check.tokenHash)).toBe(true);
      peal.clock.advance(1);
      expect([await isFound(peal, check.tokenHash), await isFound(peal, "second")]).toEqual([false, true]);
      const third = second && (await peal.store.checks.rotate(second, "third", now + 9 * HOUR));
      expect(third?.tokenGeneration).toBe(2);
      expect(await Promise.all([check.tokenHash, "second", "third"].map(async (one) => isFound(peal, one)))).toEqual([
        false,
        true,
        true,
      ]);
    });

    test("is rotated once when requested twice at the same time, and not from an outdated reading", async () => {
      await using peal = await watch(open);
      const check = await peal.check("nas");
      const { checks } = peal.store;
      const [one, other] = await Promise.all([checks.rotate(check, "second", 0), checks.rotate(check, "second", 0)]);
      expect([one?.tokenGeneration, other]).toEqual([1, one]);
      expect(await checks.rotate(check, "third", 0)).toBeUndefined();
      expect([await isFound(peal, check.tokenHash), await isFound(peal, "second")]).toEqual([false, true]);
      await checks.remove(peal.home.id, check.id);
      expect(one && (await checks.rotate(one, "third", 0))).toBeUndefined();
    });
  });

  describe("a ping key", () => {
    test("belongs to one namespace, and works until it is replaced", async () => {
      await using peal = await watch(open);
      const other = await otherNamespace(peal);
      const { checks } = peal.store;
      expect(await checks.pingKey(peal.home.id)).toEqual({ generation: 0 });
      await checks.setPingKey(peal.home.id, 1, "first");
      await checks.setPingKey(other.id, 1, "other");
      expect([await checks.byPingKey("first"), await checks.byPingKey("other")]).toEqual([peal.home.id, other.id]);
      await checks.setPingKey(peal.home.id, 2, "second");
      const store = await peal.reopen();
      expect(await store.checks.byPingKey("first")).toBeUndefined();
      expect(await store.checks.byPingKey("second")).toBe(peal.home.id);
      expect(await store.checks.pingKey(peal.home.id)).toEqual({ generation: 2 });
    });
  });

  describe("a check that is deleted", () => {
    test("is deleted once, with its log and incidents, and frees slug and token; its topic stays", async () => {
      await using peal = await watch(open);
      const { checks, topics } = peal.store;
      const check = await peal.check("nas");
      await checks.apply(check, turn(5));
      expect(await checks.remove((await otherNamespace(peal)).id, check.id)).toBe(false);
      expect(await checks.remove(peal.home.id, check.id)).toBe(true);
      expect(await checks.remove(peal.home.id, check.id)).toBe(false);
      expect(await checks.find(check)).toBeUndefined();
      expect(await checks.nextAt()).toBeUndefined();
      expect([await checks.events(check, { limit: 5 }), await checks.incidents(check, { limit: 5 })]).toEqual([[], []]);
      expect(await checks.apply(check, turn(6))).toBeUndefined();
      expect(await peal.told(check)).toHaveLength(1);
      const next = await peal.check("nas");
      expect(next.row).not.toBe(check.row);
      expect(await checks.events(next, { limit: 5 })).toEqual([]);
      expect(await topics.byKeyAnywhere(check.topic.key)).toBeDefined();
    });

    test("or moved to another topic releases its old topic, others do not", async () => {
      await using peal = await watch(open);
      const { checks, topics } = peal.store;
      const [one, other] = [await peal.check("one"), await peal.check("other")];
      const { id, key } = one.topic;
      expect(await topics.remove(id)).toBe("in_use");
      await checks.remove(peal.home.id, one.id);
      expect(await topics.remove(id)).toBe("in_use");
      expect(await topics.byKeyAnywhere(key)).toBeDefined();
      await checks.edit(other, changed({}), { name: "elsewhere" });
      expect(await topics.remove(id)).toBe(true);
      expect(await topics.remove(id)).toBe(false);
      expect(await peal.make("new", { topic: { key } })).toEqual({ kind: "unknown_topic" });
    });
  });
};
