/** The network is down when alerts are made: those that are not stale arrive afterwards, and none is lost (DELIVERY.md §3). */
import { expect, test } from "bun:test";
import type { TestTopic } from "../support/client.ts";
import { deliveriesOf, deviceOf, type TestDelivery } from "../support/devices.ts";
import { type Delivering, delivering, HOUR, MINUTE } from "./delivering.ts";

const stopAll = async (at: Delivering) => Promise.all([at.apns, at.fcm, at.web].map(async ({ wire }) => wire.stop()));
const startAll = async (at: Delivering) => Promise.all([at.apns, at.fcm, at.web].map(async ({ wire }) => wire.start()));
const isOffline = async (at: Delivering) =>
  (await at.health()).problems.some((problem) => problem.startsWith("No push service can be reached"));

test("an hour without a network uses up no attempts, prunes no device, and ends with a digest and the urgent pushes", async () => {
  await using at = await delivering();
  const topic = await at.peal.topic("nas");
  const devices = [
    await at.device("ios", [topic]),
    await at.device("android", [topic]),
    await at.device("web", [topic]),
  ] as const;
  const stale = await at.publish(topic, "before", { ttl: 1800 });
  await at.all("accepted", topic, stale);

  await stopAll(at);
  const late = await at.publish(topic, "too late", { ttl: 1800 });
  const ids: number[] = [];
  for (let n = 1; n <= 17; n++) ids.push(await at.publish(topic, `event ${n}`));
  const urgent = await at.publish(topic, "fire", { priority: "urgent" });
  await at.pass(MINUTE);
  await at.until("the state of no network", async () => isOffline(at));
  expect(await at.health()).toMatchObject({ status: "degraded", push: "degraded" });
  await at.pass(HOUR);
  for (const id of [...ids, urgent])
    for (const { state, attempts } of (await deliveriesOf(at.peal, topic, id)).deliveries) {
      expect(state).toBe("pending");
      expect(attempts).toBeLessThan(5);
    }
  await at.all("expired", topic, late);
  const lines = () => at.logs.filter((line) => line.includes("can be reached") || line.includes("cannot be reached"));
  expect(lines().length).toBe(1);

  await startAll(at);
  await at.until("all to be accepted", async () => areAll(at, "accepted", topic, [...ids, urgent]));
  const [ios, android, web] = devices;
  const bodies = at.apns.onScreen(ios.token).map(({ aps }) => (aps as Alert).alert);
  expect(bodies.map(({ title }) => title)).toEqual(["nas", "nas", "17 messages while offline"]);
  expect(bodies.map(({ body }) => body.split("\n")[0])).toEqual(["before", "fire", "event 17"]);
  expect([at.fcm.onScreen(android.token).length, at.web.onScreen(web.token).length]).toEqual([3, 3]);
  for (const { id } of devices) expect((await deviceOf(at.peal, id)).status).toBe("active");
  expect(await at.health()).toEqual({ status: "ok", push: "ok", problems: [] });
  expect(lines().length).toBe(2);
});

async function areAll(at: Delivering, state: string, topic: TestTopic, ids: readonly number[]): Promise<boolean> {
  const pages = await Promise.all(ids.map(async (id) => deliveriesOf(at.peal, topic, id)));
  return pages.every(
    ({ deliveries: [first, ...others] }) => first?.state === state && others.every((one) => one.state === state),
  );
}

interface Alert {
  alert: { title: string; body: string };
}

test("when one push service is down its pushes wait, and all others are sent", async () => {
  await using at = await delivering();
  const topic = await at.peal.topic("nas");
  const ios = await at.device("ios", [topic]);
  const web = await at.device("web", [topic]);
  at.apns.script.always("*", { status: 503, reason: "ServiceUnavailable" });
  const ids: number[] = [];
  for (let n = 1; n <= 5; n++) ids.push(await at.publish(topic, `event ${n}`, { priority: "urgent" }));
  const isDone = ({ device, state }: TestDelivery) => device?.platform === "ios" || state === "accepted";
  for (const id of ids) await at.when(topic, id, isDone);
  expect(at.web.accepted(web.token).length).toBe(5);
  await at.pass(10 * MINUTE);
  expect((await at.health()).push).toBe("ok");
  const apart = at.apns.received.length;
  expect(apart).toBeLessThan(40);
  at.apns.script.clear();
  await at.until("all to be accepted", async () => areAll(at, "accepted", topic, ids));
  expect(at.apns.onScreen(ios.token).length).toBe(5);
  const metrics = await (await at.peal.request("/metrics")).text();
  expect(metrics).toContain('peal_breaker_open{lane="apns:production"} 0');
});

test("a connection that swallows everything is abandoned after 15 s, and its pushes are sent over a new one", async () => {
  await using at = await delivering();
  const topic = await at.peal.topic("nas");
  const { token } = await at.device("ios", [topic]);
  await at.all("accepted", topic, await at.publish(topic, "one"));
  at.apns.wire.freeze();
  const id = await at.publish(topic, "two");
  await at.until("two to come over", async () => areAll(at, "accepted", topic, [id]));
  expect(at.apns.onScreen(token).length).toBe(2);
  expect(at.apns.connections.length).toBeGreaterThan(1);
});
