/** Namespaces, API keys and the first run. */
import { describe, expect, test } from "bun:test";
import { isApiKey } from "../../../src/names/key.ts";
import { apiKeySecret, sha256 } from "../../../src/util/ids.ts";
import type { NewKey } from "../../../src/store/keys.ts";
import type { Store } from "../../../src/store/store.ts";
import { bench, range, type OpenEngine } from "./engine.ts";

const OWNER = { name: "Mara", passwordHash: "$argon2id$" };

const created = async ({ keys }: Store, spec: NewKey) => {
  const made = await keys.create(spec);
  if (made === "gone") throw new Error(made);
  return made;
};

export const keys = (open: OpenEngine) => {
  describe("namespaces", () => {
    test("are made once and listed", async () => {
      await using peal = await bench(open);
      expect(await peal.store.namespaces.create("home")).toBe("name_taken");
      const other = await peal.store.namespaces.create("other");
      expect(other).toMatchObject({ name: "other", createdAt: peal.clock.now() });
      expect((await peal.store.namespaces.list()).map(({ name }) => name)).toEqual(["home", "other"]);
      const store = await peal.reopen();
      expect(await store.namespaces.byName("other")).toEqual(other as Exclude<typeof other, string>);
      expect(await store.namespaces.byName("none")).toBeUndefined();
    });
  });

  describe("a key", () => {
    test("is shown once, kept as its hash, and found by it, after a restart too", async () => {
      await using peal = await bench(open);
      const expiresAt = peal.clock.now() - 1;
      const spec = { namespaceId: peal.home.id, scope: "publish", name: "nas", expiresAt } as const;
      const { key, secret } = await created(peal.store, spec);
      expect(isApiKey(secret)).toBe(true);
      expect(key).toEqual({
        ...spec,
        namespace: "home",
        ...{ row: key.row, id: key.id },
        hash: sha256(secret),
        prefix: secret.slice(0, 12),
        createdAt: peal.clock.now(),
      });
      expect(peal.store.keys.find(sha256(secret))).toEqual(key);
      expect(peal.store.keys.find(sha256("svc_"))).toBeUndefined();
      const store = await peal.reopen();
      expect(store.keys.find(sha256(secret))).toEqual(key);
      expect(store.setup.state()).toEqual({ claimed: false, keys: true });
    });

    test("is listed and revoked in its own namespace only, and deleted before the revocation is announced", async () => {
      await using peal = await bench(open);
      const other = await peal.store.namespaces.create("other");
      if (other === "name_taken") throw new Error(other);
      const { key, secret } = await created(peal.store, { namespaceId: peal.home.id, scope: "full" });
      expect(await peal.store.keys.list(peal.home.id)).toEqual([key]);
      expect(await peal.store.keys.list(other.id)).toEqual([]);
      expect(await peal.store.keys.revoke(other.id, key.id)).toBe(false);
      let foundWhenTold: unknown = "not told";
      peal.store.onCommitted((events) => {
        if (events.some((event) => event.kind === "revoked" && event.keyId === key.id))
          foundWhenTold = peal.store.keys.find(sha256(secret));
      });
      expect(await peal.store.keys.revoke(peal.home.id, key.id)).toBe(true);
      expect(foundWhenTold).toBeUndefined();
      expect(peal.store.keys.find(sha256(secret))).toBeUndefined();
      expect(await peal.store.keys.revoke(peal.home.id, key.id)).toBe(false);
      expect((await peal.reopen()).keys.find(sha256(secret))).toBeUndefined();
    });

    test("is not made in a namespace that was deleted, not even in the same commit", async () => {
      await using peal = await bench(open);
      const { store, home } = peal;
      const spec = { namespaceId: home.id, scope: "full" } as const;
      const [isRemoved, made] = await Promise.all([store.namespaces.remove(home.id), store.keys.create(spec)]);
      expect([isRemoved, made, await store.keys.create(spec)]).toEqual([true, "gone", "gone"]);
      expect(store.setup.state().keys).toBe(false);
      expect(await store.sweep({ days: 0, messages: 0 }, 1_000)).toBe(false);
      expect(await store.keys.create(spec)).toBe("gone");
    });

    test("records when and from where it was last used; that does not restore a revoked one", async () => {
      await using peal = await bench(open);
      const { key } = await created(peal.store, { namespaceId: peal.home.id, scope: "full" });
      const gone = await created(peal.store, { namespaceId: peal.home.id, scope: "full" });
      await peal.store.keys.revoke(peal.home.id, gone.key.id);
      await peal.store.keys.touch([
        { id: gone.key.id, at: 5, from: "10.0.0.5" },
        { id: key.id, at: 7, from: "10.0.0.7" },
      ]);
      expect(await peal.store.keys.list(peal.home.id)).toEqual([{ ...key, lastUsedAt: 7, lastUsedFrom: "10.0.0.7" }]);
      expect(await (await peal.reopen()).keys.list(peal.home.id)).toEqual([
        { ...key, lastUsedAt: 7, lastUsedFrom: "10.0.0.7" },
      ]);
    });

    test("that the operator sets is one key however often it is set, with its namespace", async () => {
      await using peal = await bench(open);
      const secret = apiKeySecret();
      const key = await peal.store.keys.ensureAdmin("ops", secret);
      if (key === "revoked") throw new Error(key);
      expect(key).toMatchObject({ scope: "admin", namespace: "ops", name: "first key", hash: sha256(secret) });
      const store = await peal.reopen();
      expect(await store.keys.ensureAdmin("ops", secret)).toEqual(key);
      const ops = await store.namespaces.byName("ops");
      expect(ops && (await store.keys.list(ops.id))).toEqual([key]);
      expect(await store.keys.ensureAdmin("ops", apiKeySecret())).not.toHaveProperty("name");
    });

    test("that the operator set and someone revoked is not made again, whichever key came after it", async () => {
      await using peal = await bench(open);
      const [first, second] = [apiKeySecret(), apiKeySecret()];
      for (const secret of [first, second]) {
        const key = await peal.store.keys.ensureAdmin("home", secret);
        if (key === "revoked") throw new Error(key);
        await peal.store.keys.revoke(peal.home.id, key.id);
      }
      const store = await peal.reopen();
      expect(await Promise.all([first, second].map(async (key) => store.keys.ensureAdmin("home", key)))).toEqual([
        "revoked",
        "revoked",
      ]);
      expect(store.setup.state().keys).toBe(false);
    });
  });

  describe("the first run", () => {
    test("is claimed by only one of many, with the newest code only", async () => {
      await using peal = await bench(open);
      await peal.store.setup.offer(sha256("old"));
      await peal.store.setup.offer(sha256("new"));
      expect(await peal.store.setup.claim(sha256("old"), OWNER)).toBe("wrong_code");
      expect(peal.store.setup.state()).toEqual({ claimed: false, keys: false });
      const claims = await Promise.all(range(1, 10).map(async () => peal.store.setup.claim(sha256("new"), OWNER)));
      expect(claims.slice(1)).toEqual(range(2, 10).map(() => "claimed" as const));
      const [first] = claims;
      if (first === undefined || typeof first === "string") throw new Error("nobody claimed");
      expect(first.topic).toMatchObject({ namespace: "home", name: "hello" });
      expect(await peal.store.accounts.people()).toEqual([first.person]);
      expect(first.person).toMatchObject({ name: "Mara", isAdmin: true, hasPassword: true });
      expect(first.key).toMatchObject({ namespace: "home", scope: "publish", name: "first key" });
      expect(peal.store.keys.find(sha256(first.secret))).toEqual(first.key);
      const store = await peal.reopen();
      expect(store.setup.state()).toEqual({ claimed: true, keys: true });
      await store.setup.offer(sha256("late"));
      expect(await store.setup.claim(sha256("late"), OWNER)).toBe("claimed");
      expect(await store.keys.list(peal.home.id)).toEqual([first.key]);
    });

    test("uses the existing namespace and topic", async () => {
      await using peal = await bench(open);
      const { topic } = await peal.publish("hello");
      await peal.store.setup.offer(sha256("code"));
      const claim = await peal.store.setup.claim(sha256("code"), OWNER);
      if (typeof claim === "string") throw new Error(claim);
      expect([claim.topic.id, claim.key.namespaceId]).toEqual([topic.id, peal.home.id]);
    });

    test("reads the first topic without making it again, and makes it again on request", async () => {
      await using peal = await bench(open);
      const { setup, topics } = peal.store;
      expect(await setup.first()).toBeUndefined();
      const made = await setup.ensureFirst();
      expect(made).toMatchObject({ namespace: "home", name: "hello" });
      expect([await setup.first(), await setup.ensureFirst()]).toEqual([made, made]);
      await topics.remove(made.id);
      expect(await setup.first()).toBeUndefined();
      expect((await setup.ensureFirst()).id).not.toBe(made.id);
      await peal.store.namespaces.remove(peal.home.id);
      expect(await setup.first()).toBeUndefined();
      expect((await setup.ensureFirst()).namespaceId).not.toBe(peal.home.id);
    });

    test("a code that was withdrawn is wrong, until the next is offered", async () => {
      await using peal = await bench(open);
      await peal.store.setup.offer(sha256("code"));
      await peal.store.setup.withdraw();
      expect(await peal.store.setup.claim(sha256("code"), OWNER)).toBe("wrong_code");
      await peal.store.setup.offer(sha256("code"));
      expect(await peal.store.setup.claim(sha256("code"), OWNER)).not.toBe("wrong_code");
    });

    test("when no code was offered, none is right", async () => {
      await using peal = await bench(open);
      expect(await peal.store.setup.claim(sha256(""), OWNER)).toBe("wrong_code");
    });
  });
};
