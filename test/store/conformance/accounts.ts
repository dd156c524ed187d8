/** People and their sessions. */
import { describe, expect, test } from "bun:test";
import { MOST_SESSIONS, SESSION_IDLE_MS } from "../../../src/store/accounts.ts";
import type { Store } from "../../../src/store/store.ts";
import { bench, range, type OpenEngine } from "./engine.ts";

const RETENTION = { days: 0, messages: 0 };
const FROM = { address: "192.0.2.7", agent: "curl/8" };

async function made(store: Store, name: string, isAdmin = false, passwordHash = "hash") {
  const person = await store.accounts.create({ name, isAdmin, passwordHash });
  if (person === "name_taken") throw new Error(`${name} is taken`);
  return person;
}
async function opened(store: Store, personId: string, hash: string) {
  const session = await store.accounts.open({ personId, hash, ...FROM });
  if (session === undefined) throw new Error("nobody");
  return session;
}

export const accounts = (open: OpenEngine) => {
  describe("people", () => {
    test("are found and sorted by name, ignoring case", async () => {
      await using peal = await bench(open);
      const { accounts } = peal.store;
      const mara = await made(peal.store, "Mara", true);
      const jonas = await accounts.create({ name: "jonas", isAdmin: false, namespaces: [peal.home.id] });
      expect(jonas).toMatchObject({ name: "jonas", namespaces: [peal.home.id], hasPassword: false });
      expect(await accounts.create({ name: "mARA", isAdmin: false })).toBe("name_taken");
      expect(await accounts.byName("MARA")).toEqual({ person: mara, passwordHash: "hash" });
      const store = await peal.reopen();
      expect((await store.accounts.people()).map(({ name }) => name)).toEqual(["jonas", "Mara"]);
      expect(await store.accounts.person(mara.id)).toEqual(mara);
      expect([store.setup.state().claimed, await store.accounts.person("nobody")]).toEqual([true, undefined]);
    });

    test("are changed one at a time, and a name stays unique", async () => {
      await using peal = await bench(open);
      const { accounts } = peal.store;
      const mara = await made(peal.store, "Mara");
      await made(peal.store, "jonas");
      expect(await accounts.change(mara.id, { name: "JONAS" })).toBe("name_taken");
      expect(await accounts.change(mara.id, { name: "MARA", namespaces: [peal.home.id] })).toMatchObject({
        name: "MARA",
        namespaces: [peal.home.id],
      });
      expect(peal.store.setup.state().claimed).toBe(false);
      expect(await accounts.change(mara.id, { isAdmin: true })).toMatchObject({
        isAdmin: true,
        namespaces: [peal.home.id],
      });
      expect(peal.store.setup.state().claimed).toBe(true);
      const all = await accounts.change(mara.id, { namespaces: "all" });
      expect(all).not.toHaveProperty("namespaces");
      expect(await accounts.change("nobody", { name: "x" })).toBeUndefined();
    });

    test("always include an admin", async () => {
      await using peal = await bench(open);
      const { accounts } = peal.store;
      const people = await Promise.all(range(1, 5).map(async (n) => made(peal.store, `admin ${n}`, true)));
      const outcomes = await Promise.all(
        people.map(async ({ id }, n) => (n % 2 === 0 ? accounts.remove(id) : accounts.change(id, { isAdmin: false }))),
      );
      expect(outcomes.filter((outcome) => outcome === "last_admin")).toHaveLength(1);
      expect((await accounts.people()).filter(({ isAdmin }) => isAdmin)).toHaveLength(1);
      expect(await accounts.remove("nobody")).toBe(false);
    });
  });

  describe("sessions", () => {
    test("belong to a person, the latest first, and not to one who was deleted or has another password", async () => {
      await using peal = await bench(open);
      const { clock } = peal;
      const { accounts } = peal.store;
      const mara = await made(peal.store, "Mara");
      const first = await opened(peal.store, mara.id, "one");
      clock.advance(5);
      const second = await opened(peal.store, mara.id, "two");
      expect(await accounts.bySession("one")).toEqual({ session: first, person: { ...mara, lastSeenAt: clock.now() } });
      expect([await accounts.bySession("three"), await accounts.sessions("nobody")]).toEqual([undefined, []]);
      expect((await accounts.sessions(mara.id)).map(({ id }) => id)).toEqual([second.id, first.id]);
      expect(await accounts.open({ personId: "nobody", hash: "x", ...FROM })).toBeUndefined();
      expect(await accounts.open({ personId: mara.id, hash: "x", passwordHash: "old", ...FROM })).toBeUndefined();
      clock.advance(5);
      await accounts.touch(first.id, { address: "192.0.2.8", agent: "wget" });
      const [touched] = await accounts.sessions(mara.id);
      expect(touched).toEqual({ ...first, seenAt: clock.now(), address: "192.0.2.8", agent: "wget" });
      expect([await accounts.confirm(first.id), await accounts.confirm("nobody")]).toEqual([true, false]);
      expect((await accounts.bySession("one"))?.session.confirmedAt).toBe(clock.now());
    });

    test("are limited per person: the least recently used one is removed", async () => {
      await using peal = await bench(open);
      const { clock } = peal;
      const mara = await made(peal.store, "Mara");
      for (const n of range(1, MOST_SESSIONS)) {
        await opened(peal.store, mara.id, `${n}`);
        clock.advance(1);
      }
      const found = await peal.store.accounts.bySession("1");
      await peal.store.accounts.touch(found?.session.id ?? "", FROM);
      await opened(peal.store, mara.id, "last");
      expect(await peal.store.accounts.sessions(mara.id)).toHaveLength(MOST_SESSIONS);
      const left = await Promise.all(["1", "2", "3"].map(async (hash) => peal.store.accounts.bySession(hash)));
      expect(left.map((one) => one !== undefined)).toEqual([true, false, true]);
    });

    test("end singly, all but one, with a new password and with the person; each end is announced", async () => {
      await using peal = await bench(open);
      const { accounts } = peal.store;
      const { heard } = peal;
      const [mara, jonas] = [await made(peal.store, "Mara", true), await made(peal.store, "jonas")];
      const [one, two, three] = await Promise.all(
        ["1", "2", "3"].map(async (hash) => opened(peal.store, mara.id, hash)),
      );
      await opened(peal.store, jonas.id, "j");
      const live = async () =>
        (
          await Promise.all(
            ["1", "2", "3", "new", "j"].map(async (hash) => ((await accounts.bySession(hash)) ? hash : "")),
          )
        ).join("");
      const told = (personId: string) => {
        expect(heard.splice(0)).toEqual([{ kind: "person", personId }]);
      };
      expect(await accounts.close(jonas.id, one?.id ?? "")).toBe(false);
      expect([heard, await live()]).toEqual([[], "123j"]);
      expect(await accounts.close(mara.id, one?.id ?? "")).toBe(true);
      expect(await live()).toBe("23j");
      told(mara.id);
      expect(await accounts.setPassword(mara.id, "new hash", { sessionId: two?.id ?? "", hash: "new" })).toBe(true);
      expect([await live(), (await accounts.byName("mara"))?.passwordHash]).toEqual(["newj", "new hash"]);
      told(mara.id);
      await opened(peal.store, mara.id, "1");
      expect(await accounts.closeAll(mara.id, two?.id)).toBe(1);
      expect([await live(), three?.personId]).toEqual(["newj", mara.id]);
      told(mara.id);
      expect([await accounts.setPassword("nobody", "x"), await accounts.closeAll("nobody")]).toEqual([false, 0]);
      expect(await accounts.remove(jonas.id)).toBe(true);
      told(jonas.id);
      expect(await accounts.setPassword(mara.id, undefined)).toBe(true);
      expect([await live(), (await accounts.byName("mara"))?.person.hasPassword]).toEqual(["", false]);
    });

    test("that have ended set no password, and end no others", async () => {
      await using peal = await bench(open);
      const { accounts } = peal.store;
      const [mara, jonas] = [await made(peal.store, "Mara", true), await made(peal.store, "jonas")];
      const ended = await opened(peal.store, mara.id, "ended");
      await accounts.close(mara.id, ended.id);
      expect(await accounts.setPassword(mara.id, "first hash")).toBe(true);
      await opened(peal.store, mara.id, "kept");
      const others = await opened(peal.store, jonas.id, "j");
      for (const { id } of [ended, others])
        expect(await accounts.setPassword(mara.id, "second hash", { sessionId: id, hash: "new" })).toBe(false);
      expect((await accounts.byName("mara"))?.passwordHash).toBe("first hash");
      expect((await accounts.bySession("kept"))?.person.id).toBe(mara.id);
      expect((await accounts.bySession("j"))?.person.id).toBe(jonas.id);
    });

    test("expire after 30 days without use, and are removed by the sweep", async () => {
      await using peal = await bench(open);
      const { clock } = peal;
      const { accounts } = peal.store;
      const mara = await made(peal.store, "Mara");
      const [old] = await Promise.all([opened(peal.store, mara.id, "old")]);
      clock.advance(SESSION_IDLE_MS - 1);
      await opened(peal.store, mara.id, "new");
      expect((await accounts.bySession("old"))?.session.id).toBe(old.id);
      clock.advance(1);
      expect([await accounts.bySession("old"), (await accounts.sessions(mara.id)).length]).toEqual([undefined, 1]);
      clock.advance(1);
      expect(await peal.store.sweep(RETENTION, 1_000)).toBe(false);
      // deleted, and not only hidden
      clock.jump(-SESSION_IDLE_MS);
      const left = await Promise.all(["old", "new"].map(async (hash) => accounts.bySession(hash)));
      expect(left.map((one) => one !== undefined)).toEqual([false, true]);
    });
  });
};
