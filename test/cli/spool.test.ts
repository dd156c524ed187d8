/** `peal send --spool`: a message that cannot be sent is kept, and sent once, in order, when the server is back (docs/send.md). */
import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withDice } from "../support/dice.ts";
import type { TestMessage } from "../support/client.ts";
import { peal as runPeal } from "../support/command.ts";
import { eventually } from "../support/eventually.ts";
import { cleanEnv, COMMAND, startPeal, type Peal } from "../support/server.ts";

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});
function newSpool(): string {
  const folder = mkdtempSync(join(tmpdir(), "peal-spool-"));
  folders.push(folder);
  return join(folder, "spool");
}
const there = (peal: Peal) => ({ PEAL_URL: peal.url, PEAL_KEY: peal.adminKey });
const waiting = (spool: string): string[] => readdirSync(spool).filter((name) => name.endsWith(".msg")).sort(); // prettier-ignore
const DONE = { code: 0, stdout: "", stderr: "" };

async function got(peal: Peal, name = "kept"): Promise<TestMessage[]> {
  const { topics } = (await (await peal.api("GET", "/v1/home/topics")).json()) as {
    topics: { name: string; key: string }[];
  };
  const topic = topics.find((one) => one.name === name);
  return topic === undefined ? [] : peal.history({ namespace: "home", key: topic.key });
}

/** A server that is away, and messages that were to be sent to it meanwhile. */
async function away(texts: readonly string[]) {
  const peal = await startPeal();
  await peal.kill("SIGKILL");
  const spool = newSpool();
  for (const text of texts) {
    const { code, stderr } = await runPeal(["send", "home/kept", text, "--spool", spool, "--wait", "1s"], there(peal));
    expect(code).toBe(75);
    expect(stderr).toContain(`in ${spool}: ${peal.url} can't be reached (ECONNREFUSED)\n`);
  }
  return { peal, spool, send: async (...args: string[]) => runPeal(["send", ...args, "--spool", spool], there(peal)) };
}

test("messages wait while the server is away, private to their user, and are sent before the next one, with their own times", async () => {
  const { peal, spool, send } = await away(["one", "two"]);
  // eslint-disable-next-line @typescript-eslint/no-unused-vars -- it ends with the block
  await using _ = peal;
  expect(waiting(spool)).toHaveLength(2);
  const modes = [spool, ...waiting(spool).map((name) => join(spool, name))].map((path) => statSync(path).mode & 0o777);
  expect(modes).toEqual([0o700, 0o600, 0o600]);
  expect(readFileSync(join(spool, waiting(spool)[0] ?? ""), "utf8")).not.toContain("svc_");
  const before = new Date().toISOString();
  await peal.start();
  expect(await send("home/kept", "three")).toEqual(DONE);
  const messages = await got(peal);
  expect(messages.map(({ message }) => message)).toEqual(["one", "two", "three"]);
  for (const late of messages.slice(0, 2)) {
    expect(String(late["timestamp"]) < before).toBe(true);
    expect(late.created_at > before).toBe(true);
  }
  expect(waiting(spool)).toEqual([]);
});

test("without a message it only sends what waits, and says how much", async () => {
  const { peal, send } = await away(["one", "two"]);
  // eslint-disable-next-line @typescript-eslint/no-unused-vars -- it ends with the block
  await using _ = peal;
  const still = await send("--wait", "1s", "--json");
  expect([still.code, still.stdout]).toEqual([75, '{"sent":0,"waiting":2,"refused":0}\n']);
  await peal.start();
  expect(await send("--json")).toEqual({ ...DONE, stdout: '{"sent":2,"waiting":0,"refused":0}\n' });
  expect(await send("--json")).toEqual({ ...DONE, stdout: '{"sent":0,"waiting":0,"refused":0}\n' });
});

test("a message with a file and one for later wait as well", async () => {
  const { peal, spool, send } = await away([]);
  // eslint-disable-next-line @typescript-eslint/no-unused-vars -- it ends with the block
  await using _ = peal;
  const file = join(spool, "..", "log.txt");
  writeFileSync(file, "the log");
  expect((await send("home/kept", "with a file", "--file", file, "--wait", "1s")).code).toBe(75);
  expect((await send("home/kept", "later", "--delay", "1d", "--wait", "1s")).code).toBe(75);
  rmSync(file);
  await peal.start();
  expect(await send()).toEqual(DONE);
  expect(await got(peal)).toMatchObject([{ message: "with a file", attachments: [{ name: "log.txt" }] }]);
  const { scheduled } = (await (await peal.api("GET", "/v1/home/scheduled")).json()) as { scheduled: object[] };
  expect(scheduled).toMatchObject([{ message: "later" }]);
});

const ROUNDS = 6;
test("killed while it sends, again and again: each message comes once, in order", async () => {
  const texts = Array.from({ length: 12 }, (_, n) => `message ${n}`);
  await using peal = await startPeal();
  const spool = newSpool();
  // kept, and not one by one by processes: only what happens while they are sent is tried here
  const { keep } = await import("../../src/cli/spool.ts");
  for (const message of texts)
    keep(spool, {
      path: "/home/kept",
      key: crypto.randomUUID(),
      body: { type: "application/json", bytes: Buffer.from(JSON.stringify({ message })) },
    });
  await withDice(async (dice) => {
    for (let round = 0; round < ROUNDS; round++) {
      const least = Math.max(0, waiting(spool).length - 1 - Math.floor(dice() * 2));
      const child = Bun.spawn([...COMMAND, "send", "--spool", spool], { env: cleanEnv(there(peal)), stderr: "ignore" });
      await eventually("some to be sent", () => waiting(spool).length <= least || child.exitCode !== null);
      child.kill("SIGKILL");
      await child.exited;
      if (round === 2) {
        await peal.kill("SIGKILL");
        await peal.start();
      }
    }
  });
  expect(await runPeal(["send", "--spool", spool], there(peal))).toEqual(DONE);
  expect((await got(peal)).map(({ message }) => message)).toEqual(texts);
});

test("many at once neither double nor lose a message, and each ends with 0 when its own has arrived", async () => {
  const { peal, spool, send } = await away(["first"]);
  // eslint-disable-next-line @typescript-eslint/no-unused-vars -- it ends with the block
  await using _ = peal;
  await peal.start();
  const texts = Array.from({ length: 12 }, (_, n) => `at once ${n}`);
  const ran = await Promise.all(texts.map(async (text) => send("home/kept", text, "--wait", "1m")));
  expect(ran.map(({ code, stderr }) => [code, stderr])).toEqual(texts.map(() => [0, ""]));
  const messages = (await got(peal)).map(({ message }) => message);
  expect(messages[0]).toBe("first");
  expect(messages.slice(1).sort()).toEqual([...texts].sort());
  expect(waiting(spool)).toEqual([]);
});

describe("what the server refuses", () => {
  test("for good is set aside with the reason, and holds up no other", async () => {
    const { peal, spool, send } = await away(["one"]);
    // eslint-disable-next-line @typescript-eslint/no-unused-vars -- it ends with the block
    await using _ = peal;
    const other = await runPeal(["send", "media/x", "elsewhere", "--spool", spool, "--wait", "1s"], there(peal));
    expect(other.code).toBe(75);
    await peal.start();
    const { code, stderr } = await send("home/kept", "two");
    expect(code).toBe(0);
    expect(stderr).toContain("The key doesn't belong to namespace `media`");
    expect((await got(peal)).map(({ message }) => message)).toEqual(["one", "two"]);
    const [aside = "", why = ""] = readdirSync(join(spool, "refused")).sort();
    expect(stderr).toContain(`${spool}/refused/${aside}`);
    expect(readFileSync(join(spool, "refused", aside), "utf8")).toContain("elsewhere");
    expect(readFileSync(join(spool, "refused", why), "utf8")).toContain("answered 403");
    const own = await send("media/x", "again");
    expect([own.code, own.stderr]).toEqual([1, expect.stringContaining("peal: not sent, and now ") as string]);
  });

  test("because of the key stays until the key is right: exit code 1", async () => {
    await using peal = await startPeal();
    const spool = newSpool();
    const wrong = { ...there(peal), PEAL_KEY: `svc_${"0".repeat(64)}` };
    const { code, stderr } = await runPeal(["send", "home/kept", "one", "--spool", spool], wrong);
    expect([code, stderr]).toEqual([1, expect.stringContaining("1 message waits in") as string]);
    expect(await runPeal(["send", "--spool", spool], there(peal))).toEqual(DONE);
    expect((await got(peal)).map(({ message }) => message)).toEqual(["one"]);
  });

  test("what somebody else put there is set aside, too", async () => {
    const { peal, spool, send } = await away(["one"]);
    // eslint-disable-next-line @typescript-eslint/no-unused-vars -- it ends with the block
    await using _ = peal;
    writeFileSync(join(spool, "000000000000001-0123456789abcdef.msg"), "no message");
    await peal.start();
    const { code, stderr } = await send();
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining("it is not a message that peal has put there") as string,
    ]);
    expect((await got(peal)).map(({ message }) => message)).toEqual(["one"]);
  });
});

test("a folder that cannot be used is named, and the message is sent all the same", async () => {
  await using peal = await startPeal();
  const spool = ["--spool", "/dev/null/x"];
  const told = "--spool /dev/null/x: can't be used (ENOTDIR)";
  const sent = await runPeal(["send", "home/kept", "the disk is full", ...spool], there(peal));
  expect(sent).toEqual({ code: 0, stdout: "", stderr: `peal send: ${told}, so the message is only sent\n` });
  expect((await got(peal)).map(({ message }) => message)).toEqual(["the disk is full"]);
  expect(await runPeal(["send", ...spool], there(peal))).toEqual({ code: 1, stdout: "", stderr: `peal: ${told}\n` });
});
