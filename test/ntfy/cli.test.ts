/** The real command `ntfy` of Debian's package publishes to peal, and ends with 0 (NTFY.md §2). */
import { afterAll, beforeAll, expect } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestMessage, TestTopic } from "../support/client.ts";
import { ntfyObject, type NtfyObject } from "../support/ntfy-object.ts";
import { startPeal, type Peal } from "../support/server.ts";
import { testWith } from "../support/tools.ts";

const testWithNtfy = testWith("ntfy");

let peal: Peal;
let topic: TestTopic;
let key: string;
let folder: string;
beforeAll(async () => {
  peal = await startPeal();
  topic = await peal.topic("cli");
  ({ key } = await peal.mint("publish"));
  folder = await mkdtemp(join(tmpdir(), "peal-ntfy-cli-"));
});
afterAll(async () => {
  await peal[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

interface Ran {
  exit: number;
  out: string;
  err: string;
}

async function ntfy(args: readonly string[], env: Record<string, string> = {}, input = ""): Promise<Ran> {
  const ran = Bun.spawn(["ntfy", "publish", ...args], {
    cwd: folder,
    env: { PATH: process.env["PATH"] ?? "", HOME: folder, ...env },
    stdio: [new Blob([input]), "pipe", "pipe"],
  });
  const [out, err] = await Promise.all([ran.stdout.text(), ran.stderr.text()]);
  return { exit: await ran.exited, out, err };
}

/** Publishes, and returns what the command prints and what peal keeps. */
async function published(args: readonly string[], env?: Record<string, string>, input?: string) {
  const before = (await peal.history(topic)).length;
  const { exit, out, err } = await ntfy(args, env, input);
  if (exit !== 0) throw new Error(`ntfy ended with ${exit}: ${err}`);
  const kept = await peal.history(topic);
  return { told: ntfyObject(out) satisfies NtfyObject, kept: kept.slice(before) satisfies TestMessage[] };
}

const addresses = () => [`${peal.url}/${topic.key}`, `${peal.url}/ntfy/home/cli`, `${peal.url}/ntfy/home/${topic.key}`];

testWithNtfy("with everything that a message can have, at each address", async () => {
  for (const address of addresses()) {
    const options = [
      ...["--token", key, "--title", "Grüße vom NAS", "--priority", "high", "--tags", "warning,nas-1"],
      ...["--click", "https://nas.example/", "--markdown"],
      ...["--actions", "view, Open, https://nas.example/disks; http, Silence, https://nas.example/silence, method=PUT"],
    ];
    const { told, kept } = await published([...options, address, "backup", "**done**"]);
    expect(kept).toMatchObject([
      {
        ...{ title: "Grüße vom NAS", message: "backup **done**", priority: "high", tags: ["warning", "nas-1"] },
        ...{ url: "https://nas.example/", format: "markdown", source: "ntfy" },
        actions: [
          { label: "Open", url: "https://nas.example/disks" },
          { label: "Silence", url: "https://nas.example/silence", method: "PUT" },
        ],
      },
    ]);
    expect(told).toMatchObject({ event: "message", title: "Grüße vom NAS", priority: 4, content_type: "text/markdown" });
  }
});

testWithNtfy("with a user and a password, by its variables, and with what comes on its input", async () => {
  const [address = ""] = addresses();
  expect((await published(["--user", `anybody:${key}`, address, "by user"])).kept).toMatchObject([{ message: "by user" }]);
  const env = { NTFY_TOKEN: key, NTFY_TOPIC: address };
  expect((await published(["by", "variables"], env)).kept).toMatchObject([{ message: "by variables" }]);
  expect((await published(["--token", key, address], {}, "line 1\nline 2")).kept).toMatchObject([
    { message: "line 1\nline 2" },
  ]);
});

testWithNtfy("with its own settings file, which names the server and the token", async () => {
  const config = join(folder, "client.yml");
  await writeFile(config, `default-host: ${peal.url}/ntfy/home\ndefault-token: ${key}\n`);
  expect((await published(["--config", config, "cli", "by name"])).kept).toMatchObject([{ message: "by name" }]);
});

testWithNtfy("a file, a picture's address, an icon, and nothing at all", async () => {
  const [address = ""] = addresses();
  await writeFile(join(folder, "report.txt"), "all is well");
  const file = await published(["--token", key, "--file", "report.txt", "--title", "Report", address, "see there"]);
  expect(file.kept).toMatchObject([{ title: "Report", message: "see there", attachments: [{ name: "report.txt" }] }]);
  expect(file.told.attachment).toMatchObject({ name: "report.txt", size: 11 });
  const picture = ["--attach", "https://cam.example/1.jpg", "--filename", "door.jpg", "--icon", "https://nas.example/i.png"];
  expect((await published(["--token", key, ...picture, address, "door"])).kept).toMatchObject([
    { message: "door", image: "https://cam.example/1.jpg" },
  ]);
  expect((await published(["--token", key, address])).kept).toMatchObject([{ message: "triggered" }]);
});

testWithNtfy("later, once: the answer has its time", async () => {
  const [address = ""] = addresses();
  const { told, kept } = await published(["--token", key, "--delay", "2h", "--no-cache", "--email", "a@b.c", address, "later"]);
  expect(kept).toEqual([]);
  expect(told.time).toBeGreaterThan(Date.now() / 1000 + 7_000);
  const { scheduled } = (await (await peal.api("GET", "/v1/home/scheduled")).json()) as { scheduled: object[] };
  expect(scheduled).toMatchObject([{ message: "later", topic: topic.key }]);
});

testWithNtfy("a text that is longer than ntfy's answers may be", async () => {
  const [address = ""] = addresses();
  const { told, kept } = await published(["--token", key, address], {}, "Zeile ✓\n".repeat(3_000));
  expect(kept[0]?.message).toHaveLength("Zeile ✓\n".length * 3_000 - 1);
  expect(told.message).toContain(`…\n${peal.url}/home/${topic.key}`);
});

testWithNtfy("a command that it waited for, and its end", async () => {
  const [address = ""] = addresses();
  const { kept } = await published(["--token", key, "--wait-cmd", address, "true"]);
  expect(kept).toMatchObject([{ message: expect.stringContaining("Command succeeded") as string }]);
});

testWithNtfy("without a key it ends with 1, and says what was wrong", async () => {
  const [address = ""] = addresses();
  const { exit, err } = await ntfy([address, "refused"]);
  expect(exit).toBe(1);
  expect(err).toContain('"code":40101');
});
