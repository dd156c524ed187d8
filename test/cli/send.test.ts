/** `peal send` exits with 0 once the server has the message on disk, otherwise with the reason (docs/send.md). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestMessage } from "../support/client.ts";
import { peal as runPeal } from "../support/command.ts";
import { cleanEnv, COMMAND, startPeal, type Peal } from "../support/server.ts";

let peal: Peal;
let env: Record<string, string>;
beforeAll(async () => {
  peal = await startPeal();
  env = { PEAL_URL: peal.url, PEAL_KEY: (await peal.mint("publish")).key };
});
const folder = mkdtempSync(join(tmpdir(), "peal-send-"));
afterAll(async () => {
  await peal[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

const send = async (...args: string[]) => runPeal(["send", ...args], env);
const DONE = { code: 0, stdout: "", stderr: "" };

async function got(name: string, from = peal): Promise<TestMessage[]> {
  const { topics } = (await (await from.api("GET", "/v1/home/topics")).json()) as {
    topics: { name: string; key: string }[];
  };
  const topic = topics.find((one) => one.name === name);
  return topic === undefined ? [] : from.history({ namespace: "home", key: topic.key });
}

test("every field arrives, and nothing is printed", async () => {
  const fields = ["--title", "Backup", "--level", "error", "--priority", "high", "--tag", "nas", "--tag", "disk,raid"];
  const more = ["--url", "https://nas.example/", "--dedup-key", "backup", "--format", "markdown"];
  expect(await send("home/fields", "It *failed*", ...fields, ...more)).toEqual(DONE);
  expect(await got("fields")).toMatchObject([
    {
      ...{ message: "It *failed*", title: "Backup", level: "error", priority: "high", tags: ["nas", "disk", "raid"] },
      ...{ url: "https://nas.example/", dedup_key: "backup", format: "markdown", source: "api" },
    },
  ]);
});

describe("the text is standard input", () => {
  test("without an argument, with `-`, and beside a title", async () => {
    for (const args of [[], ["-"], ["--title", "Disks"]])
      expect(await runPeal(["send", "home/input", ...args], env, "/", "90 % full\nof sda\n")).toEqual(DONE);
    const texts = (await got("input")).map(({ message, title }) => [message, title]);
    const text = "90 % full\nof sda";
    expect(texts).toEqual([[text, undefined], [text, undefined], [text, "Disks"]]); // prettier-ignore
  });

  test("as long as a message can be, whatever its bytes; the rest is read, and the message says that it is cut", async () => {
    const bytes = Buffer.concat([Buffer.from("first line\n"), Buffer.alloc(3_000_000, "ü\x01")]);
    const child = Bun.spawn([...COMMAND, "send", "home/long"], { env: cleanEnv(env), stdin: bytes });
    expect(await child.exited).toBe(0);
    const [message] = await got("long");
    expect(message?.message).toStartWith("first line\nüü");
    expect(message).toMatchObject({ tags: ["truncated"] });
  });

  test("if it is empty, the title or else `(no text)` is the message", async () => {
    expect(await send("home/empty", "--title", "Only a title")).toEqual(DONE);
    expect(await send("home/empty")).toEqual(DONE);
    expect((await got("empty")).map(({ message }) => message)).toEqual(["Only a title", "(no text)"]);
  });
});

test("files are attached, byte for byte, also a small text without a message", async () => {
  const [picture, log] = [join(folder, "door.bin"), join(folder, "door.log")];
  const bytes = Buffer.from(crypto.getRandomValues(new Uint8Array(100_000)));
  writeFileSync(picture, bytes);
  writeFileSync(log, "it rang");
  expect(await send("home/door", "Somebody rang", "--file", picture, "--file", log)).toEqual(DONE);
  expect(await send("home/door", "--file", log)).toEqual(DONE);
  const [two, one] = (await got("door")) as unknown as {
    message: string;
    attachments: { name: string; url: string }[];
  }[];
  expect(two).toMatchObject({ message: "Somebody rang", attachments: [{ name: "door.bin" }, { name: "door.log" }] });
  expect(one).toMatchObject({ message: "door.log", attachments: [{ name: "door.log" }] });
  const answered = await (await fetch(two?.attachments[0]?.url ?? "")).bytes();
  expect(bytes.equals(answered)).toBe(true);
});

test("a message for later waits on the server, by a time or by how long it is until then", async () => {
  const at = new Date(Date.now() + 86_400_000).toISOString();
  expect(await send("home/later", "tomorrow", "--at", at)).toEqual(DONE);
  expect(await send("home/later", "in a while", "--delay", "1h30m")).toEqual(DONE);
  const { scheduled } = (await (await peal.api("GET", "/v1/home/scheduled")).json()) as {
    scheduled: { message: string; created_at: string; scheduled: { deliver_at: string } }[];
  };
  const [soon, tomorrow] = scheduled;
  expect(Date.parse(soon?.scheduled.deliver_at ?? "") - Date.parse(soon?.created_at ?? "")).toBeWithin(
    5_399_000,
    5_401_000,
  );
  expect(tomorrow).toMatchObject({ message: "tomorrow", scheduled: { deliver_at: at } });
});

test("--json prints the server's answer, and what it could not use is named on standard error", async () => {
  const { code, stdout, stderr } = await send("home/json", "hi", "--level", "errro", "--json");
  expect(JSON.parse(stdout)).toMatchObject({ id: 1, message: "hi", level: "info", topic_name: "json" });
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringContaining("peal send: left out level: ") as string,
  });
});

test("on the server's own machine no key is needed", async () => {
  const local = { PEAL_DATA_DIR: peal.dataDir };
  expect(await runPeal(["send", "home/local", "from here"], local)).toEqual(DONE);
  expect(await got("local")).toMatchObject([{ message: "from here" }]);
});

test("a message that exited with 0 survives kill -9; a server that is away is waited for", async () => {
  await using own = await startPeal();
  const there = { PEAL_URL: own.url, PEAL_KEY: own.adminKey };
  expect(await runPeal(["send", "home/kept", "one"], there)).toEqual(DONE);
  await own.kill("SIGKILL");
  expect(await runPeal(["send", "home/kept", "lost", "--wait", "1s"], there)).toEqual({
    ...{ code: 1, stdout: "" },
    stderr: `peal: not sent: ${own.url} can't be reached (ECONNREFUSED)\n`,
  });
  const sent = runPeal(["send", "home/kept", "two"], there);
  await own.start();
  expect(await sent).toEqual(DONE);
  expect((await got("kept", own)).map(({ message }) => message)).toEqual(["one", "two"]);
});

test("a message whose answer got lost is stored once: each try has the same idempotency key", async () => {
  let tries = 0;
  await using front = {
    server: Bun.serve({
      ...{ hostname: "127.0.0.1", port: 0 },
      fetch: async (request) => {
        const { pathname } = new URL(request.url);
        const response = await fetch(peal.url + pathname, {
          ...{ method: "POST", headers: request.headers, body: await request.bytes() },
        });
        return ++tries < 3 ? new Response("bad gateway", { status: 502 }) : response;
      },
    }),
    [Symbol.asyncDispose]: async () => front.server.stop(true),
  };
  const through = { ...env, PEAL_URL: front.server.url.href };
  const sent = await runPeal(["send", "home/once", "once", "--file", join(folder, "door.log")], through);
  expect([sent, tries]).toEqual([DONE, 3]);
  expect(await got("once")).toHaveLength(1);
});

describe("what is refused for good exits with 1 at once, with the reason and never with the key", () => {
  test("a wrong key, and one that belongs elsewhere", async () => {
    const wrong = { ...env, PEAL_KEY: `svc_${"0".repeat(64)}` };
    const unknown = await runPeal(["send", "home/x", "hi", "--wait", "1d"], wrong);
    expect(unknown.code).toBe(1);
    expect(unknown.stderr).toStartWith(`peal: not sent: ${peal.url} answered 401: The key is mistyped`);
    const other = await send("media/x", "hi", "--wait", "1d");
    expect(other.stderr).toContain("answered 403: The key doesn't belong to namespace `media`");
    expect(unknown.stderr + other.stderr).not.toContain("svc_0");
  });

  // prettier-ignore
  const WRONG: [what: string, args: string[], told: string][] = [
    ["no topic",            [],                                              "<namespace>/<topic> is missing"],
    ["half a topic",        ["home", "x"],                                   "must have the form"],
    ["two times",           ["home/x", "x", "--at", "now", "--delay", "1h"], "can't be combined"],
    ["a time that is none", ["home/x", "x", "--at", "noon"],                 "--at noon"],
    ["a delay that is none", ["home/x", "x", "--delay", "soon"],             "--delay soon"],
    ["five files",          ["home/x", ..."12345".split("").flatMap(() => ["--file", "/etc/hostname"])], "at most 4 files"],
  ];
  test.each(WRONG)("a command line with %s is refused with 64", async (_, args, told) => {
    const { code, stderr } = await send(...args);
    expect(code).toBe(64);
    expect(stderr).toContain(told);
  });

  test("a file that cannot be read", async () => {
    const { code, stderr } = await send("home/x", "--file", "/no/such/file");
    expect([code, stderr]).toEqual([1, "peal: --file /no/such/file: can't be read (ENOENT)\n"]);
  });

  test("an answer that is not from peal", async () => {
    await using portal = {
      server: Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("<h1>Welcome</h1>") }),
      [Symbol.asyncDispose]: async () => portal.server.stop(true),
    };
    const { code, stderr } = await runPeal(["send", "home/x", "hi"], { ...env, PEAL_URL: portal.server.url.href });
    expect([code, stderr]).toEqual([1, "peal: not sent: the answer is not from peal. Is the address right?\n"]);
  });
});
