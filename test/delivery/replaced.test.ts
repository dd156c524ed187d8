/** Apple's key is replaced while the server runs: another key with another id (docs/push/own-app.md). */
import { generateKeyPairSync } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "bun:test";
import type { TestTopic } from "../support/client.ts";
import { type Delivering, delivering, isAccepted, SECOND } from "./delivering.ts";

interface Replacing {
  at: Delivering;
  /** The topic of one device, for which the older key worked until now. */
  topic: TestTopic;
  /** Writes the file that a setting names. */
  write(name: "key" | "keyId", text: string): Promise<void>;
}

/** Runs on a server that reads key and id from files, with a key that Apple no longer accepts. */
async function replacing(run: (replacing: Replacing) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "peal-replaced-"));
  const files = { key: join(directory, "key.p8"), keyId: join(directory, "key_id") };
  const write: Replacing["write"] = async (name, text) => writeFile(files[name], `${text}\n`);
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  await write("key", privateKey.export({ type: "pkcs8", format: "pem" }));
  await write("keyId", "OLDTESTKEY");
  const env = { PEAL_APNS_KEY_FILE: files.key, PEAL_APNS_KEY_ID_FILE: files.keyId };
  try {
    await using at = await delivering({ env: { PEAL_APNS_KEY: "", PEAL_APNS_KEY_ID: "", ...env } });
    const topic = await at.peal.topic("nas");
    await at.device("ios", [topic]);
    at.apns.script.once("*", { status: 200 });
    await at.all("accepted", topic, await at.publish(topic, "before"));
    await run({ at, topic, write });
  } finally {
    await rm(directory, { recursive: true });
  }
}

const told = async (at: Delivering, words: string) =>
  at.until(`the problem ${words}`, async () => {
    const { push, problems } = await at.health();
    return push === "degraded" && problems.some((problem) => problem.includes(words));
  });

test.each([
  ["key", "keyId"],
  ["keyId", "key"],
] as const)(
  "the %s first and the %s later: the lane is paused until both match, then resumes",
  async (first, second) => {
    await replacing(async ({ at, topic, write }) => {
      const id = await at.publish(topic, "one");
      await told(at, "Apple says InvalidProviderToken");

      await write(first, at.apns[first]);
      await at.until("the half to be tried", () => at.apns.tokens.length > 1);
      await told(at, "Apple says InvalidProviderToken");
      await at.when(topic, id, ({ state, attempts }) => state === "pending" && attempts === 0);

      await write(second, at.apns[second]);
      await at.until("the push", async () => isAccepted(at, topic, id), 30 * SECOND);
      expect(await at.health()).toMatchObject({ push: "ok", problems: [] });
      expect(at.logs.filter((line) => line.includes("credentials were replaced")).length).toBe(2);
    });
  },
);

test("both at once cause no refusal; an invalid id is reported, and waits", async () => {
  await replacing(async ({ at, topic, write }) => {
    await write("keyId", "AuthKey_ABC123DEFG.p8");
    await told(at, "PEAL_APNS_KEY_ID is no id of a key");
    const id = await at.publish(topic, "one");
    await at.when(topic, id, ({ waits_for }) => waits_for === "paused: invalid_credentials");

    await write("key", at.apns.key);
    await write("keyId", at.apns.keyId);
    await at.until("the push", async () => isAccepted(at, topic, id), 30 * SECOND);
    expect(at.apns.received.map(({ status }) => status)).toEqual([200, 200]);
    expect(await at.health()).toMatchObject({ push: "ok", problems: [] });
  });
});
