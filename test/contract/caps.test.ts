/** Upper limits (API.md §7): the data directory is filled through the store, then the binary is asked. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import {
  DEVICES_IN_ALL,
  DEVICES_PER_NAMESPACE,
  DEVICES_PER_TOPIC,
  IDLE_DEVICES,
  TOPICS_PER_DEVICE,
} from "../../src/devices/device.ts";
import { SCHEDULED_PER_NAMESPACE } from "../../src/messages/schema.ts";
import type { Store } from "../../src/store/store.ts";
import type { NamespaceId } from "../../src/keys/namespace.ts";
import { TOPICS_PER_NAMESPACE } from "../../src/topics/topic.ts";
import { answer, type TestTopic } from "../support/client.ts";
import { apnsToken, deviceOf, register, send } from "../support/devices.ts";
import { startPeal, type Peal } from "../support/server.ts";
import { folder, openIn } from "../store/sqlite.ts";

/** A server whose namespace `home` contains what `fill` made in it. */
async function filled(dataDir: string, fill: (store: Store, home: NamespaceId) => Promise<unknown>) {
  const store = await openIn(dataDir);
  const home = await store.namespaces.create("home");
  if (home === "name_taken") throw new Error("the directory was not empty");
  await fill(store, home.id);
  await store.close();
  return startPeal({ dataDir });
}

test("a namespace has at most ten thousand topics, and keeps working with those", async () => {
  using data = folder();
  await using peal = await filled(data.path, async (store, home) =>
    Promise.all(
      Array.from({ length: TOPICS_PER_NAMESPACE }, async (_, n) => store.topics.create(home, { name: `t${n}` })),
    ),
  );
  const refused = [
    await peal.api("POST", "/v1/home/topics", { name: "another" }),
    await peal.api("POST", "/v1/home/topics", {}),
    await peal.api("POST", "/home/another", { message: "m" }),
    await peal.api("POST", "/home/another", { message: "m", delay: 60 }),
  ];
  for (const response of refused) expect(await answer(409, response)).toMatchObject({ code: "too_many_topics" });
  const stored = await answer<{ topic: string }>(201, await peal.api("POST", "/home/t9999", { message: "m" }));
  expect(stored).toMatchObject({ id: 1 });
  expect((await peal.api("DELETE", `/v1/home/${stored.topic}`)).status).toBe(204);
  expect(await answer(201, await peal.api("POST", "/home/another", { message: "m" }))).toMatchObject({ id: 1 });
});

test("ten thousand messages may wait in a namespace, and an immediate message is not held up by them", async () => {
  using data = folder();
  const draft = { message: "m", level: "info", priority: "normal", format: "text", source: "api" } as const;
  const deliverAt = Date.now() + 86_400_000;
  await using peal = await filled(data.path, async (store, namespaceId) => {
    await store.topics.create(namespaceId, { name: "later" });
    const one = { namespaceId, to: { name: "later" }, draft, deliverAt };
    await Promise.all(Array.from({ length: SCHEDULED_PER_NAMESPACE }, async () => store.messages.publish(one)));
  });
  const later = async () => peal.api("POST", "/home/later", { message: "m", delay: 60 });
  expect(await answer(409, await later())).toMatchObject({ code: "too_many_scheduled" });
  await answer(201, await peal.api("POST", "/home/later", { message: "now" }));
  const page = await answer<{ scheduled: { scheduled: { id: string } }[] }>(
    200,
    await peal.api("GET", "/v1/home/scheduled"),
  );
  expect((await peal.api("DELETE", `/v1/home/scheduled/${page.scheduled[0]?.scheduled.id ?? ""}`)).status).toBe(204);
  await answer(201, await later());
});

test("a device has at most a thousand topics, a topic twenty thousand devices, which leave room for those of another", async () => {
  using data = folder();
  const topics: TestTopic[] = [];
  let device = "";
  await using peal = await filled(data.path, async (store, home) => {
    const names = Array.from({ length: TOPICS_PER_DEVICE + 1 }, (_, n) => `t${n}`);
    for (const topic of await Promise.all(names.map(async (name) => store.topics.create(home, { name }))))
      if (typeof topic !== "string") topics.push({ ...topic, url: "" });
    const full = { platform: "ios", token: apnsToken(), base: "http://peal.example" } as const;
    const made = await store.devices.register({ ...full, topics: topics.slice(1) });
    if (made.kind === "made") device = made.device.id;
  });
  const [first, second] = topics;
  if (first === undefined || second === undefined) throw new Error("no topics");
  const ref = { namespace: "home", topic: first.key };
  const subscribe = async (id: string) => send(peal, "POST", `/v1/devices/${id}/subscriptions`, ref);
  const another = { platform: "ios", token: apnsToken() };
  expect((await deviceOf(peal, device)).topics).toHaveLength(1_000);
  expect(await answer(409, await subscribe(device))).toMatchObject({ code: "too_many_subscriptions" });
  expect((await send(peal, "DELETE", `/v1/devices/${device}/subscriptions/home/${second.key}`)).status).toBe(204);
  await answer(201, await subscribe(device));

  const { id } = await register(peal, another);
  await peal.kill("SIGTERM");
  using database = new Database(join(data.path, "peal.db"));
  database.run("UPDATE topic SET subscribers = ? WHERE key = ?", [DEVICES_PER_TOPIC, first.key]);
  database.run("UPDATE namespace SET devices = ?", [DEVICES_PER_TOPIC]);
  database.close();
  await peal.start();
  expect(await answer(409, await subscribe(id))).toMatchObject({
    code: "too_many_devices",
    detail: expect.stringContaining("At most 20000 devices") as string,
  });
  const other = { namespace: "home", topic: second.key };
  await answer(201, await send(peal, "POST", `/v1/devices/${id}/subscriptions`, other));
  const refused = { ...another, topics: [ref], token: apnsToken() };
  expect(await answer(409, await send(peal, "POST", "/v1/devices", refused))).toMatchObject({
    code: "too_many_devices",
  });
});

/** A server whose counters `set` changes: it decides by the counters, whatever rows there are. */
async function counted(dataDir: string, token: string, set: string) {
  const peal = await filled(dataDir, async (store, home) => store.topics.create(home, { name: "hello" }));
  await register(peal, { platform: "ios", token });
  await peal.kill("SIGTERM");
  using db = new Database(join(dataDir, "peal.db"));
  db.run(set);
  await peal.start();
  return peal;
}
const figure = async (peal: Pick<Peal, "request">, name: string) =>
  (await (await peal.request("/metrics")).text()).split("\n").find((line) => line.startsWith(`${name} `));

test("anonymous devices that follow nothing push out the oldest of their kind, and the operator is told once", async () => {
  using data = folder();
  const token = apnsToken();
  await using peal = await counted(data.path, token, `UPDATE device_total SET idle = ${IDLE_DEVICES}`);
  const again = await send(peal, "POST", "/v1/devices", { platform: "ios", token });
  expect(again.status).toBe(200); // not a new device
  expect(await figure(peal, "peal_devices_evicted_total")).toBe("peal_devices_evicted_total 0");
  for (let n = 0; n < 3; n++) await register(peal, { platform: "ios", token: apnsToken() });
  expect(await figure(peal, "peal_devices_evicted_total")).toBe("peal_devices_evicted_total 3");
  expect((await send(peal, "POST", "/v1/devices", { platform: "ios", token })).status).toBe(201);
  await peal.kill("SIGTERM");
  expect(peal.logs().match(/new devices replace devices that follow no topic/g)).toHaveLength(1);
});

test("a full namespace says what to do, and refuses no device that follows nothing", async () => {
  using data = folder();
  const token = apnsToken();
  await using peal = await counted(data.path, token, `UPDATE namespace SET devices = ${DEVICES_PER_NAMESPACE}`);
  const topic = await peal.topic("another");
  const ref = { namespace: "home", topic: topic.key };
  const refused = await send(peal, "POST", "/v1/devices", { platform: "ios", token, topics: [ref] });
  const told = await answer<{ code: string; detail: string }>(409, refused);
  expect([told.code, told.detail.includes("namespace")]).toEqual(["too_many_devices", true]);
  const { id } = await register(peal, { platform: "ios", token: apnsToken() });
  const subscribed = await send(peal, "POST", `/v1/devices/${id}/subscriptions`, ref);
  expect(await answer(409, subscribed)).toMatchObject({ code: "too_many_devices" });
  expect(await figure(peal, 'peal_devices_refused_total{cap="namespace_full"}')).toEndWith(" 2");
  await peal.kill("SIGTERM");
  expect(peal.logs().match(/devices are refused/g)).toHaveLength(1);
});

test("a full server reuses the place of a device that follows nothing, and where all follow something says what to do", async () => {
  using data = folder();
  const token = apnsToken();
  await using peal = await counted(data.path, token, `UPDATE device_total SET devices = ${DEVICES_IN_ALL}`);
  const topics = [{ namespace: "home", topic: (await peal.topic("another")).key }];
  await answer(201, await send(peal, "POST", "/v1/devices", { platform: "ios", token: apnsToken(), topics }));
  expect(await figure(peal, "peal_devices_evicted_total")).toEndWith(" 1");
  const refused = await send(peal, "POST", "/v1/devices", { platform: "ios", token, topics }); // its place is taken
  const told = await answer<{ code: string; detail: string }>(409, refused);
  expect([told.code, told.detail.includes(`${DEVICES_IN_ALL}`)]).toEqual(["too_many_devices", true]);
  expect(await figure(peal, 'peal_devices_refused_total{cap="server_full"}')).toEndWith(" 1");
});
