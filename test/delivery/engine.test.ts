/** A published message reaches every device that subscribed, whatever the state of its push service (DELIVERY.md §1). */
import { describe, expect, test } from "bun:test";
import { deliveriesOf, deviceOf, send } from "../support/devices.ts";
import { eventually } from "../support/eventually.ts";
import { refused } from "../support/push/apns.ts";
import { delivering, HOUR, MINUTE, SECOND } from "./delivering.ts";

test("a message reaches a device of each platform, once", async () => {
  await using at = await delivering();
  const topic = await at.peal.topic("nas");
  const [ios, android, web] = [
    await at.device("ios", [topic]),
    await at.device("android", [topic]),
    await at.device("web", [topic]),
  ];
  const id = await at.publish(topic, "disk full", { title: "NAS" });
  await at.all("accepted", topic, id);
  expect(at.apns.onScreen(ios.token)).toMatchObject([{ aps: { alert: { title: "NAS", body: "disk full" } } }]);
  expect(at.fcm.onScreen(android.token)).toMatchObject([{ data: { title: "NAS", body: "disk full" } }]);
  expect(at.web.onScreen(web.token)).toMatchObject([{ notification: { title: "NAS", body: "disk full" } }]);
  expect([at.apns, at.fcm, at.web].map(({ received }) => received.length)).toEqual([1, 1, 1]);
});

/** Titles or texts in the order in which they were sent to Apple. */
const sent = (received: readonly { payload: Record<string, unknown> }[]): string[] =>
  received.map(({ payload }) => (payload["aps"] as { alert: { body: string } }).alert.body);

describe("one device", () => {
  test("has one push in flight; next comes what is urgent, then the oldest", async () => {
    await using at = await delivering();
    const topic = await at.peal.topic("nas");
    const { token } = await at.device("ios", [topic]);
    at.apns.script.once(token, { kind: "silence" });
    const ids = [await at.publish(topic, "1")];
    await eventually("the first to be sent", () => at.apns.received.length === 1);
    for (const text of ["2", "3"]) ids.push(await at.publish(topic, text));
    ids.push(await at.publish(topic, "urgent", { priority: "urgent" }), await at.publish(topic, "4"));
    await at.when(topic, ids[4] ?? 0, ({ state }) => state === "pending");
    expect(at.apns.received.length).toBe(1);
    at.clock.advance(15 * SECOND); // longer than any answer is waited for
    for (const id of ids.slice(1)) await at.when(topic, id, ({ state }) => state === "accepted");
    expect(sent(at.apns.received).slice(1, 5)).toEqual(["urgent", "2", "3", "4"]);
    await at.until("the first again", () => at.apns.received.length === 6);
    await at.all("accepted", topic, ...ids);
    const [first, again] = [at.apns.received[0], at.apns.received[5]];
    expect([again?.id, again?.collapseId]).toEqual([first?.id, first?.collapseId]);
  });

  test("is told to wait, and everything for it waits", async () => {
    await using at = await delivering();
    const topic = await at.peal.topic("nas");
    const { id: device, token } = await at.device("ios", [topic]);
    at.apns.script.once(token, { status: 429, reason: "TooManyRequests", headers: { "retry-after": "90" } });
    const one = await at.publish(topic, "1");
    await at.when(topic, one, ({ attempts }) => attempts === 1);
    const two = await at.publish(topic, "2", { priority: "urgent" });
    await at.all("pending", topic, two);
    expect(await deviceOf(at.peal, device)).toMatchObject({ last_error: "APNs answered 429: TooManyRequests" });
    at.clock.advance(90 * SECOND - 1);
    await at.peal.request("/ready");
    expect(at.apns.received.length).toBe(1);
    await at.until("the end of the wait", () => at.apns.received.length === 3);
    await at.all("accepted", topic, one, two);
  });

  test("that is gone is removed, and gets nothing more until it registers again", async () => {
    await using at = await delivering();
    const topic = await at.peal.topic("nas");
    const { id: device, token } = await at.device("web", [topic]);
    at.web.unsubscribe(token);
    const one = await at.publish(topic, "1");
    await at.all("failed", topic, one);
    expect((await deviceOf(at.peal, device)).status).toBe("expired");
    const two = await at.publish(topic, "2");
    await at.pass(MINUTE);
    expect((await deliveriesOf(at.peal, topic, two)).deliveries).toEqual([]);
    expect(at.web.received.length).toBe(1);
    expect(await (await at.peal.request("/metrics")).text()).toContain("peal_pruned_total{");
  });

  test("gets a test at once, whatever its settings hold back", async () => {
    await using at = await delivering();
    const quiet_hours = { from: "00:00", to: "23:59", timezone: "UTC" };
    const { id, token } = await at.device("ios", [], { quiet_hours, min_priority: "urgent" });
    const response = await send(at.peal, "POST", `/v1/devices/${id}/test`);
    expect(response.status).toBeLessThan(300);
    await eventually("the test", () => at.apns.accepted(token).length === 1);
  });
});

describe("a device's settings", () => {
  test("quiet hours hold what is not urgent until they end", async () => {
    await using at = await delivering();
    const topic = await at.peal.topic("nas");
    const { token } = await at.device("ios", [topic], {
      quiet_hours: { from: "13:00", to: "15:00", timezone: "Europe/Berlin" },
    });
    const held = await at.publish(topic, "later"); // it is 13:00 in Berlin
    const urgent = await at.publish(topic, "now", { priority: "urgent" });
    await at.all("accepted", topic, urgent);
    await at.when(topic, held, (delivery) => delivery["last_reason"] === "quiet hours");
    await at.pass(2 * HOUR - MINUTE);
    expect(sent(at.apns.accepted(token))).toEqual(["now"]);
    await at.pass(MINUTE);
    await at.all("accepted", topic, held);
    expect(sent(at.apns.accepted(token))).toEqual(["now", "later"]);
  });

  test("many messages held by quiet hours arrive as one, which says so", async () => {
    await using at = await delivering();
    const topic = await at.peal.topic("nas");
    const { token } = await at.device("ios", [topic], {
      quiet_hours: { from: "12:00", to: "13:00", timezone: "UTC" },
    });
    const ids: number[] = [];
    for (let n = 1; n <= 6; n++) ids.push(await at.publish(topic, `event ${n}`));
    for (const id of ids) await at.when(topic, id, ({ last_reason }) => last_reason === "quiet hours");
    await at.pass(HOUR);
    await at.all("accepted", topic, ...ids);
    const titles = at.apns
      .accepted(token)
      .map(({ payload }) => (payload["aps"] as { alert: { title: string } }).alert.title);
    expect(titles).toEqual(["6 messages during quiet hours"]);
  });

  test("a message held by quiet hours is sent when they are removed or changed", async () => {
    await using at = await delivering();
    const topic = await at.peal.topic("nas");
    const hours = (from: string, to: string) => ({ quiet_hours: { from, to, timezone: "UTC" } });
    const { id: device } = await at.device("ios", [topic], hours("11:00", "20:00")); // it is 12:00
    const held = await at.publish(topic, "later");
    await at.when(topic, held, ({ last_reason }) => last_reason === "quiet hours");
    await send(at.peal, "PATCH", `/v1/devices/${device}`, hours("11:00", "13:00"));
    at.clock.advance(15 * SECOND);
    await at.when(topic, held, ({ due_at }) => due_at === "2026-01-15T13:00:00.000Z");
    await send(at.peal, "PATCH", `/v1/devices/${device}`, { quiet_hours: null });
    at.clock.advance(15 * SECOND);
    await at.all("accepted", topic, held);
  });

  test("a message below its priority is cancelled, and so is one of a topic that it unsubscribed from", async () => {
    await using at = await delivering();
    const topic = await at.peal.topic("nas");
    const { id: device, token } = await at.device("ios", [topic], { min_priority: "high" });
    const id = await at.publish(topic, "quiet");
    await at.when(
      topic,
      id,
      ({ state, last_reason }) => state === "cancelled" && last_reason === "below the priority it shows",
    );
    await at.apns.wire.stop();
    const loud = await at.publish(topic, "loud", { priority: "high" });
    await at.when(topic, loud, ({ last_reason }) => last_reason !== undefined);
    await send(at.peal, "DELETE", `/v1/devices/${device}/subscriptions/home/${topic.key}`);
    await at.apns.wire.start();
    await at.until("it to be cancelled", async () => {
      const { deliveries } = await deliveriesOf(at.peal, topic, loud);
      return deliveries.every(({ state }) => state === "cancelled");
    });
    expect(at.apns.accepted(token)).toEqual([]);
  });
});

test("of the pushes of one alert only the newest is shown: waiting ones are superseded", async () => {
  await using at = await delivering();
  const topic = await at.peal.topic("nas");
  const { token } = await at.device("ios", [topic]);
  at.apns.script.once(token, { status: 500, reason: "InternalServerError" });
  const alert = { dedup_key: "disk" };
  const firing = await at.publish(topic, "90 %", { ...alert, status: "firing" });
  await at.when(topic, firing, ({ attempts }) => attempts === 1);
  const resolved = await at.publish(topic, "fine", { ...alert, status: "resolved" });
  await at.all("accepted", topic, resolved);
  await at.all("cancelled", topic, firing);
  await at.pass(31 * MINUTE); // Apple requires 15 min before a retry
  expect(sent(at.apns.accepted(token))).toEqual(["fine"]);
});

describe("a message that requires an acknowledgement", () => {
  const page = { priority: "urgent", ack: true };

  test("is repeated every minute for an hour, in the same notification", async () => {
    await using at = await delivering();
    const topic = await at.peal.topic("nas");
    const { token } = await at.device("ios", [topic]);
    const id = await at.publish(topic, "fire", page);
    await at.all("accepted", topic, id);
    await at.pass(10 * MINUTE);
    await at.until("the tenth repeat", () => at.apns.accepted(token).length >= 11);
    expect(at.apns.accepted(token).length).toBe(11);
    await at.pass(2 * HOUR);
    const pushes = at.apns.accepted(token);
    expect(pushes.length).toBeGreaterThan(50);
    expect(pushes.length).toBeLessThanOrEqual(60);
    expect(at.apns.onScreen(token).length).toBe(1);
    await eventually("its end", async () => (await deliveriesOf(at.peal, topic, id)).counts["pending"] === 0);
  });

  test("is not repeated once someone has acknowledged it", async () => {
    await using at = await delivering();
    const topic = await at.peal.topic("nas");
    const { token } = await at.device("ios", [topic]);
    const id = await at.publish(topic, "fire", page);
    await at.all("accepted", topic, id);
    await at.pass(MINUTE);
    await eventually("a repeat", () => at.apns.accepted(token).length === 2);
    const acknowledged = await send(at.peal, "POST", `/v1/home/${topic.key}/messages/${id}/ack`);
    expect(acknowledged.status).toBe(200);
    await at.pass(10 * MINUTE);
    expect(at.apns.accepted(token).length).toBe(2);
  });
});

test("a push that was sent in time counts, even if it is answered later", async () => {
  await using at = await delivering();
  const topic = await at.peal.topic("nas");
  const { token } = await at.device("ios", [topic]);
  at.apns.script.once(
    token,
    { status: 429, reason: "TooManyRequests", headers: { "retry-after": "107" } },
    { kind: "half", code: 200, body: "" },
  );
  const id = await at.publish(topic, "1", { ttl: 120 });
  await at.when(topic, id, ({ attempts }) => attempts === 1);
  await at.pass(110 * SECOND);
  await eventually("the second try", () => at.apns.received.length === 2);
  await at.pass(12 * SECOND);
  await at.all("pending", topic, id);
  for (const connection of at.apns.connections) connection.finish("");
  await at.all("accepted", topic, id);
});

test("a push that is too late is not sent, but counted", async () => {
  await using at = await delivering();
  const topic = await at.peal.topic("nas");
  const { token } = await at.device("ios", [topic]);
  at.apns.script.always("*", refused("InvalidProviderToken"));
  const id = await at.publish(topic, "1", { ttl: 120 });
  await at.when(topic, id, ({ waits_for }) => waits_for !== undefined);
  await at.pass(3 * MINUTE);
  await at.all("expired", topic, id);
  at.apns.script.clear();
  await at.pass(3 * MINUTE);
  expect(at.apns.accepted(token)).toEqual([]);
  expect(await (await at.peal.request("/metrics")).text()).toMatch(
    /peal_deliveries_total\{lane="apns:production",outcome="expired",reason="its time ran out"\} 1/,
  );
});

test("without credentials a platform's pushes wait, and health is not degraded", async () => {
  await using at = await delivering({ env: { PEAL_FCM_CREDENTIALS: "", PEAL_FCM_URL: "" } });
  const topic = await at.peal.topic("nas");
  await at.device("android", [topic]);
  const id = await at.publish(topic, "1");
  await at.when(topic, id, ({ state, waits_for }) => state === "pending" && waits_for === "paused: not configured");
  expect((await at.health()).push).toBe("ok");
});

test("a push service of browsers gets one token for 11 hours, then another", async () => {
  await using at = await delivering();
  const topic = await at.peal.topic("nas");
  for (let n = 0; n < 4; n++) await at.device("web", [topic]);
  const tokens = async (message: string) => {
    const before = at.web.received.length;
    await at.all("accepted", topic, await at.publish(topic, message));
    return new Set(at.web.received.slice(before).map(({ headers }) => headers["authorization"]));
  };
  const first = await tokens("one");
  at.clock.advance(11 * HOUR - MINUTE);
  expect(await tokens("two")).toEqual(first);
  at.clock.advance(MINUTE);
  const next = await tokens("three");
  expect([first.size, next.size, next.isDisjointFrom(first)]).toEqual([1, 1, true]);
});

test("pushes that were accepted before a restart are not sent again, others are", async () => {
  await using at = await delivering();
  const topic = await at.peal.topic("nas");
  const { token } = await at.device("ios", [topic]);
  const one = await at.publish(topic, "1");
  await at.all("accepted", topic, one);
  await at.apns.wire.stop();
  const two = await at.publish(topic, "2");
  await at.when(topic, two, ({ last_reason }) => last_reason !== undefined);
  await at.apns.wire.start();
  await at.peal.restart();
  await at.until("the second", async () => (await deliveriesOf(at.peal, topic, two)).counts["accepted"] === 1);
  expect(sent(at.apns.accepted(token))).toEqual(["1", "2"]);
  expect(at.apns.tokens.length).toBe(1); // Apple does not accept a new token after each restart
});
