/** Devices and deliveries in SQLite: what the file contains, and how much is done at once. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { migrate } from "../../src/store/sqlite/migrate.ts";
import { migrations } from "../../src/store/sqlite/migrations.ts";
import { draft, range, type OpenEngine } from "./conformance/engine.ts";
import { plan, refOf, subscribers, type Subscribers } from "./conformance/subscribing.ts";
import { folder, openIn, type Folder } from "./sqlite.ts";

const openAt =
  (dir: Folder): OpenEngine =>
  async (options) => {
    let store = await openIn(dir.path, options);
    return {
      store,
      reopen: async () => {
        await store.close();
        store = await openIn(dir.path, options);
        return store;
      },
      [Symbol.asyncDispose]: async () => store.close(),
    };
  };

const devicesOf = async (peal: Subscribers, count: number, name = "alerts") => {
  const topic = await peal.topic(name);
  for (const n of range(1, count)) await peal.device(`${n}`, [topic]);
  return topic;
};

/** How many rows each of these tables has. */
const rowsOf = (dir: Folder, ...tables: string[]): number[] => {
  using db = new Database(`${dir.path}/peal.db`, { readonly: true });
  return tables.map((table) => Number(db.prepare(`SELECT count(*) FROM ${table}`).values()[0]?.[0]));
};

const commitsDuring = async (peal: Subscribers, work: () => Promise<unknown>): Promise<number> => {
  let commits = 0;
  peal.store.onCommit(() => commits++);
  await work();
  return commits;
};

test("a fan-out that starts again makes nothing twice", async () => {
  using dir = folder();
  await using peal = await subscribers(openAt(dir));
  await devicesOf(peal, 5);
  const { message } = await peal.publish("alerts");
  expect(await peal.store.deliveries.expand(plan, 3)).toMatchObject({ made: 3, hasMore: true });
  using db = new Database(`${dir.path}/peal.db`);
  db.run("UPDATE fanout SET cursor = 0");
  expect(await peal.store.deliveries.expand(plan, 9)).toMatchObject({ made: 2, hasMore: false });
  const { deliveries, counts } = await peal.store.deliveries.ofMessage(message.seq, { limit: 9 });
  expect([deliveries.length, counts.pending]).toEqual([5, 5]);
});

test("the record of a fan-out is deleted with the last delivery", async () => {
  using dir = folder();
  await using peal = await subscribers(openAt(dir));
  await devicesOf(peal, 4);
  await peal.publish("alerts");
  const seen = [];
  for (let hasMore = true; hasMore;) {
    hasMore = (await peal.store.deliveries.expand(plan, 3)).hasMore;
    seen.push(rowsOf(dir, "delivery", "fanout"));
  }
  expect(seen).toEqual([[3, 1], [4, 0]]); // prettier-ignore
});

test("after the sweep a deleted topic leaves no subscription, fan-out, count or acknowledgement", async () => {
  using dir = folder();
  await using peal = await subscribers(openAt(dir));
  const topic = await devicesOf(peal, 3);
  const { message } = await peal.publish("alerts");
  await peal.expand();
  await peal.store.deliveries.acknowledge(topic.id, message);
  await peal.publish("alerts");
  const tables = ["subscription", "fanout", "delivery_count", "acknowledgement"];
  expect(rowsOf(dir, ...tables)).toEqual([3, 1, 1, 1]);
  await peal.store.topics.remove(topic.id);
  expect(await peal.store.sweep({ days: 0, messages: 0 }, 1_000)).toBe(false);
  expect(rowsOf(dir, ...tables, "topic", "device")).toEqual([0, 0, 0, 0, 0, 3]);
});

test("work on many rows is split into many commits", async () => {
  using dir = folder();
  await using peal = await subscribers(openAt(dir));
  const topic = await devicesOf(peal, 250);
  const { message } = await peal.publish("alerts");
  await peal.expand();
  expect(await commitsDuring(peal, async () => peal.store.deliveries.acknowledge(topic.id, message))).toBe(3);
  expect(await commitsDuring(peal, async () => peal.store.topics.rotate(topic.id))).toBe(3);

  const other = await peal.topic("other");
  const [one] = await Promise.all([peal.device("1", [other]), peal.fill("other", 1)]);
  await peal.fill("other", 250);
  await peal.expand();
  expect(await commitsDuring(peal, async () => peal.store.devices.remove(one.device.id))).toBe(3);
});

test("after a crash, what waits for a lost device or of an acknowledged message is not sent", async () => {
  using dir = folder();
  await using peal = await subscribers(openAt(dir));
  const { device } = await peal.device("t", [await peal.topic()]);
  const { message } = await peal.publish("alerts", { message: "acknowledged" });
  await peal.publish("alerts", { message: "other" });
  await peal.expand();
  using db = new Database(`${dir.path}/peal.db`);
  db.run("INSERT INTO acknowledgement (row, at) VALUES (?, 1)", [message.seq]);
  expect(await peal.texts(device)).toEqual(["other", "none"]);
  db.run("UPDATE device SET lost_at = 1, lost_reason = 'first'");
  await peal.settle(device, { kind: "failed", status: 410, reason: "gone" }, { lost: "second" });
  expect((await peal.read(device)).device.lost).toEqual({ at: 1, reason: "first" });
  expect(await peal.waiting(device)).toEqual([]);
});

test("looking at an empty outbox writes nothing", async () => {
  using dir = folder();
  await using peal = await subscribers(openAt(dir));
  expect(await commitsDuring(peal, async () => peal.store.deliveries.expand(plan, 500))).toBe(0);
});

test("a database from before there were devices accepts subscribers to its topics", async () => {
  using dir = folder();
  using old = new Database(`${dir.path}/peal.db`);
  migrate({ db: old, dataDir: dir.path, migrations: migrations.slice(0, 3), version: "0.0.1" });
  old.run("INSERT INTO namespace (row, name, created_at, topics) VALUES (1, 'home', 0, 1)");
  old.run("INSERT INTO topic (row, namespace_id, key, name, created_at) VALUES (1, 1, 'old-1', 'old', 0)");
  old.close();
  const store = await openIn(dir.path);
  const topic = await store.topics.byKey("home", "old-1");
  if (topic === undefined) throw new Error("the topic is gone");
  const spec = { platform: "ios", token: "t", base: "https://peal.example", topics: [refOf(topic)] } as const;
  expect(await store.devices.register(spec)).toMatchObject({ kind: "made" });
  await store.messages.publish({ namespaceId: topic.namespaceId, to: { name: "old" }, draft: draft() });
  expect((await store.deliveries.expand(plan, 9)).made).toBe(1);
  await store.close();
});

test("a failure from before days were counted is not subtracted from a day when it is sent again", async () => {
  using dir = folder();
  await using peal = await subscribers(openAt(dir));
  const [topic] = [await devicesOf(peal, 2)];
  const { message } = await peal.publish(topic.name);
  await peal.expand();
  const devices = await peal.store.devices.ofTopic(topic.id, { limit: 2 });
  for (const device of devices) await peal.settle(device, { kind: "failed", status: 400, reason: "BadTopic" });
  {
    using db = new Database(`${dir.path}/peal.db`);
    db.run("UPDATE delivery_day SET failed = 1");
  }
  expect(await peal.store.deliveries.retry(message.seq, plan)).toEqual({ retried: 2, left: 0 });
  const [day] = (await peal.store.deliveries.days(0)).values();
  expect(day?.failed).toBe(0);
});
