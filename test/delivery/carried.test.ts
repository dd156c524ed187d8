/** One push, however often it must be retried: with another token, shorter, over another connection (DELIVERY.md §4). */
import { expect, test } from "bun:test";
import { delivering, MINUTE } from "./delivering.ts";

test("Google is asked for one token until 5 min before its expiry, and for another where it calls that one too old", async () => {
  await using at = await delivering();
  const topic = await at.peal.topic("nas");
  for (let n = 0; n < 4; n++) await at.device("android", [topic]);
  const grantedFor = async (message: string) => {
    const tries = await at.when(topic, await at.publish(topic, message), ({ state }) => state === "accepted");
    expect(tries.map(({ attempts }) => attempts)).toEqual([1, 1, 1, 1]);
    return at.fcm.granted;
  };
  const begun = [await grantedFor("one")];
  at.clock.advance(54 * MINUTE);
  begun.push(await grantedFor("two"));
  at.clock.advance(MINUTE);
  begun.push(await grantedFor("three"));
  at.fcm.revokeTokens();
  begun.push(await grantedFor("four"));
  expect(begun).toEqual([1, 1, 2, 3]);
});

test("a payload that Apple finds too large is halved, and finally refused, all in one try", async () => {
  await using at = await delivering();
  const topic = await at.peal.topic("nas");
  const { token } = await at.device("ios", [topic]);
  const tooLarge = { status: 413, reason: "PayloadTooLarge" };
  at.apns.script.once(token, tooLarge);
  const text = "disk full ".repeat(100).trim();
  const [cut] = await at.when(topic, await at.publish(topic, text), ({ state }) => state === "accepted");
  const bodies = at.apns.received.map(
    ({ payload }) => (payload["aps"] as { alert: { body: string } }).alert.body.length,
  );
  expect([cut?.attempts, bodies.length, bodies[0]]).toEqual([1, 2, text.length]);
  expect(bodies[1]).toBeLessThanOrEqual(text.length / 2);

  at.apns.script.always(token, tooLarge);
  const [failed] = await at.when(topic, await at.publish(topic, text), ({ state }) => state === "failed");
  expect([failed?.attempts, at.apns.received.length]).toEqual([1, 6]);
});

test("a token that Apple calls expired is replaced once it is 20 min old, and not before", async () => {
  await using at = await delivering();
  const topic = await at.peal.topic("nas");
  const { token } = await at.device("ios", [topic]);
  await at.all("accepted", topic, await at.publish(topic, "one"));
  const expired = { status: 403, reason: "ExpiredProviderToken" };
  at.clock.advance(20 * MINUTE);
  at.apns.script.once(token, expired);
  const [two] = await at.when(topic, await at.publish(topic, "two"), ({ state }) => state === "accepted");
  expect([two?.attempts, at.apns.tokens.length]).toEqual([1, 2]);

  at.apns.script.once(token, expired);
  const three = await at.publish(topic, "three");
  await at.when(topic, three, ({ waits_for }) => waits_for === "paused: ExpiredProviderToken");
  expect((await at.health()).problems.join("\n")).toContain("check the clock");
  await at.pass(MINUTE);
  await at.all("accepted", topic, three);
  expect(at.apns.tokens.length).toBe(2);
});

test("a connection that had too many tokens is closed, and its current token with it", async () => {
  await using at = await delivering();
  const topic = await at.peal.topic("nas");
  const { token } = await at.device("ios", [topic]);
  at.apns.script.once(token, { status: 429, reason: "TooManyProviderTokenUpdates" });
  const id = await at.publish(topic, "one");
  await at.when(topic, id, ({ attempts }) => attempts === 1);
  await at.pass(MINUTE - 1);
  expect(at.apns.received.length).toBe(1);
  await at.until("it to be accepted", async () => (await at.when(topic, id, () => true))[0]?.state === "accepted");
  const [first, second] = at.apns.received.map(({ connection }) => connection);
  expect([first === second, at.apns.tokens.length]).toEqual([false, 1]);
});
