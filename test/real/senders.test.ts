/** Widely used programs post to a topic in their own way, without peal's fields (docs/publish.md). */
import { afterAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { metric } from "../support/metric.ts";
import { startPeal } from "../support/server.ts";
import { testWith } from "../support/tools.ts";

const TEXT = 'Grüße: "93 %" of / <used> & more\nsecond line ⚠';

const peal = await startPeal();
const dir = await mkdtemp(join(tmpdir(), "peal-senders-"));
afterAll(async () => {
  await peal[Symbol.asyncDispose]();
  await rm(dir, { recursive: true, force: true });
});
const { key } = await peal.mint("publish");

/** Runs a program to its end, and returns its exit code and output. */
async function run(...command: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const child = Bun.spawn(command, {
    cwd: dir,
    env: { PATH: process.env["PATH"] ?? "", HOME: dir, LANG: "C.UTF-8", PYTHONUTF8: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { code: await child.exited, stdout, stderr };
}
async function file(name: string, content: string | Uint8Array): Promise<string> {
  await Bun.write(join(dir, name), content);
  return name;
}

describe("Apprise", () => {
  const withApprise = testWith("apprise");
  const send = async (scheme: string, name: string, ...more: string[]) => {
    const url = `${peal.url.replace("http", scheme)}/home/${name}`.replace("://", `://peal:${key}@`);
    return run("apprise", "-t", "Backup of nas", "-b", TEXT, ...more, url);
  };

  // its types are info, success, warning and failure
  withApprise.each([
    ["json", "info", "info"],
    ["json", "success", "success"],
    ["json", "failure", "error"],
    ["form", "warning", "warning"],
    ["form", "failure", "error"],
  ])(
    "%s:// of type %s is a message of level %s",
    async (scheme, type, level) => {
      const topic = await peal.topic(`apprise-${scheme}-${type}`);
      expect(await send(scheme, topic.name, "-n", type)).toMatchObject({ code: 0 });
      expect(await peal.history(topic)).toMatchObject([{ title: "Backup of nas", message: TEXT, level }]);
    },
    30_000, // Python takes a second or two to start
  );

  withApprise(
    "xml:// arrives with all that it says, as the text that it is",
    async () => {
      const topic = await peal.topic("apprise-xml");
      expect(await send("xml", topic.name, "-n", "failure")).toMatchObject({ code: 0 });
      const [message, ...more] = await peal.history(topic);
      expect(more).toEqual([]);
      for (const said of ["<Subject>Backup of nas</Subject>", "Grüße", "second line ⚠", "<MessageType>failure<"])
        expect(message?.message).toContain(said);
    },
    30_000,
  );
});

describe("curl", () => {
  const withCurl = testWith("curl");
  const bearer = ["-fsS", "-H", `Authorization: Bearer ${key}`];
  const long = "a line of a log\n".repeat(5_000);
  // PowerShell 5.1 on Windows writes files in this encoding
  const utf16 = new Uint8Array([0xff, 0xfe, ...new Uint8Array(Buffer.from(TEXT, "utf16le"))]);

  // prettier-ignore
  const rows: [name: string, content: string | Uint8Array, args: string[], shown: object][] = [
    ["data-binary",   TEXT,                        ["--data-binary", "@FILE", "URL"],                       { message: TEXT }],
    ["data-utf16",    utf16,                       ["--data-binary", "@FILE", "URL"],                       { message: TEXT }],
    ["data-json",     '{"message":"m","priority":5}', ["--data-binary", "@FILE", "URL"],                    { message: "m", priority: "urgent" }],
    ["data-long",     long,                        ["--data-binary", "@FILE", "URL"],                       { tags: ["truncated"] }],
    ["upload",        TEXT,                        ["-T", "FILE", "URL"],                                   { message: TEXT }],
    ["upload-query",  TEXT,                        ["-T", "FILE", "URL?title=Log&level=warn"],              { message: TEXT, title: "Log", level: "warning" }],
    ["upload-header", TEXT,                        ["-T", "FILE", "-H", "Title: Log", "-H", "Priority: 4", "URL"], { message: TEXT, title: "Log", priority: "high" }],
    ["form",          "",                          ["-F", `message=${TEXT}`, "-F", "title=Log", "-F", "tags=a,b", "URL"], { message: TEXT, title: "Log", tags: ["a", "b"] }],
    ["form-from",     TEXT,                        ["-F", "message=<FILE", "-F", "level=critical", "URL"],  { message: TEXT, level: "error" }],
    ["pipe",          TEXT,                        ["-T", "-", "URL"],                                      { message: TEXT }],
  ];
  withCurl.each(rows)("%s", async (name, content, args, shown) => {
    const topic = await peal.topic(name);
    const path = await file(`${name}.txt`, content);
    const words = args.map((arg) => arg.replace("FILE", path).replace("URL", `${peal.url}/home/${name}`));
    const command =
      name === "pipe"
        ? await run("sh", "-c", `cat ${path} | curl "$@"`, "sh", ...bearer, ...words)
        : await run("curl", ...bearer, ...words);
    expect(command).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse(command.stdout)).toMatchObject({ id: 1, ...shown });
    expect(await peal.history(topic)).toMatchObject([shown]);
  });
});

test("nothing is missing from what these programs sent", async () => {
  expect(await metric(peal, "peal_publishes_left_out_total")).toBe(0);
});
