/** Forms that contain more than is read: the message is kept, and the answer says what was left out (docs/publish.md). */
import { afterAll, expect, test } from "bun:test";
import { form, noise, sent, type WithFiles } from "../support/files.ts";
import { inProcess } from "../support/server.ts";

const peal = await inProcess({ env: { PEAL_FILES: "3MB:40MB:14d" } });
afterAll(async () => peal[Symbol.asyncDispose]());

type Parts = Parameters<typeof form>[2][number][];
const told = ({ ignored = [] }: WithFiles) => ignored.map(({ path, message }) => `${path} ${message}`);
const upload = async (parts: Parts) => form(peal, "/home/forms", parts);
const LONG = noise(1_100_000);
const NO_ROOM = "is left out: only 1 MiB of a form's fields is read";
const TOO_MANY = "/ has more than 100 parts; only the first 100 are read";
const fields = (count: number): Parts => Array.from({ length: count }, (_, n) => [`f${n}`, "x"]);

test("a message that follows fields which fill their quota is read, and so are the fields after it", async () => {
  const message = await upload([
    ["log", "x".repeat(1_040_000)],
    ["more", "y".repeat(20_000)],
    ["message", "RAID degraded"],
    ["level", "error"],
    ["note", "z"],
  ]);
  expect(message).toMatchObject({ message: "RAID degraded", level: "error" });
  expect(told(message)).toEqual([`/more ${NO_ROOM}`]);
});

test("the same holds for a tool's JSON", async () => {
  const payload = JSON.stringify({ message: "from JSON", log: "y".repeat(100_000) });
  const message = await upload([
    ["log", "x".repeat(1_040_000)],
    ["payload", payload],
  ]);
  expect([message.message, told(message)]).toEqual(["from JSON", []]);
});

test("a field is read as far as a message can hold it, and the fields after it are read too", async () => {
  const message = await upload([
    ["message", "m".repeat(900_000)],
    ["title", "t".repeat(900_000)],
    ["tags", "a,".repeat(100_000)],
    ["level", "error"],
  ]);
  expect(message).toMatchObject({ message: "m".repeat(32_768), title: `${"t".repeat(255)}…`, level: "error" });
  expect(message.tags).toEqual(["truncated"]);
  expect(told(message)).toEqual(["/tags must be at most 16384 characters"]);
});

test("a field of more than 1 MiB loses its end, and the answer says so", async () => {
  const message = await upload([
    ["log", "x".repeat(1_100_000)],
    ["message", "m"],
  ]);
  expect([message.message, told(message)]).toEqual(["m", ["/log is longer than 1 MiB; the rest is left out"]]);
});

test.each([
  ["short", []],
  ["long", [["file", LONG, "a.bin"]] as Parts],
])("the answer to a %s form says that it had more than 100 parts", async (_, files) => {
  expect(told(await upload([...files, ...fields(120), ["message", "lost"]]))).toEqual([TOO_MANY]);
  const message = await upload([...files, ...fields(99 - files.length), ["message", "found"]]);
  expect([message.message, told(message)]).toEqual(["found", []]);
});

const part = (about: string, bytes: string | Uint8Array) =>
  Buffer.concat([
    Buffer.from(`--x\r\ncontent-disposition: form-data; ${about}\r\n\r\n`),
    Buffer.from(bytes),
    Buffer.from("\r\n"),
  ]);
const raw = async (...parts: Uint8Array[]): Promise<WithFiles> =>
  sent(peal, "/home/forms", Buffer.concat(parts), { "content-type": "multipart/form-data; boundary=x" });

test("the answer to a form that was cut off says so, and names the file", async () => {
  const brokeOff = "/ ended early: incomplete parts are left out";
  const message = await raw(part('name="message"', "Look"), part('name="f"; filename="a.bin"', LONG));
  expect([message.message, message.attachments]).toEqual(["Look", undefined]);
  expect(told(message)).toEqual(["/f ended early", brokeOff]);
  const two = await raw(part('name="f"; filename="a.bin"', LONG), part('name="g"; filename="b.bin"', LONG));
  expect(two.attachments).toMatchObject([{ name: "a.bin", size: LONG.length }]);
  expect(told(two)).toEqual(["/g ended early", brokeOff]);
  const alone = await raw(part('name="f"; filename="a.bin"', LONG));
  expect([alone.message, told(alone).slice(0, 2)]).toEqual(["(no text)", ["/f ended early", brokeOff]]);
});

test("a part without a name does not disturb the others, and a file does not need one", async () => {
  const message = await raw(
    part('filename="a.bin"', LONG),
    part("", "nobody's"),
    part('name="message"', "Look"),
    Buffer.from("--x--"),
  );
  expect(message).toMatchObject({ message: "Look", attachments: [{ name: "a.bin" }] });
  expect(told(message)).toEqual([]);
});
