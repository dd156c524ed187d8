/** SIGTERM in the middle of pushes: what is answered in time is noted, the rest is sent after the next start (docs/design/DELIVERY.md §7). */
import { expect, test } from "bun:test";
import { deliveriesWhen, iphone } from "../support/devices.ts";
import { eventually } from "../support/eventually.ts";
import { fakeApns } from "../support/push/apns.ts";
import { authority } from "../support/push/ca.ts";
import { startPeal } from "../support/server.ts";

async function inFlight(hold: (apns: Awaited<ReturnType<typeof fakeApns>>) => void) {
  const apns = await fakeApns();
  const peal = await startPeal({ env: { NODE_EXTRA_CA_CERTS: authority.file, ...apns.env } });
  const topic = await peal.topic("nas");
  await iphone(peal, [topic]);
  await peal.publish(topic, { message: "before" });
  await deliveriesWhen(peal, topic, 1, 1, ({ state }) => state === "accepted");
  hold(apns);
  await peal.publish(topic, { message: "disk full" });
  await eventually("the push to be in flight", () => apns.received.length === 2);
  const dispose = async () => {
    await peal[Symbol.asyncDispose]();
    await apns[Symbol.asyncDispose]();
  };
  return { apns, peal, topic, [Symbol.asyncDispose]: dispose };
}

test("what is in flight is waited for and noted", async () => {
  await using at = await inFlight((apns) => (apns.latencyMs = 1_000));
  expect(await at.peal.kill("SIGTERM")).toBe(0);
  await at.peal.start();
  await deliveriesWhen(at.peal, at.topic, 2, 1, ({ state }) => state === "accepted");
  expect(at.apns.received.length).toBe(2);
});

test("what nobody answers holds no stop up, is no error of ours, and is sent again", async () => {
  await using at = await inFlight((apns) => apns.script.once("*", { kind: "silence" }));
  // it waits for 8 s (test/delivery/stop.test.ts), and ends after 9 s where the machine was too busy for the rest
  const code = await at.peal.kill("SIGTERM");
  expect(code).toBe(at.peal.logs().includes("ended before everything had stopped") ? 1 : 0);
  expect(at.peal.logs()).not.toContain("error");
  await at.peal.start();
  await deliveriesWhen(at.peal, at.topic, 2, 1, ({ state }) => state === "accepted");
  expect(new Set(at.apns.received.map(({ id }) => id)).size).toBe(2);
});
