/** A device of another app looks like a wrong key: the cause is found without stopping the others (DELIVERY.md §9). */
import { mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "bun:test";
import type { REGISTERED } from "../../src/devices/device.ts";
import type { TestTopic } from "../support/client.ts";
import { deliveriesOf, deviceOf } from "../support/devices.ts";
import { eventually } from "../support/eventually.ts";
import { refused } from "../support/push/apns.ts";
import { fcmError } from "../support/push/fcm.ts";
import { type Delivering, delivering, MINUTE, SECOND } from "./delivering.ts";

interface Kind {
  platform: (typeof REGISTERED)[number];
  said: string;
  /** Makes the push service refuse a device, or all, as if it belonged to another app. */
  refuse(at: Delivering, token: string): void;
  received(at: Delivering): number;
  /** What becomes of its delivery. */
  status: string;
}

const kinds: Kind[] = [
  {
    ...{ platform: "android", said: "SENDER_ID_MISMATCH", status: "expired" },
    refuse: ({ fcm }, token) => fcm.script.always(token, fcmError("SENDER_ID_MISMATCH")),
    received: ({ fcm }) => fcm.received.length,
  },
  {
    ...{ platform: "ios", said: "DeviceTokenNotForTopic", status: "expired" },
    refuse: ({ apns }, token) => apns.script.always(token, refused("DeviceTokenNotForTopic")),
    received: ({ apns }) => apns.received.length,
  },
  {
    ...{ platform: "web", said: "a reason that nobody knows", status: "active" },
    refuse: ({ web }, token) =>
      web.script.always(token, { status: 403, body: JSON.stringify({ message: "a reason that nobody knows" }) }),
    received: ({ web }) => web.received.length,
  },
];

const acceptedOf = async (at: Delivering, topic: TestTopic, id: number): Promise<number> =>
  (await deliveriesOf(at.peal, topic, id)).counts["accepted"] ?? 0;
const told = (at: Delivering): number => at.logs.filter((line) => line.includes("pushes are paused")).length;
const devices = async (count: number, at: Delivering, { platform }: Kind, topic: TestTopic) => {
  const made = [];
  for (let n = 0; n < count; n++) made.push(await at.device(platform, [topic]));
  return made;
};

/** Waits while something is published every 20 s; everything is answered at once by the test's clock. */
const amid = async (at: Delivering, topic: TestTopic, what: string, look: () => Promise<boolean>) => {
  let last = at.clock.monotonic();
  await at.until(what, async () => {
    await eventually("nothing on its way", () => !at.peal.running.deps.delivery.isAtWork());
    if (at.clock.monotonic() - last < 20 * SECOND) return look();
    last = at.clock.monotonic();
    await at.publish(topic, "more");
    return false;
  });
};

describe.each(kinds)("a device of another app ($said)", (kind) => {
  const { refuse, received, status } = kind;

  test("stops no others when it is the first", async () => {
    await using at = await delivering();
    const topic = await at.peal.topic("nas");
    const [bad = { id: "", token: "" }] = await devices(1, at, kind, topic);
    refuse(at, bad.token);
    await at.publish(topic, "first");
    await at.until("the operator to be told", async () => (await at.health()).push === "degraded");
    await devices(5, at, kind, topic);
    const id = await at.publish(topic, "hello");
    for (let n = 0; n < 3; n++) {
      await at.pass(20 * SECOND);
      await at.publish(topic, `n${n}`);
    }
    // the clock stands still meanwhile, so that what is in flight arrives without delay
    await eventually("all others to be told", async () => (await acceptedOf(at, topic, id)) === 5);
    await at.until("the end of the trouble", async () => (await at.health()).push === "ok");
    expect((await deviceOf(at.peal, bad.id)).status).toBe(status);
    expect(told(at)).toBe(1);
  });

  test("and 19 more of them delay the others by seconds", async () => {
    await using at = await delivering();
    const topic = await at.peal.topic("nas");
    for (const { token } of await devices(20, at, kind, topic)) refuse(at, token);
    await at.publish(topic, "first");
    await at.until("the operator to be told", () => told(at) === 1);
    await devices(5, at, kind, topic);
    const id = await at.publish(topic, "hello");
    const begun = at.clock.monotonic();
    await amid(at, topic, "the others to have theirs", async () => (await acceptedOf(at, topic, id)) === 5);
    expect(at.clock.monotonic() - begun).toBeLessThan(5 * MINUTE); // 20 times 5 s, the step of this clock
    await amid(at, topic, "the end of the trouble", async () => (await at.health()).push === "ok");
    expect(told(at)).toBeLessThan(7); // because of those to be pruned, at most four at once
  });

  test("is not assumed where all are refused: this is reported once, one device is tried a minute, and it ends by itself", async () => {
    await using at = await delivering();
    const topic = await at.peal.topic("nas");
    await devices(10, at, kind, topic);
    refuse(at, "*");
    const id = await at.publish(topic, "first");
    await at.until("the operator to be told", () => told(at) === 1);
    await at.pass(MINUTE); // each device was tried once
    const before = received(at);
    expect(before).toBeLessThan(20);
    for (let n = 0; n < 30; n++) {
      await at.pass(20 * SECOND);
      await at.publish(topic, `n${n}`);
    }
    expect(received(at) - before).toBeLessThan(20); // of 300 pushes
    expect(received(at) - before).toBeGreaterThan(3);
    expect((await deliveriesOf(at.peal, topic, id)).counts).toMatchObject({ pending: 10 });
    expect(told(at)).toBe(1);
    for (const { script } of [at.apns, at.fcm, at.web]) script.clear();
    await at.until("all to be accepted", async () => (await acceptedOf(at, topic, id)) === 10);
    expect((await at.health()).push).toBe("ok");
  });
});

test("other credentials release all that were refused", async () => {
  const directory = await mkdtemp(join(tmpdir(), "peal-credentials-"));
  const file = join(directory, "account.json");
  try {
    await using at = await delivering({
      env: { PEAL_FCM_CREDENTIALS: "", PEAL_FCM_CREDENTIALS_FILE: file },
      prepare: async ({ fcm }) => writeFile(file, fcm.credentials),
    });
    const topic = await at.peal.topic("nas");
    for (let n = 0; n < 5; n++) await at.device("android", [topic]);
    at.fcm.script.always("*", fcmError("SENDER_ID_MISMATCH"));
    const id = await at.publish(topic, "hello");
    await at.until("all to be refused", async () => {
      const { deliveries } = await deliveriesOf(at.peal, topic, id);
      return deliveries.length === 5 && deliveries.every((one) => one["last_reason"] === "SENDER_ID_MISMATCH");
    });
    at.fcm.script.clear();
    const account = JSON.parse(at.fcm.credentials) as object;
    await writeFile(file, JSON.stringify({ ...account, private_key_id: "another" }));
    await utimes(file, 1, 1); // a file system may store coarse times
    await at.until("all to be accepted", async () => (await acceptedOf(at, topic, id)) === 5);
  } finally {
    await rm(directory, { recursive: true });
  }
});
