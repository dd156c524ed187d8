/** Anyone may register a device: what its push service answers does not stop other pushes (DELIVERY.md §9). */
import { randomBytes } from "node:crypto";
import { describe, expect, test } from "bun:test";
import type { TestTopic } from "../support/client.ts";
import { deliveriesOf, deviceOf, fcmToken, pushKeys, register, send } from "../support/devices.ts";
import { eventually } from "../support/eventually.ts";
import { refused } from "../support/push/apns.ts";
import { fcmError } from "../support/push/fcm.ts";
import { type Delivering, delivering, heardOf, HOUR, MINUTE, SECOND } from "./delivering.ts";

const tryOut = async (at: Delivering, id: string): Promise<unknown> => send(at.peal, "POST", `/v1/devices/${id}/test`);
const anEndpoint = (origin: string): string => `${origin}/made-up/${randomBytes(16).toString("hex")}`;

/** How long in ms it takes until a message is accepted for all of its devices, while the untrusted device is tested repeatedly. */
async function delayOf(at: Delivering, topic: TestTopic, stranger: string): Promise<number> {
  const id = await at.publish(topic, "the house burns", { level: "error" });
  const begun = at.clock.monotonic();
  await at.until("it to be accepted", async () => {
    const { deliveries } = await deliveriesOf(at.peal, topic, id);
    if (deliveries.length > 0 && deliveries.every(({ state }) => state === "accepted")) return true;
    await tryOut(at, stranger);
    return false;
  });
  return at.clock.monotonic() - begun;
}

test("invented tokens are pruned, and do not trigger the brake", async () => {
  await using at = await delivering();
  const topic = await at.peal.topic("nas");
  await at.device("android", [topic]);
  await at.all("accepted", topic, await at.publish(topic, "before"));
  await at.pass(HOUR);
  const strangers: string[] = [];
  for (let n = 0; n < 8; n++) {
    const token = fcmToken();
    at.fcm.script.always(token, fcmError("UNREGISTERED"));
    strangers.push((await register(at.peal, { platform: "android", token })).id);
  }
  for (const id of strangers) await tryOut(at, id);
  await at.until("all to be lost", async () => {
    const states = await Promise.all(strangers.map(async (id) => (await deviceOf(at.peal, id)).status));
    return states.every((state) => state === "expired");
  });
  expect(await at.health()).toMatchObject({ push: "ok", problems: [] });
});

test("an endpoint that is refused after an hour without pushes delays the others by seconds", async () => {
  await using at = await delivering();
  const topic = await at.peal.topic("nas");
  await at.device("web", [topic]);
  await at.all("accepted", topic, await at.publish(topic, "before"));
  await at.pass(HOUR + 2 * MINUTE);
  const token = anEndpoint(at.web.origin);
  at.web.script.always(token, { status: 403, body: "<html>Forbidden" });
  const { id } = await register(at.peal, { platform: "web", token, keys: pushKeys() });
  await tryOut(at, id);
  await at.until("the pause", async () => (await at.health()).push === "degraded");
  expect(await delayOf(at, topic, id)).toBeLessThan(MINUTE);
  expect((await at.health()).push).toBe("ok");
});

test("an endpoint that is refused right after a start, before anything was accepted, delays the others by a second", async () => {
  await using at = await delivering();
  const topic = await at.peal.topic("nas");
  await at.device("web", [topic]);
  await at.all("accepted", topic, await at.publish(topic, "before"));
  await at.peal.restart();
  const strangers: string[] = [];
  for (let n = 0; n < 6; n++) {
    const token = anEndpoint(at.web.origin);
    at.web.script.always(token, { status: 403, body: "<html>Forbidden" });
    strangers.push((await register(at.peal, { platform: "web", token, keys: pushKeys() })).id);
  }
  for (const id of strangers) await tryOut(at, id);
  await eventually("the refusals", async () => (await at.health()).push === "degraded");
  const id = await at.publish(topic, "the house burns");
  await at.when(topic, id, ({ waits_for }) => String(waits_for).startsWith("paused: "));
  const paused = at.clock.monotonic();
  at.clock.advance(SECOND);
  await eventually("it to be accepted", async () => {
    if ((await deliveriesOf(at.peal, topic, id)).counts["accepted"] === 1) return true;
    at.clock.advance(1); // what the server had begun to look at continues a moment later
    return false;
  });
  expect(at.clock.monotonic() - paused).toBeLessThan(strangers.length * SECOND); // one probe for each would take as long
  expect(await at.health()).toMatchObject({ push: "ok", problems: [] });
  // from now on the credentials are known to be good
  for (const id of strangers) await tryOut(at, id);
  const before = at.web.received.length;
  at.clock.advance(MINUTE);
  await at.until("them to be refused once more", () => at.web.received.length >= before + strangers.length);
  expect(await at.health()).toMatchObject({ push: "ok", problems: [] });
});

test.each([302, 500])("endpoints that answer %d keep the breaker open for no others", async (status) => {
  await using at = await delivering();
  const topic = await at.peal.topic("nas");
  await at.device("web", [topic]);
  await at.all("accepted", topic, await at.publish(topic, "before"));
  const strangers: string[] = [];
  for (let n = 0; n < 8; n++) {
    const token = anEndpoint(at.web.origin);
    at.web.script.always(token, { status, headers: { location: "https://elsewhere.example/" } });
    strangers.push((await register(at.peal, { platform: "web", token, keys: pushKeys() })).id);
  }
  for (const id of strangers) await tryOut(at, id);
  await at.until("the breaker to open", async () =>
    (await (await at.peal.request("/metrics")).text()).includes(`peal_breaker_open{lane="webpush:${at.web.origin}"} 1`),
  );
  for (const id of strangers) await tryOut(at, id);
  expect(await delayOf(at, topic, strangers[0] ?? "")).toBeLessThan(90_000);
});

describe("a lane without waiting pushes", () => {
  test("of an invented host leaves no device unreachable, and is forgotten with its device", async () => {
    // nothing listens there, so that the name is not looked up either
    await using at = await delivering({ env: { PEAL_HTTPS_PROXY: "http://127.0.0.1:9" } });
    const token = "https://made-up.notify.windows.com/w/1";
    const { delivery } = at.peal.running.deps;
    const isOpen = () => delivery.lane("webpush:https://made-up.notify.windows.com").kind === "unreachable";
    const { id } = await register(at.peal, { platform: "web", token, keys: pushKeys() });
    await tryOut(at, id);
    await at.until("the breaker to open", isOpen);
    for (let n = 0; n < 8; n++) {
      await at.pass(30 * SECOND);
      expect(await at.health()).toMatchObject({ push: "ok", problems: [] });
    }
    await send(at.peal, "DELETE", `/v1/devices/${id}`);
    await at.until("it to be forgotten", () => !isOpen());
  });

  test("is no longer reported where a device may have been at fault: operators learn that it ended", async () => {
    await using at = await delivering();
    const topic = await at.peal.topic("nas");
    const { id } = await at.device("ios", [topic]);
    at.apns.script.always("*", refused("DeviceTokenNotForTopic"));
    await at.publish(topic, "one");
    await at.until("the beginning to be told", async () => (await heardOf(at)).length === 1);
    await send(at.peal, "DELETE", `/v1/devices/${id}`);
    await at.device("ios", [topic]); // so that someone is notified
    await at.until("the end", async () => (await at.health()).push === "ok");
    await at.until("the end to be told", async () => (await heardOf(at)).length === 2);
    expect(await heardOf(at)).toMatchObject([
      { status: "firing", title: "Pushes over apns:production are paused" },
      { status: "resolved", title: "Nothing waits for apns:production any more" },
    ]);
  });

  test("stays a problem where the operator has to fix it, whatever became of the pushes", async () => {
    await using at = await delivering();
    const topic = await at.peal.topic("nas");
    const { id } = await at.device("ios", [topic]);
    at.apns.script.always("*", refused("InvalidProviderToken"));
    await at.publish(topic, "one");
    await at.until("the beginning to be told", async () => (await heardOf(at)).length === 1);
    await send(at.peal, "DELETE", `/v1/devices/${id}`);
    await at.device("ios", [topic]);
    await at.pass(10 * MINUTE);
    expect((await at.health()).push).toBe("degraded");
    at.apns.script.clear();
    await at.publish(topic, "two");
    await at.until("the end to be told", async () => (await heardOf(at)).length === 2);
    expect(await heardOf(at)).toMatchObject([
      { status: "firing" },
      { status: "resolved", title: "Pushes over apns:production are no longer paused" },
    ]);
  });
});
