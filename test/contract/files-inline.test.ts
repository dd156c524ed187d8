/** Files in JSON as base64, as Apprise sends them (docs/publish.md). */
import { afterAll, expect, test } from "bun:test";
import { answer } from "../support/client.ts";
import { fetched, noise, png, type WithFiles } from "../support/files.ts";
import { messagesBy, newHook, requestsOf } from "../support/hooks.ts";
import { inProcess } from "../support/server.ts";

const peal = await inProcess({ env: { PEAL_FILES: "10kB:1MB:14d" } });
afterAll(async () => peal[Symbol.asyncDispose]());

const DOOR = png(640, 480, noise(2_000));
const inline = (bytes: Uint8Array, filename = "door.png") => ({
  filename,
  base64: Buffer.from(bytes).toString("base64"),
  mimetype: "image/png",
});
/** As Apprise's `json://` writes it. */
const body = (attachments: unknown) => ({
  version: "1.0",
  title: "Door",
  message: "Somebody rang",
  attachments,
  type: "info",
});
const publish = async (path: string, json: unknown, headers: Record<string, string> = {}) =>
  peal.request(path, {
    method: "POST",
    body: JSON.stringify(json),
    headers: { authorization: `Bearer ${peal.adminKey}`, "content-type": "application/json", ...headers },
  });
const sent = async (...given: Parameters<typeof publish>): Promise<WithFiles> =>
  answer<WithFiles>(201, await publish(...given));

test("are stored with the message", async () => {
  const { title, message, attachments = [], ignored } = await sent("/home/door", body([inline(DOOR)]));
  expect({ title, message }).toEqual({ title: "Door", message: "Somebody rang" });
  expect(attachments).toMatchObject([{ name: "door.png", type: "image/png", size: DOOR.length, width: 640 }]);
  expect(ignored).toBeUndefined();
  const [file] = attachments;
  expect(file && Buffer.from(await fetched(peal, file)).equals(DOOR)).toBeTrue();
});

test("are accepted at a hook too, which keeps the rest of the body", async () => {
  const hook = await newHook(peal, { topic: "hooked" });
  const other = { color: "danger", text: "Somebody is at the door" };
  await answer(201, await publish(hook.url, body([inline(DOOR), other]), { authorization: "" }));
  const [message] = await messagesBy(peal, hook);
  expect(message).toMatchObject({ message: "Somebody rang", attachments: [{ name: "door.png" }] });
  const [kept] = await requestsOf(peal, hook.id);
  expect(JSON.parse(String(kept?.["body"]))).toEqual({
    version: "1.0",
    title: "Door",
    message: "Somebody rang",
    attachments: [other],
    type: "info",
  });
});

test("are stored up to four, and not if too large: the answer names each one that was left out", async () => {
  const five = await sent(
    "/home/five",
    body(Array.from({ length: 5 }, (_, n) => inline(noise(100, n + 1), `${n}.bin`))),
  );
  expect(five.attachments?.map(({ name }) => name)).toEqual(["0.bin", "1.bin", "2.bin", "3.bin"]);
  expect(five.ignored?.map(({ path }) => path)).toEqual(["/attachments/4"]);
  const large = await sent("/home/large", body([inline(noise(20_000))]));
  expect(large).toMatchObject({ message: "Somebody rang", ignored: [{ path: "/attachments/0" }] });
  expect(large.attachments).toBeUndefined();
});

test("make a message of their names where there is no text", async () => {
  expect(await sent("/home/alone", { attachments: [inline(DOOR)] })).toMatchObject({ message: "door.png" });
});

// prettier-ignore
const others: [what: string, attachments: unknown][] = [
  ["Slack's",              [{ fallback: "Disk full", color: "danger", text: "Disk full" }]],
  ["an object",            { base64: "eA==" }],
  ["nothing",              []],
];
test.each(others)("other attachments are not files: %s", async (_, attachments) => {
  const message = await sent("/home/others", body(attachments));
  expect(message.message).toBe("Somebody rang");
  expect(message.attachments).toBeUndefined();
});

// prettier-ignore
const unread: [what: string, base64: unknown][] = [
  ["none",       "not!base64"],
  ["a number",   7],
  ["nothing",    ""],
  ["blanks",     `${" ".repeat(200_000)}!`],
  ["line ends",  "\n=".repeat(100_000)],
];
test.each(unread)("base64 that cannot be read is left out and reported: %s", async (_, base64) => {
  const message = await sent("/home/unread", body([inline(DOOR), { filename: "a", base64 }]));
  expect(message.attachments).toMatchObject([{ name: "door.png" }]);
  expect(message.ignored).toEqual([{ path: "/attachments/1/base64", message: "is not valid base64" }]);
});

test("base64 with line breaks, in the URL alphabet and as a data URL is read too", async () => {
  const plain = Buffer.from(DOOR).toString("base64");
  const lines = plain.replaceAll(/.{76}/g, "$&\r\n");
  for (const base64 of [lines, Buffer.from(DOOR).toString("base64url"), `data:image/png;base64,${plain}`])
    expect((await sent("/home/written", body([{ ...inline(DOOR), base64 }]))).attachments).toMatchObject([
      { size: DOOR.length },
    ]);
});

test("a retry gets the files of the first try; with another file it is another request", async () => {
  const headers = { "idempotency-key": "door" };
  const first = await sent("/home/again", body([inline(DOOR)]), headers);
  expect((await sent("/home/again", body([inline(DOOR)]), headers)).attachments).toEqual(first.attachments ?? []);
  expect((await publish("/home/again", body([inline(noise(9))]), headers)).status).toBe(409);
});

test("are stored with strict handling too", async () => {
  const strict = { prefer: "handling=strict" };
  expect((await sent("/home/strict", body([inline(DOOR)]), strict)).attachments).toHaveLength(1);
});
