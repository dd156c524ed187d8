/** How long a stopping server waits for pushes in flight: Docker kills it after 10 s (DELIVERY.md §7). */
import { expect, jest, test } from "bun:test";
import { deliveriesOf } from "../support/devices.ts";
import { eventually } from "../support/eventually.ts";
import { delivering, SECOND } from "./delivering.ts";

const PATIENCE_MS = 8 * SECOND;

/** Advances the machine's timers, one of which is the limit of the wait; sockets are still read meanwhile. */
async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed++) {
    jest.advanceTimersByTime(1);
    await new Promise((next) => setImmediate(next));
  }
}

test("a push that is not answered is waited for for 8 s, is not an error of the server, and is sent again", async () => {
  await using at = await delivering();
  const topic = await at.peal.topic("nas");
  await at.device("ios", [topic]);
  await at.all("accepted", topic, await at.publish(topic, "before"));
  at.apns.script.once("*", { kind: "silence" });
  const id = await at.publish(topic, "disk full");
  await eventually("the push to be in flight", () => at.apns.received.length === 2);
  let hasEnded = false;
  jest.useFakeTimers();
  try {
    const stopping = at.peal.running.stop().then(() => (hasEnded = true));
    await pass(PATIENCE_MS - 100);
    expect(hasEnded).toBe(false);
    await pass(SECOND);
    await stopping;
  } finally {
    jest.useRealTimers();
  }
  expect(at.logs.filter((line) => line.includes("error"))).toEqual([]);
  await at.peal.restart();
  await at.all("accepted", topic, id);
  expect(at.apns.received.length).toBe(3);
  expect(new Set(at.apns.received.map(({ id }) => id)).size).toBe(2); // a repeat has the same identity
  expect((await deliveriesOf(at.peal, topic, id)).deliveries).toMatchObject([{ attempts: 1 }]);
});
