/** A full disk under the store: what is refused is not stored, what is answered is stored, reads still work, and it recovers. */
import { expect } from "bun:test";
import { rmSync, statfsSync, writeFileSync } from "node:fs";
import type { Told } from "../../src/checks/check.ts";
import { StoreUnavailable } from "../../src/store/store.ts";
import { testWith } from "../support/tools.ts";
import { draft, ids, range, topicNamed } from "./conformance/engine.ts";
import { subscribers } from "./conformance/subscribing.ts";
import { recorded, standing, turn, watch } from "./conformance/watching.ts";
import { folder, openIn, type Folder } from "./sqlite.ts";

const DISK = "3m";
const LEFT_BYTES = 400_000;
const WRITERS = 16;

function smallDisk(): Folder {
  const dir = folder();
  const { success, stderr } = Bun.spawnSync(["mount", "-t", "tmpfs", "-o", `size=${DISK}`, "tmpfs", dir.path]);
  if (!success) throw new Error(stderr.toString());
  return {
    path: dir.path,
    [Symbol.dispose]: () => {
      Bun.spawnSync(["umount", "--lazy", dir.path]);
      dir[Symbol.dispose]();
    },
  };
}

testWith("mount")("on a full disk what was refused is not stored and what was answered is", async () => {
  using disk = smallDisk();
  let store = await openIn(disk.path);
  const home = await store.namespaces.create("home");
  if (home === "name_taken") throw new Error(home);
  const heard: number[] = [];
  const hear = () => {
    store.onCommitted((events) => {
      for (const event of events) if (event.kind === "message") heard.push(event.message.id);
    });
  };
  hear();
  const answered: number[] = [];
  let refused = 0;
  const publish = async (text: string) => {
    const publication = { namespaceId: home.id, to: { name: "full" }, draft: draft({ message: text }) };
    try {
      const published = await store.messages.publish(publication);
      if (published.kind === "stored") answered.push(published.message.id);
    } catch (error) {
      expect(error).toBeInstanceOf(StoreUnavailable);
      refused++;
    }
  };
  const { bavail, bsize } = statfsSync(disk.path);
  writeFileSync(`${disk.path}/ballast`, new Uint8Array(bavail * bsize - LEFT_BYTES));
  await Promise.all(
    range(1, WRITERS).map(async () => {
      while (refused < 5 * WRITERS) await publish("x".repeat(5_000));
    }),
  );
  const topic = await topicNamed(store, home, "full");
  if (topic === undefined) throw new Error("no topic");
  const stored = async () => {
    const found: number[] = [];
    for (;;) {
      const page = await store.messages.page(topic.id, { since: found.at(-1) ?? 0, limit: 200 });
      found.push(...ids(page.messages));
      if (!page.hasMore) return found;
    }
  };
  expect(answered.length).toBeGreaterThan(0);
  expect(await stored()).toEqual(range(1, answered.length));
  expect(answered).toEqual(heard);

  rmSync(`${disk.path}/ballast`);
  await publish("there is room again");
  expect(await stored()).toEqual(range(1, answered.length));
  await store.close();
  store = await openIn(disk.path);
  expect(await stored()).toEqual(answered);
  await store.close();
});

testWith("mount")(
  "on a full disk a check, its log, its incident and its alert are stored together or not at all",
  async () => {
    using disk = smallDisk();
    let store = await openIn(disk.path);
    const home = await store.namespaces.create("home");
    if (home === "name_taken") throw new Error(home);
    const now = 50;
    const spec = { namespaceId: home.id, topic: { name: "checks" }, badgeToken: "" };
    const make = async (name: string, deadlineAt: number) =>
      store.checks.create({
        ...{ ...spec, id: name, tokenHash: name, badgeToken: name },
        ...{ standing: standing({ deadlineAt }, name), dueAt: deadlineAt },
      });
    for (const name of ["pinged", "due"]) await make(name, name === "due" ? 10 : now + 1);
    const { bavail, bsize } = statfsSync(disk.path);
    writeFileSync(`${disk.path}/ballast`, new Uint8Array(bavail * bsize - LEFT_BYTES));

    const body = { head: new Uint8Array(2_048), tail: new Uint8Array(8_192), totalBytes: 10_240 };
    const source = { method: "POST", address: "192.0.2.7", body };
    let turns = 0;
    let refused = 0;
    const unlessFull = async (write: () => Promise<unknown>) =>
      write().then(
        () => true,
        (error: unknown) => {
          expect(error).toBeInstanceOf(StoreUnavailable);
          refused++;
          return false;
        },
      );
    while (refused < WRITERS) {
      if (await unlessFull(async () => store.checks.apply({ token: "pinged" }, turn(now), source))) turns++;
    }
    // what is due while the disk is full is not postponed: it is decided when there is space again
    while (
      await unlessFull(async () => store.checks.apply({ token: "pinged" }, recorded({ kind: "ok", at: 1 }), source))
    );
    expect(await unlessFull(async () => store.checks.tick(now, turn(now), { limit: 9, budgetMs: 9 }))).toBe(false);
    expect(await store.checks.nextAt()).toBe(10);

    const look = async () => {
      const check = await store.checks.find({ token: "pinged" });
      if (check === undefined) throw new Error("the check is gone");
      const incidents = await store.checks.incidents(check, { limit: 1_000 });
      const messages = incidents.flatMap(({ downMessage, upMessage }) => [downMessage, upMessage]);
      const page = await store.messages.pageNamespace(home.id, 0, 10_000);
      expect(check.standing.incidents).toBe(Math.ceil(turns / 2));
      expect(messages.filter((seq) => seq !== undefined).toSorted((a, b) => a - b)).toEqual(page.map(({ message }) => message.seq)); // prettier-ignore
      expect(page).toHaveLength(turns);
      expect((await store.checks.events(check, { limit: 1 }))[0]?.n).toBe(check.standing.events);
    };
    expect(turns).toBeGreaterThan(0);
    await look();
    rmSync(`${disk.path}/ballast`);
    expect(await store.checks.tick(now, turn(now), { limit: 9, budgetMs: 9 })).toMatchObject({ looked: 1, failed: [] });
    turns++;
    await store.close();
    store = await openIn(disk.path);
    expect(await store.checks.find({ token: "due" })).toMatchObject({ standing: { state: "down" } });
    await store.close();
  },
);

testWith("mount")("a tick that fills the disk half way stores nothing and puts nothing off", async () => {
  using disk = smallDisk();
  await using peal = await watch(async (options) => {
    const store = await openIn(disk.path, options);
    return { store, reopen: async () => openIn(disk.path, options), [Symbol.asyncDispose]: async () => store.close() };
  });
  const { checks, messages } = peal.store;
  const due = await Promise.all(
    range(1, 60).map(async (n) => peal.check(`c${n}`, { standing: standing({ deadlineAt: 10 }, `c${n}`) })),
  );
  const { bavail, bsize } = statfsSync(disk.path);
  writeFileSync(`${disk.path}/ballast`, new Uint8Array(bavail * bsize - LEFT_BYTES));
  // more than SQLite keeps in memory, so that a statement fails and not the COMMIT
  const compose = (told: readonly Told[]) =>
    told.map((one) => ({ draft: draft({ message: "x".repeat(64_000) }), told: [one] }));
  const limits = { limit: 200, budgetMs: 1_000 };
  const error: unknown = await checks.tick(50, turn(50, { compose }), limits).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(StoreUnavailable);
  expect(await Promise.all(due.map(async (check) => peal.read(check)))).toEqual(due);
  expect(await messages.pageNamespace(peal.home.id, 0, 100)).toEqual([]);
  rmSync(`${disk.path}/ballast`);
  expect(await checks.tick(50, turn(50), limits)).toMatchObject({ looked: 60, failed: [] });
});

testWith("mount")(
  "on a full disk a message and the note of its fan-out are stored together or not at all",
  async () => {
    using disk = smallDisk();
    await using peal = await subscribers(async (options) => {
      const store = await openIn(disk.path, options);
      return {
        store,
        reopen: async () => openIn(disk.path, options),
        [Symbol.asyncDispose]: async () => store.close(),
      };
    });
    const topic = await peal.topic();
    const devices = [];
    for (const n of range(1, 20)) devices.push((await peal.device(`${n}`, [topic])).device);
    const { bavail, bsize } = statfsSync(disk.path);
    writeFileSync(`${disk.path}/ballast`, new Uint8Array(bavail * bsize - LEFT_BYTES));
    const stored: number[] = [];
    let refused = 0;
    const unlessFull = async (write: () => Promise<number>) =>
      write().then(
        (seq) => stored.push(seq),
        (error: unknown) => {
          expect(error).toBeInstanceOf(StoreUnavailable);
          refused++;
        },
      );
    const publish = async () => (await peal.publish("alerts", { message: "x".repeat(5_000) })).message.seq;
    while (refused < WRITERS) await unlessFull(publish);
    expect(stored.length).toBeGreaterThan(0);
    // the remaining space may be enough for some of the deliveries, but never for part of a slice
    const error: unknown = await peal.expand().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(StoreUnavailable);

    rmSync(`${disk.path}/ballast`);
    await peal.expand();
    for (const seq of stored) {
      const { deliveries, counts } = await peal.store.deliveries.ofMessage(seq, { limit: 100 });
      expect(deliveries.map(({ device }) => device?.id)).toEqual(devices.map(({ id }) => id));
      expect(counts.pending).toBe(devices.length);
    }
    const [first] = devices;
    const waiting = first === undefined ? [] : (await peal.waiting(first)).map(({ message }) => message?.seq);
    expect(waiting.length).toBeGreaterThan(20); // as much text as one read returns
    expect(waiting).toEqual(stored.slice(0, waiting.length).toReversed()); // the oldest
  },
);
