/** A long queue for one device is sent in order, and does not hold up others (DELIVERY.md §2, §9). */
import { expect, test } from "bun:test";
import type { TestTopic } from "../support/client.ts";
import { deliveriesOf } from "../support/devices.ts";
import { eventually } from "../support/eventually.ts";
import { type Delivering, delivering, isAccepted, MINUTE, SECOND } from "./delivering.ts";

const tooMany = (seconds: number) => ({ status: 429, headers: { "retry-after": `${seconds}` } });
/** More than a single look at a device's queue returns. */
const MANY = 600;

async function publishMany(at: Delivering, topic: TestTopic, count: number): Promise<number[]> {
  return Promise.all(Array.from({ length: count }, async (_, n) => at.publish(topic, `message ${n}`)));
}

test("the queue of a device that gets more than it may is sent in order of age, also while more arrives than a look returns", async () => {
  await using at = await delivering();
  const topic = await at.peal.topic("nas");
  const { token } = await at.device("web", [topic]);
  let answered = 0;
  const published: number[] = [];
  for (let round = 0; round < 5; round++) {
    for (let n = 0; n < 20; n++) at.web.script.once(token, tooMany(10));
    published.push(...(await publishMany(at, topic, MANY)));
    await at.pass(40 * SECOND);
    at.web.script.clear();
    await at.pass(5 * SECOND);
    answered = at.web.accepted(token).length;
  }
  expect(answered).toBeGreaterThan(0);
  const first = published.slice(0, MANY * 2);
  for (const id of [first[0], first[MANY], first.at(-1)]) expect(await isAccepted(at, topic, id ?? 0)).toBe(true);
});

test("a device that has to wait has no turn before its time, holds up no one, and counts one try", async () => {
  await using at = await delivering();
  const [busy, other] = [await at.peal.topic("busy"), await at.peal.topic("other")];
  const { token } = await at.device("web", [busy]);
  const others = await Promise.all([1, 2, 3].map(async () => at.device("web", [other])));
  at.web.script.once(token, tooMany(300));
  const ids = await publishMany(at, busy, 2 * MANY);
  await at.until("the refusal", () => at.web.received.length > 0);
  const id = await at.publish(other, "quick");
  await at.until("the others' pushes", async () => isAccepted(at, other, id), MINUTE);
  await at.pass(4 * MINUTE - 20 * SECOND);
  expect(at.web.received.filter(({ endpoint }) => endpoint === token).length).toBe(1);
  for (const device of others) expect(at.web.accepted(device.token).length).toBe(1);
  const text = await (await at.peal.request("/metrics")).text();
  const later = [...text.matchAll(/^peal_deliveries_total\{.*outcome="later".*\} (\d+)$/gm)].map(([, count]) =>
    Number(count),
  );
  expect(later).toEqual([1]);
  const waiting = (await deliveriesOf(at.peal, busy, ids.at(-1) ?? 0)).deliveries;
  expect(waiting).toMatchObject([{ state: "pending", attempts: 0, waits_for: "too many for the device" }]);

  for (const one of [ids[0], ids.at(-1)])
    await at.until("all of it", async () => isAccepted(at, busy, one ?? 0), 5 * MINUTE);
  const sent = at.web.accepted(token).map(({ plaintext = "" }) => plaintext);
  expect(sent.length).toBeLessThan(10);
  for (const one of sent.slice(0, 2)) expect(one).not.toContain("while offline");
});

test("devices with a queue leave turns to a device with a single push, and it leaves turns to them", async () => {
  await using at = await delivering();
  const [busy, other] = [await at.peal.topic("busy"), await at.peal.topic("other")];
  const many = await Promise.all(Array.from({ length: 10 }, async () => at.device("web", [busy])));
  const { token } = await at.device("web", [other]);
  await publishMany(at, busy, 150); // all younger than a minute, so they are sent one by one
  await at.publish(other, "single");
  const before = at.web.received.length;
  const single = () => at.web.received.findIndex(({ endpoint }) => endpoint === token);
  await eventually("the single push", () => single() >= 0);
  await eventually("the backlog", () => at.web.received.length >= 800);
  const turns = many.map(
    (device) => at.web.received.slice(0, 800).filter(({ endpoint }) => endpoint === device.token).length,
  );
  expect(Math.min(...turns)).toBeGreaterThan(40); // of 80 each
  expect(single() - before).toBeLessThan(100); // a round or two, and what had already begun
});
