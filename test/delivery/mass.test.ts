/** Many devices at once: none is left out, and requests are handled in between (DELIVERY.md §2, §3). */
import { expect, test } from "bun:test";
import { apnsToken, deliveriesOf } from "../support/devices.ts";
import { eventually } from "../support/eventually.ts";
import { delivering } from "./delivering.ts";

const DEVICES = 800;

test(`a message reaches ${DEVICES} devices, each once, and an urgent one overtakes it`, async () => {
  await using at = await delivering();
  const topic = await at.peal.topic("nas");
  const { devices } = at.peal.running.deps.store;
  const tokens = Array.from({ length: DEVICES }, () => apnsToken());
  await Promise.all(
    tokens.map(async (token) =>
      devices.register({ platform: "ios", token, base: at.peal.url, topics: [{ namespace: "home", key: topic.key }] }),
    ),
  );
  at.apns.latencyMs = 2;
  const id = await at.publish(topic, "to all");
  await eventually("the first", () => at.apns.received.length > 50);
  const urgent = await at.publish(topic, "at once", { priority: "urgent" });
  for (let part = 1; part <= 8; part++)
    await eventually(`eighth ${part}`, () => {
      at.clock.advance(5); // the lane's bucket fills with time
      return at.apns.received.length >= (part * DEVICES) / 4;
    });
  for (const of of [id, urgent])
    await eventually("all to be noted", async () => {
      const { counts } = await deliveriesOf(at.peal, topic, of, "?limit=1");
      return counts["accepted"] === DEVICES;
    });
  for (const token of tokens) {
    const accepted = at.apns.accepted(token);
    expect(accepted.length).toBe(2);
    expect(new Set(accepted.map((push) => push.id)).size).toBe(2);
  }
  const bodies = at.apns.received.map(({ payload }) => (payload["aps"] as { alert: { body: string } }).alert.body);
  const [first, last] = [bodies.indexOf("at once"), bodies.lastIndexOf("at once")];
  // pushes in flight or already loaded go before the urgent message, then nothing else until all have it
  const between = bodies.slice(first, last).filter((body) => body === "to all").length;
  expect(first).toBeLessThan(500);
  expect(between).toBeLessThan(200);
});
