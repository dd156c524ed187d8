/**
 * A problem that the operator has to fix pauses a lane, is reported in the push service's words, and ends without a
 * restart (DELIVERY.md §5).
 */
import { generateKeyPairSync } from "node:crypto";
import { mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "bun:test";
import type { REGISTERED } from "../../src/devices/device.ts";
import { deliveriesOf, deviceOf, send } from "../support/devices.ts";
import { eventually } from "../support/eventually.ts";
import { refused } from "../support/push/apns.ts";
import { IS_THOROUGH } from "../support/rounds.ts";
import { type Delivering, delivering, heardOf, HOUR, isAccepted, MINUTE, SECOND } from "./delivering.ts";

/** A problem that persists for this long would persist for any time: each minute is tried alike. */
const LONG = IS_THOROUGH ? HOUR : 10 * MINUTE;

/** Resolves once health reports these words about pushes. */
const told = async (at: Delivering, words: string): Promise<unknown> =>
  at.until(`the problem ${words}`, async () => {
    const { status, push, problems } = await at.health();
    return status === "degraded" && push === "degraded" && problems.some((problem) => problem.includes(words));
  });

interface Fault {
  name: string;
  platform: (typeof REGISTERED)[number];
  /** The words that the operator reads. */
  words: string;
  begin(at: Delivering): void;
  end(at: Delivering): void;
}

const faults: Fault[] = [
  {
    ...{ name: "a key that Apple does not know", platform: "ios", words: "InvalidProviderToken" },
    begin: ({ apns }) => apns.script.always("*", refused("InvalidProviderToken")),
    end: ({ apns }) => apns.script.clear(),
  },
  {
    ...{ name: "a key of the other environment", platform: "ios", words: "BadEnvironmentKeyIdInToken" },
    begin: ({ apns }) => apns.script.always("*", { status: 403, reason: "BadEnvironmentKeyIdInToken" }),
    end: ({ apns }) => apns.script.clear(),
  },
  {
    ...{ name: "a token that Apple calls expired each time", platform: "ios", words: "ExpiredProviderToken" },
    begin: ({ apns }) => apns.script.always("*", refused("ExpiredProviderToken")),
    end: ({ apns }) => apns.script.clear(),
  },
  {
    ...{ name: "a service account that was removed", platform: "android", words: "invalid_grant" },
    begin: ({ fcm }) => {
      fcm.revokeTokens();
      fcm.isRevoked = true;
    },
    end: ({ fcm }) => (fcm.isRevoked = false),
  },
  {
    ...{ name: "an API that is switched off", platform: "android", words: "PERMISSION_DENIED" },
    begin: ({ fcm }) =>
      fcm.script.always("*", {
        status: 403,
        body: JSON.stringify({ error: { code: 403, status: "PERMISSION_DENIED" } }),
      }),
    end: ({ fcm }) => fcm.script.clear(),
  },
  {
    ...{ name: "a signature that a browser's service refuses", platform: "web", words: "BadJwtToken" },
    begin: ({ web }) => web.script.always("*", { status: 403, body: '{"reason":"BadJwtToken"}' }),
    end: ({ web }) => web.script.clear(),
  },
];

test.each(faults)("$name pauses the lane, which resumes by itself", async ({ platform, words, begin, end }) => {
  await using at = await delivering();
  const topic = await at.peal.topic("nas");
  const [device] = [await at.device(platform, [topic]), await at.device(platform, [topic])];
  await at.all("accepted", topic, await at.publish(topic, "before"));
  begin(at);
  const ids = [await at.publish(topic, "one"), await at.publish(topic, "two")];
  await told(at, words);
  await at.pass(LONG);
  for (const id of ids)
    for (const delivery of (await deliveriesOf(at.peal, topic, id)).deliveries)
      expect(delivery).toMatchObject({
        state: "pending",
        attempts: 0,
        waits_for: expect.stringContaining("paused: ") as unknown,
      });
  const [firing, ...others] = await at.until("the operators to hear of it", async () => {
    const messages = await heardOf(at);
    return messages.length > 0 ? messages : undefined;
  });
  expect(firing?.status).toBe("firing");
  expect(firing?.message).toContain(words);
  expect(others).toEqual([]);
  expect(at.logs.filter((line) => line.includes("pushes are paused")).length).toBe(1);

  end(at);
  await at.until("all to be accepted", async () => {
    const pages = await Promise.all(ids.map(async (id) => deliveriesOf(at.peal, topic, id)));
    return pages.every(({ deliveries }) => deliveries.every(({ state }) => state === "accepted"));
  });
  await at.until("the end to be told", async () => (await heardOf(at)).some(({ status }) => status === "resolved"));
  expect((await heardOf(at)).length).toBe(2);
  expect((await at.health()).push).toBe("ok");
  expect((await deviceOf(at.peal, device.id)).status).toBe("active");
});

test("invalid credentials leave the lane paused and the server running; the right file resumes it at once", async () => {
  const directory = await mkdtemp(join(tmpdir(), "peal-credentials-"));
  const file = join(directory, "key.p8");
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  await writeFile(file, privateKey.export({ type: "pkcs8", format: "pem" }));
  try {
    await using at = await delivering({ env: { PEAL_APNS_KEY: "", PEAL_APNS_KEY_FILE: file } });
    expect((await at.health()).problems[0]).toContain("PEAL_APNS_KEY holds a key of another kind");
    const topic = await at.peal.topic("nas");
    await at.device("ios", [topic]);
    const id = await at.publish(topic, "one");
    await at.when(topic, id, ({ waits_for }) => waits_for !== undefined);
    await writeFile(file, at.apns.key);
    await utimes(file, 1, 1); // a file system may store coarse times
    await at.until("the push", async () => isAccepted(at, topic, id), 30 * SECOND);
    expect(await at.health()).toMatchObject({ push: "ok", problems: [] });
  } finally {
    await rm(directory, { recursive: true });
  }
});

test("an alert ends as the one that it began, even if the file for Firebase belongs to another project by then", async () => {
  const directory = await mkdtemp(join(tmpdir(), "peal-credentials-"));
  const file = join(directory, "firebase.json");
  await writeFile(file, "{}");
  try {
    await using at = await delivering({ env: { PEAL_FCM_CREDENTIALS: "", PEAL_FCM_CREDENTIALS_FILE: file } });
    const topic = await at.peal.topic("nas");
    await at.device("android", [topic]);
    const id = await at.publish(topic, "one");
    await at.until("the beginning to be told", async () => (await heardOf(at)).length === 1);
    await writeFile(file, at.fcm.credentials);
    await at.until("the end to be told", async () => (await heardOf(at)).length === 2);
    expect(await heardOf(at)).toMatchObject([
      { status: "firing", dedup_key: "delivery:fcm" },
      { status: "resolved", dedup_key: "delivery:fcm" },
    ]);
    await at.all("accepted", topic, id);
  } finally {
    await rm(directory, { recursive: true });
  }
});

test("a problem that was reported before a restart is not reported again, but its end is", async () => {
  await using at = await delivering();
  const topic = await at.peal.topic("nas");
  for (const platform of ["ios", "web"] as const) await at.device(platform, [topic]);
  at.apns.script.always("*", refused("InvalidProviderToken"));
  const id = await at.publish(topic, "one");
  await at.until("the beginning to be told", async () => (await heardOf(at)).length === 1);
  await at.when(topic, id, ({ lane, state }) => (state === "accepted") === lane.startsWith("webpush:"));

  // it is still unknown whether it is fixed: the answers of another lane do not show that, nor does slowness of Apple
  at.apns.script.clear();
  at.apns.script.always("*", { kind: "silence" });
  await at.peal.restart();
  const sent = at.apns.received.length;
  await eventually("the next try", () => at.apns.received.length > sent);
  const during = await at.publish(topic, "two");
  await eventually(
    "the browser to have it",
    async () => (await deliveriesOf(at.peal, topic, during)).counts["accepted"] === 1,
  );
  await at.pass(MINUTE);
  expect(await heardOf(at)).toMatchObject([{ status: "firing" }]);
  at.apns.script.always("*", refused("InvalidProviderToken"));
  await told(at, "InvalidProviderToken");
  await at.pass(HOUR);
  expect(await heardOf(at)).toMatchObject([{ status: "firing" }]);

  await at.peal.restart();
  at.apns.script.clear();
  await at.until("all to be accepted", async () => {
    const pages = await Promise.all([id, during].map(async (one) => deliveriesOf(at.peal, topic, one)));
    return pages.every(({ counts }) => counts["accepted"] === 2);
  });
  await at.until("the end to be told", async () => (await heardOf(at)).length === 2);
  await at.peal.restart();
  await at.all("accepted", topic, await at.publish(topic, "three"));
  await at.pass(MINUTE);
  expect(await heardOf(at)).toMatchObject([
    { status: "firing", dedup_key: "delivery:apns:production" },
    { status: "resolved", dedup_key: "delivery:apns:production" },
  ]);
});

/** Publishes to a device of each platform; returns a function that lists lane, state and tries of each. */
async function ofEachPlatform(at: Delivering): Promise<() => Promise<string[]>> {
  const topic = await at.peal.topic("nas");
  for (const platform of ["ios", "android", "web"] as const) await at.device(platform, [topic]);
  const id = await at.publish(topic, "one");
  return async () => {
    const { deliveries } = await deliveriesOf(at.peal, topic, id);
    return deliveries.map((one) => `${one.lane.split(":", 1).join("")} ${one.state} ${String(one["attempts"])}`);
  };
}
const ACCEPTED = ["apns accepted 1", "fcm accepted 1", "webpush accepted 1"];
const areAccepted = (states: readonly string[]) =>
  states.length === ACCEPTED.length && states.every((state) => state.includes(" accepted "));

test("a clock that is 10 min ahead is reported, and what is refused because of it waits until it is correct", async () => {
  await using at = await delivering({ skewMs: 10 * MINUTE });
  const states = await ofEachPlatform(at);
  const WORDS = [
    /^Pushes over apns:production are paused\. .* InvalidProviderToken\. The clock of this server is 10 min ahead of /,
    /^Pushes over fcm:\S+ are paused\. The clock of this server is wrong\. Google says invalid_grant\.$/,
  ];
  const { problems } = await at.until("both to be told", async () => {
    const health = await at.health();
    return health.problems.length === 2 ? health : undefined;
  });
  expect(problems.toSorted()).toEqual(WORDS.map((words) => expect.stringMatching(words) as string));
  await at.until("the browser's", async () => (await states()).includes("webpush accepted 1"));
  expect(await states()).toEqual(["apns pending 0", "fcm pending 0", "webpush accepted 1"]);

  at.clock.jump(-10 * MINUTE);
  await at.until("all", async () => areAccepted(await states()));
  expect(await states()).toEqual(ACCEPTED);
  expect(await at.health()).toMatchObject({
    push: "ok",
    problems: [
      expect.stringMatching(/^The clock was set back by 10 min(?:, from \d\d:\d0 to \d\d:\d0 \((?!UTC).+\))?\.$/),
    ],
  });
});

test("a clock that is 10 min behind stops nothing", async () => {
  await using at = await delivering({ skewMs: -10 * MINUTE });
  const states = await ofEachPlatform(at);
  await eventually("all", async () => areAccepted(await states()));
  expect(await states()).toEqual(ACCEPTED);
  expect(await at.health()).toMatchObject({ push: "ok", problems: [] });
});

test("a token of the other environment is found there, permanently", async () => {
  await using at = await delivering();
  const topic = await at.peal.topic("nas");
  const { id, token } = await at.device("ios", [topic]);
  at.apns.script.once(token, refused("BadDeviceToken"));
  const first = await at.publish(topic, "one");
  const [delivery] = await at.when(topic, first, ({ state }) => state === "accepted");
  expect(delivery).toMatchObject({ lane: "apns:sandbox", attempts: 2 });
  const second = await at.publish(topic, "two");
  expect(await at.when(topic, second, ({ state }) => state === "accepted")).toMatchObject([
    { lane: "apns:sandbox", attempts: 1 },
  ]);
  expect((await deviceOf(at.peal, id)).status).toBe("active");
});

test.each(["", ", also after their apps were started again"])(
  "many tokens reported gone are not believed%s: some are, then the lane is braked, and continues with the valid ones",
  async (again) => {
    await using at = await delivering();
    const topic = await at.peal.topic("nas");
    const devices: { id: string; token: string }[] = [];
    for (let n = 0; n < 12; n++) devices.push(await at.device("android", [topic]));
    await at.all("accepted", topic, await at.publish(topic, "before"));
    await at.pass(11 * MINUTE);
    if (again !== "")
      for (const { token } of devices) await send(at.peal, "POST", "/v1/devices", { platform: "android", token });
    at.fcm.script.always("*", { status: 404, body: UNREGISTERED });
    const id = await at.publish(topic, "one");
    await told(at, "UNREGISTERED");
    const lost = async () => {
      const states = await Promise.all(devices.map(async (device) => (await deviceOf(at.peal, device.id)).status));
      return states.filter((status) => status === "expired").length;
    };
    await at.pass(LONG);
    expect(await lost()).toBe(4);
    at.fcm.script.clear();
    await at.until("the others to be accepted", async () => {
      const { counts } = await deliveriesOf(at.peal, topic, id);
      return counts["accepted"] === 8;
    });
    expect(await lost()).toBe(4);
    expect((await at.health()).push).toBe("ok");
  },
);

const UNREGISTERED = JSON.stringify({
  error: {
    ...{ code: 404, status: "NOT_FOUND", message: "Requested entity was not found." },
    details: [{ "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError", errorCode: "UNREGISTERED" }],
  },
});
