/**
 * Files that come with a message: every way to send them, and what happens to those that are too many or too large
 * (docs/publish.md).
 */
import { afterAll, describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { join } from "node:path";
import { answer, asDelayed } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { bytesOnDisk, fetched, form, noise, onDisk, png, put, sent, type WithFiles } from "../support/files.ts";
import { unannounced } from "../support/raw.ts";
import { inProcess } from "../support/server.ts";
import { testWith } from "../support/tools.ts";

const LIMIT = 3_000_000;
const peal = await inProcess({ env: { PEAL_FILES: "3MB:40MB:14d" } });
afterAll(async () => peal[Symbol.asyncDispose]());

const DOOR = png(640, 480, noise(2_000_000));
const NAMED = { name: "door.png", type: "image/png", size: DOOR.length, width: 640, height: 480 };
const told = ({ ignored = [] }: WithFiles) => ignored.map(({ path, message }) => `${path} ${message}`);

// prettier-ignore
const named: [how: string, path: string, headers: Record<string, string>][] = [
  ["Filename",        "/home/door",                   { Filename: "door.png" }],
  ["X-Filename",      "/home/door",                   { "X-Filename": "door.png" }],
  ["File",            "/home/door",                   { File: "door.png" }],
  ["f",               "/home/door",                   { f: "door.png" }],
  ["RFC 2047",        "/home/door",                   { Filename: "=?UTF-8?B?ZG9vci5wbmc=?=" }],
  ["the query",       "/home/door?filename=door.png", {}],
  ["a type as well",  "/home/door",                   { Filename: "door.png", "Content-Type": "text/plain" }],
  ["a path",          "/home/door",                   { Filename: "../../cam/door.png" }],
];
test.each(named)("a body is a file because it has a name: %s", async (_, path, headers) => {
  const message = await sent(peal, path, DOOR, headers);
  expect(message).toMatchObject({ message: "door.png", attachments: [NAMED] });
  expect(message.ignored).toBeUndefined();
  const [file] = message.attachments ?? [];
  if (file === undefined) throw new Error("no file");
  expect(Buffer.from(await fetched(peal, file)).equals(DOOR)).toBeTrue();
});

test("text and fields come from headers and query", async () => {
  const headers = { Filename: "door.png", Message: "Somebody rang", Title: "Door", Priority: "5" };
  const shown = { message: "Somebody rang", title: "Door", priority: "urgent", level: "warning", attachments: [NAMED] };
  expect(await sent(peal, "/home/door?level=warn", DOOR, headers)).toMatchObject(shown);
});

// prettier-ignore
const typed: [type: string, body: Uint8Array, name: string][] = [
  ["image/png",                DOOR,                     "file.png"],
  ["image/jpeg",               DOOR,                     "file.png"], // the bytes decide the type
  ["application/pdf",          Buffer.from("%PDF-1.7"),  "file.pdf"],
  ["application/zip",          noise(100),               "file.zip"],
  ["audio/mpeg",               noise(100),               "file.mp3"],
  ["image/svg+xml",            Buffer.from("<svg/>"),    "file.svg"],
  ["application/octet-stream", noise(100),               "file.bin"],
  ["",                         DOOR,                     "file.png"],
  ["",                         noise(2_000_000),         "file.bin"],
];
test.each(typed)("a body is a file because of its type or its bytes: %j", async (type, body, name) => {
  const message = await sent(peal, "/home/door", body, type === "" ? {} : { "content-type": type });
  expect(message).toMatchObject({ message: name, attachments: [{ name, size: body.length }] });
});

// prettier-ignore
const texts: [what: string, type: string, body: Uint8Array, text: string][] = [
  ["text that is PUT",           "",                         Buffer.from("Backup done"),             "Backup done"],
  ["Latin-1 that is PUT",        "",                         Buffer.from("Tür offen", "latin1"),     "Tür offen"],
  ["UTF-16 that is PUT",         "",                         Buffer.from("\ufeffTür", "utf16le"),    "Tür"],
  ["text as bytes",              "application/octet-stream", Buffer.from("Backup done"),             "Backup done"],
  ["JSON as bytes",              "application/octet-stream", Buffer.from('{"message":"from JSON"}'), "from JSON"],
];
test.each(texts)("what is text stays the message: %s", async (_, type, body, text) => {
  const message = await sent(peal, "/home/door", body, type === "" ? {} : { "content-type": type });
  expect(message.message).toBe(text);
  expect(message.attachments).toBeUndefined();
});

test("a long text that is PUT is a file, and all of it is kept", async () => {
  const log = Buffer.from("a line of a log\n".repeat(100_000));
  const message = await sent(peal, "/home/door", log);
  expect(message).toMatchObject({ attachments: [{ name: "file.txt", type: "text/plain", size: log.length }] });
});

describe("a form", () => {
  test("has a message and files, kept in their order, short and long", async () => {
    const long = noise(1_500_000, 7);
    const message = await form(peal, "/home/door", [
      ["a", "one", "a.txt", "text/plain"],
      ["b", long, "b.bin"],
      ["message", "Look"],
      ["c", DOOR, "c.png"],
    ]);
    expect(message).toMatchObject({
      message: "Look",
      attachments: [
        { name: "a.txt", type: "text/plain", size: 3 },
        { name: "b.bin", size: long.length },
        { name: "c.png", type: "image/png" },
      ],
    });
    for (const [n, bytes] of [Buffer.from("one"), long, DOOR].entries()) {
      const file = message.attachments?.[n];
      expect(file && Buffer.from(await fetched(peal, file)).equals(bytes)).toBeTrue();
    }
  });

  test("with only a short text is that text, with a long one or with bytes a file named after it", async () => {
    expect((await form(peal, "/home/door", [["f", "line 1", "a.log", "text/plain"]])).message).toBe("line 1");
    const long = await form(peal, "/home/door", [["f", "x".repeat(40_000), "a.log", "text/plain"]]);
    expect(long).toMatchObject({ message: "a.log", attachments: [{ name: "a.log", size: 40_000 }] });
    const bytes = await form(peal, "/home/door", [["f", noise(50), "a.bin"]]);
    expect(bytes).toMatchObject({ message: "a.bin", attachments: [{ name: "a.bin", size: 50 }] });
  });

  test("may be Discord's: JSON in a field, files beside it", async () => {
    const payload = JSON.stringify({ content: "Ring", embeds: [{ title: "Door", description: "rang" }] });
    const message = await form(peal, "/home/door", [
      ["payload_json", payload],
      ["files[0]", "a short text", "log.txt", "text/plain"],
    ]);
    expect(message).toMatchObject({ attachments: [{ name: "log.txt" }] });
    expect(message.message).toContain("Ring");
  });

  test("with five files stores four of them, and says so", async () => {
    const files = [1, 2, 3, 4, 5].map((n): [string, Uint8Array, string] => [`f${n}`, noise(100, n), `${n}.bin`]);
    const message = await form(peal, "/home/door", [["message", "five"], ...files]);
    expect(message.attachments?.map(({ name }) => name)).toEqual(["1.bin", "2.bin", "3.bin", "4.bin"]);
    expect(told(message)).toEqual(["/f5 is one file too many: a message can have at most 4"]);
  });

  test("that is cut off in a long file is a message without it", async () => {
    const head = '--x\r\ncontent-disposition: form-data; name="message"\r\n\r\nLook\r\n--x\r\n';
    const file = 'content-disposition: form-data; name="f"; filename="a.bin"\r\n\r\n';
    const body = Buffer.concat([Buffer.from(head + file), noise(1_500_000)]);
    const message = await sent(peal, "/home/door", body, { "content-type": "multipart/form-data; boundary=x" });
    expect(message.message).toBe("Look");
    expect(message.attachments).toBeUndefined();
    expect(onDisk(peal.dataDir).filter(({ isWhole }) => !isWhole)).toEqual([]);
  });
});

test("compressed files are unpacked, and nothing of a decompression bomb is kept", async () => {
  const packed = { Filename: "door.png", "Content-Encoding": "gzip" };
  expect(await sent(peal, "/home/door", gzipSync(DOOR), packed)).toMatchObject({ attachments: [NAMED] });
  const before = bytesOnDisk(peal.dataDir);
  const bomb = gzipSync(Buffer.alloc(200_000_000));
  const message = await sent(peal, "/home/door", bomb, packed);
  expect(message.attachments).toBeUndefined();
  expect(told(message)).toEqual(["/ is larger than this server's limit of 3 MB per file (PEAL_FILES)"]);
  expect((await put(peal, "/home/door", gzipSync(DOOR).subarray(0, -9), packed)).status).toBe(400);
  expect(bytesOnDisk(peal.dataDir)).toBe(before);
});

describe("over a limit the message is stored without the file", () => {
  // prettier-ignore
  test.each([["announced", false], ["as it comes", true]])("too large, %s", async (_, isStreamed) => {
    const before = bytesOnDisk(peal.dataDir);
    const large = noise(LIMIT + 1, 99);
    const body = isStreamed ? unannounced(large) : large;
    const message = await sent(peal, "/home/door", body, { Filename: "b.bin", Message: "Look" });
    expect(message.message).toBe("Look");
    expect(told(message)).toEqual(["/ is larger than this server's limit of 3 MB per file (PEAL_FILES)"]);
    expect(bytesOnDisk(peal.dataDir)).toBe(before);
  });

  test("one of the largest size is stored, also one in a form", async () => {
    expect((await sent(peal, "/home/door", noise(LIMIT, 3), { Filename: "b.bin" })).attachments).toHaveLength(1);
    const both = await form(peal, "/home/door", [["b", noise(LIMIT, 4), "b.bin"], ["c", noise(LIMIT + 1, 5), "c.bin"]]); // prettier-ignore
    expect(both.attachments).toMatchObject([{ name: "b.bin" }]);
    expect(told(both)).toEqual(["/c is larger than this server's limit of 3 MB per file (PEAL_FILES)"]);
  });

  test("when the total is too large the new one is left out, and none is removed", async () => {
    await using small = await inProcess({ env: { PEAL_FILES: "1MB:2MB:14d" } });
    const one = await sent(small, "/home/a", noise(900_000, 1), { Filename: "1.bin" });
    const again = await sent(small, "/home/b", noise(900_000, 1), { Filename: "1b.bin" });
    const two = await sent(small, "/home/a", noise(900_000, 2), { Filename: "2.bin" });
    const three = await sent(small, "/home/a", noise(900_000, 3), { Filename: "3.bin", Message: "Look" });
    expect([one, again, two].map(({ attachments }) => attachments?.length)).toEqual([1, 1, 1]);
    expect(three.message).toBe("Look");
    expect(told(three)).toEqual(["/ could not be stored: the limit for all files together is 2 MB (PEAL_FILES)"]);
    expect(bytesOnDisk(small.dataDir)).toBe(1_800_000); // identical files are stored once
    for (const { attachments = [] } of [one, again, two])
      for (const file of attachments) expect((await small.request(file.url)).status).toBe(200);
    // both at once: the second finds the space taken
    const left = await Promise.all(
      [4, 5].map(async (n) => sent(small, "/home/a", noise(150_000, n), { Filename: `${n}.bin` })),
    );
    expect(left.flatMap(({ attachments = [] }) => attachments)).toHaveLength(1);
    expect(left.flatMap(told)).toHaveLength(1);
    await eventually("what was left out to be deleted", () => bytesOnDisk(small.dataDir) === 1_950_000);
  });

  test("files are off", async () => {
    await using off = await inProcess({ env: { PEAL_FILES: "off" } });
    const named = await sent(off, "/home/door", DOOR, { Filename: "door.png", Message: "Look" });
    expect(named.message).toBe("Look");
    expect(told(named)).toEqual(["/ is a file, and this server doesn't store files (PEAL_FILES)"]);
    const parts = await form(off, "/home/door", [["message", "Look"], ["f", DOOR, "door.png"]]); // prettier-ignore
    expect(told(parts)).toEqual(["/f is a file, and this server doesn't store files (PEAL_FILES)"]);
    const text = await form(off, "/home/door", [["f", "x".repeat(40_000), "a.log", "text/plain"]]);
    expect(text).toMatchObject({ tags: ["truncated"], message: "x".repeat(32_768) });
    expect(readdirSync(off.dataDir)).not.toContain("files");
  });
});

test("text and JSON have at most 1 MiB, whatever a file may have", async () => {
  const long = Buffer.alloc(1_048_577, "x");
  const send = async (type: string) => (await put(peal, "/home/door", long, { "content-type": type })).status;
  expect(await Promise.all(["text/plain", "application/json"].map(send))).toEqual([413, 413]);
});

test("with strict handling, a file that cannot be stored refuses its message", async () => {
  const strict = { Filename: "b.bin", Prefer: "handling=strict" };
  expect((await put(peal, "/home/door", noise(100), strict)).status).toBe(201);
  const refused = await put(peal, "/home/door", noise(LIMIT + 1), strict);
  expect([refused.status, await refused.json()]).toMatchObject([422, { code: "validation_failed" }]);
});

test("a refused message leaves no file behind", async () => {
  const before = bytesOnDisk(peal.dataDir);
  const send = async (path: string, headers: Record<string, string>, seed: number) =>
    (await put(peal, path, noise(5_000, seed), { Filename: "a.bin", ...headers })).status;
  const statuses = [
    await send("/home/door?delay=soon", {}, 101),
    await send("/v1/home/none-00000000000000000000000000/publish", {}, 102),
    await send("/home/door", { authorization: "Bearer svc_x" }, 103),
  ];
  expect(statuses).toEqual([422, 404, 401]);
  await eventually("nothing of them to be there", () => bytesOnDisk(peal.dataDir) === before);
});

describe("a repeat under its idempotency key", () => {
  test("has the same files and the same answer, however its form is written", async () => {
    const send = async () =>
      form(peal, "/home/again", [["message", "m"], ["f", noise(300, 8), "a.bin"]], { "Idempotency-Key": "k" }); // prettier-ignore
    const [first, second] = [await send(), await send()];
    expect(second).toEqual(first);
    expect(first.attachments).toHaveLength(1);
  });

  test("is another request with another file", async () => {
    const headers = { "Idempotency-Key": "l", Filename: "a.bin" };
    const first = await sent(peal, "/home/again", noise(300, 1), headers);
    expect(await sent(peal, "/home/again", noise(300, 1), headers)).toEqual(first);
    expect((await put(peal, "/home/again", noise(300, 2), headers)).status).toBe(409);
  });
});

test("history, events, the single message and the list of delayed ones have the same JSON", async () => {
  const topic = await peal.topic("seen");
  const stream = await peal.request(`/home/${topic.key}/events`);
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  const { attachments } = await sent(peal, "/home/seen", DOOR, { Filename: "dör 1.png" });
  expect(attachments?.[0]?.url).toBe(
    `${peal.url}/home/${topic.key}/files/${attachments?.[0]?.url.split("/").at(-2) ?? ""}/d%C3%B6r%201.png`,
  );
  const [kept] = await peal.history(topic);
  expect(kept?.["attachments"]).toEqual(attachments);
  const single = await answer<WithFiles>(200, await peal.request(`/v1/home/${topic.key}/messages/1`));
  expect(single.attachments).toEqual(attachments);
  let heard = "";
  while (!heard.includes('"attachments"')) heard += (await reader?.read())?.value ?? "";
  expect(JSON.parse(/data: (\{"id".*)\n/.exec(heard)?.[1] ?? "null")).toMatchObject({ attachments });
  await reader?.cancel();
  const waiting = await sent(peal, "/home/seen?delay=1h", DOOR, { Filename: "door.png" });
  expect(waiting).toMatchObject({ ...asDelayed(topic), attachments: [NAMED] });
  const list = await answer<{ scheduled: WithFiles[] }>(200, await peal.api("GET", "/v1/home/scheduled"));
  expect(list.scheduled[0]?.attachments).toEqual(waiting.attachments);
});

testWith("curl")("curl sends files in both of its ways", async () => {
  const path = join(peal.dataDir, "door.png");
  await Bun.write(path, DOOR);
  const curl = async (...args: string[]) => {
    const url = `${peal.url}/home/curl`;
    const child = Bun.spawn(["curl", "-sS", "-H", `Authorization: Bearer ${peal.adminKey}`, ...args, url]);
    return JSON.parse(await child.stdout.text()) as WithFiles;
  };
  expect(await curl("-T", path, "-H", "Filename: door.png")).toMatchObject({ attachments: [NAMED] });
  expect(await curl("-T", path)).toMatchObject({ attachments: [{ ...NAMED, name: "file.png" }] });
  expect(await curl("-T", path, "-H", "Transfer-Encoding: chunked", "-H", "f: door.png")).toMatchObject({ attachments: [NAMED] }); // prettier-ignore
  expect(await curl("-F", `file=@${path}`, "-F", "message=Look")).toMatchObject({ message: "Look", attachments: [NAMED] }); // prettier-ignore
});
