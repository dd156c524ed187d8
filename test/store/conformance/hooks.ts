/** Hooks, their tokens, and the requests that they get. */
import { describe, expect, test } from "bun:test";
import type { Hook, HookSettings } from "../../../src/hooks/hook.ts";
import { HOOKS_PER_TOPIC, REQUESTS_KEPT, type HookToken, type NewHook } from "../../../src/store/hooks.ts";
import type { Publication, Published } from "../../../src/store/messages.ts";
import { bench, draft, range, type Bench, type OpenEngine } from "./engine.ts";

let made = 0;
const newHook = (peal: Bench, more: Partial<NewHook> = {}): NewHook => {
  const id = `hook${++made}`;
  const hashes = { tokenHash: `url of ${id}`, gotifyHash: `gotify of ${id}` };
  return { namespaceId: peal.home.id, topic: { name: "tools" }, id, settings: {}, ...hashes, ...more };
};
async function create(peal: Bench, more: Partial<NewHook> = {}): Promise<Hook> {
  const created = await peal.store.hooks.create(newHook(peal, more));
  if (created.kind !== "made") throw new Error(created.kind);
  return created.hook;
}
const urlOf = ({ tokenHash }: Hook): HookToken => ({ url: tokenHash });
const idBy = async (peal: Bench, token: HookToken) => (await peal.store.hooks.byToken(token))?.id;

/** Publishes as a request to the hook does. */
const post = async (
  peal: Bench,
  hook: Hook,
  body = "{}",
  token = urlOf(hook),
  more: Pick<Publication, "deliverAt" | "idempotency"> = {},
): Promise<Published> =>
  peal.store.messages.publish({
    ...more,
    namespaceId: peal.home.id,
    to: { id: hook.topic.id },
    draft: draft({ source: "hook" }),
    by: { row: hook.row, token, came: { method: "POST", from: "192.0.2.7", bodyBytes: 2 }, body: Buffer.from(body) },
  });
const bodies = async (peal: Bench, hook: Hook) =>
  (await peal.store.hooks.requests(hook)).map(({ n, messageId, body }) => [
    n,
    messageId,
    Buffer.from(body ?? []).toString(),
  ]);

export const hooks = (open: OpenEngine) => {
  describe("a hook", () => {
    test("is made for a topic by its name or its key, and found by its id and both of its tokens", async () => {
      await using peal = await bench(open);
      expect(await peal.store.hooks.exist()).toBeFalse();
      const { topic } = await peal.publish("tools");
      const settings: HookSettings = { name: "NAS", as: "slack", defaults: { tags: ["nas"] } };
      const first = await create(peal, { settings });
      const second = await create(peal, { topic: { key: topic.key } });
      expect(first).toMatchObject({ topic: { id: topic.id, name: "tools" }, namespace: "home", settings, requests: 0 });
      expect(await peal.store.hooks.find(peal.home.id, first.id)).toEqual(first);
      expect(await peal.store.hooks.find(peal.home.id, "none")).toBeUndefined();
      expect(await idBy(peal, urlOf(second))).toBe(second.id);
      expect(await idBy(peal, { gotify: second.gotifyHash })).toBe(second.id);
      expect(await idBy(peal, { url: second.gotifyHash })).toBeUndefined();
      const elsewhere = await create(peal, { topic: { name: "new" } });
      expect((await peal.store.hooks.list(peal.home.id)).map(({ id }) => id)).toEqual([
        first.id,
        second.id,
        elsewhere.id,
      ]);
      expect((await peal.store.hooks.list(peal.home.id, topic.id)).map(({ id }) => id)).toEqual([first.id, second.id]);
      const store = await peal.reopen();
      expect(await store.hooks.byToken(urlOf(first))).toEqual(first);
      expect(await store.hooks.exist()).toBeTrue();
    });

    test("is not made for an unknown topic, nor beyond a topic's limit", async () => {
      await using peal = await bench(open);
      expect(await peal.store.hooks.create(newHook(peal, { topic: { key: "none" } }))).toEqual({
        kind: "unknown_topic",
      });
      await Promise.all(range(1, HOOKS_PER_TOPIC).map(async () => create(peal)));
      expect(await peal.store.hooks.create(newHook(peal))).toEqual({ kind: "too_many_of_topic" });
      await create(peal, { topic: { name: "others" } });
    });

    test("is changed inside a transaction, but not after it was deleted", async () => {
      await using peal = await bench(open);
      const hook = await create(peal, { settings: { name: "NAS" } });
      const changed = await peal.store.hooks.change(peal.home.id, hook.id, (before) => ({ ...before, get: true }));
      expect(changed?.settings).toEqual({ name: "NAS", get: true });
      expect(await peal.store.hooks.find(peal.home.id, hook.id)).toMatchObject({
        settings: { name: "NAS", get: true },
      });
      await post(peal, hook);
      expect(await peal.store.hooks.remove(peal.home.id, hook.id)).toBeTrue();
      expect(await peal.store.hooks.remove(peal.home.id, hook.id)).toBeFalse();
      expect(await peal.store.hooks.change(peal.home.id, hook.id, (before) => before)).toBeUndefined();
      expect(await peal.store.hooks.requests(hook)).toEqual([]);
      expect(await idBy(peal, urlOf(hook))).toBeUndefined();
    });

    test("keeps its old tokens for the given time, and only those of the last rotation", async () => {
      await using peal = await bench(open);
      const hook = await create(peal);
      const until = peal.clock.now() + 1_000;
      const second = await peal.store.hooks.rotate(hook, { tokenHash: "u2", gotifyHash: "g2" }, until);
      expect(second).toMatchObject({ tokenHash: "u2", gotifyHash: "g2", oldTokenUntil: until });
      expect(await peal.store.hooks.rotate(hook, { tokenHash: "u3", gotifyHash: "g3" }, until)).toBeUndefined();
      for (const token of [urlOf(hook), { gotify: hook.gotifyHash }, { url: "u2" }, { gotify: "g2" }])
        expect(await idBy(peal, token)).toBe(hook.id);
      expect((await post(peal, hook)).kind).toBe("stored");
      peal.clock.advance(1_001);
      expect(await idBy(peal, urlOf(hook))).toBeUndefined();
      expect(await idBy(peal, { url: "u2" })).toBe(hook.id);
      expect((await post(peal, hook)).kind).toBe("unknown_hook");
      expect((await post(peal, hook, "{}", { gotify: "g2" })).kind).toBe("stored");
      expect((await peal.store.messages.page(hook.topic.id, { limit: 10 })).messages).toHaveLength(2);
      if (second !== undefined) await peal.store.hooks.rotate(second, { tokenHash: "u3", gotifyHash: "g3" }, until);
      expect(await idBy(peal, { url: "u2" })).toBeUndefined();
    });
  });

  describe("what a hook received", () => {
    test("is its last requests, newest first, each with its message; and when and from where it was used last", async () => {
      await using peal = await bench(open);
      const hook = await create(peal);
      const other = await create(peal);
      await post(peal, other, "other");
      for (const n of range(1, REQUESTS_KEPT + 3)) await post(peal, hook, `body ${n}`);
      const kept = range(4, REQUESTS_KEPT + 3).reverse();
      expect(await bodies(peal, hook)).toEqual(kept.map((n) => [n, n + 1, `body ${n}`]));
      expect(await bodies(peal, other)).toEqual([[1, 1, "other"]]);
      const now = peal.clock.now();
      const used = { requests: REQUESTS_KEPT + 3, lastUsedAt: now, lastUsedFrom: "192.0.2.7", lastSource: "hook" };
      expect(await peal.store.hooks.find(peal.home.id, hook.id)).toMatchObject(used);
      const of = await peal.store.hooks.requestsOf(hook.topic.id, [1, 2, 10, 99]);
      expect([...of].map(([id, { n, body }]) => [id, n, Buffer.from(body ?? []).toString()]).sort()).toEqual([
        [1, 1, "other"],
        [10, 9, "body 9"],
      ]);
      const { topic } = await peal.publish("elsewhere");
      expect((await peal.store.hooks.requestsOf(topic.id, [1])).size).toBe(0);
    });

    test("gets its message when a delayed one is sent, also for what was sent again", async () => {
      await using peal = await bench(open);
      const hook = await create(peal);
      const other = await create(peal);
      const deliverAt = peal.clock.now() + 1_000;
      const later = (idempotency: Publication["idempotency"]) => ({ deliverAt, ...(idempotency && { idempotency }) });
      const once = { key: "k", hash: "h" };
      const made = await post(peal, hook, "first", urlOf(hook), later(once));
      await post(peal, hook, "second", urlOf(hook), later(undefined));
      await post(peal, hook, "first again", urlOf(hook), later(once));
      await post(peal, other, "other", urlOf(other), later(undefined));
      await post(peal, hook, "now");
      if (made.kind !== "scheduled") throw new Error(made.kind);
      const [, again, second] = await peal.store.hooks.requests(hook);
      expect(again?.scheduled).toBe(made.scheduled.id);
      expect(again).not.toHaveProperty("messageId");
      await peal.store.scheduled.cancel(peal.home.id, second?.scheduled ?? "");
      peal.clock.advance(1_000);
      expect(await peal.store.scheduled.fire(deliverAt, 10)).toBe(2);
      expect(await bodies(peal, hook)).toEqual([
        [4, 1, "now"],
        [3, 2, "first again"],
        [2, undefined, "second"],
        [1, 2, "first"],
      ]);
      expect(await bodies(peal, other)).toEqual([[1, 3, "other"]]);
      const of = await peal.store.hooks.requestsOf(hook.topic.id, [2, 3]);
      expect([...of.keys()].sort()).toEqual([2, 3]);
    });

    test("is deleted on request, and not kept by a hook that keeps nothing", async () => {
      await using peal = await bench(open);
      const hook = await create(peal);
      await post(peal, hook);
      await peal.store.hooks.forget(hook);
      expect(await bodies(peal, hook)).toEqual([]);
      await post(peal, hook, "again");
      expect(await bodies(peal, hook)).toEqual([[2, 2, "again"]]);
      await peal.store.hooks.change(peal.home.id, hook.id, () => ({ isForgetful: true }));
      expect(await bodies(peal, hook)).toEqual([]);
      await post(peal, hook, "unseen");
      expect(await bodies(peal, hook)).toEqual([]);
      expect(await peal.store.hooks.find(peal.home.id, hook.id)).toMatchObject({ requests: 3 });
    });
  });
};
