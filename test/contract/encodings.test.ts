/** Compressed bodies, and bodies that only claim to be compressed (docs/publish.md). */
import { afterAll, describe, expect, test } from "bun:test";
import { Readable } from "node:stream";
import { constants, createZstdCompress, gzipSync } from "node:zlib";
import { answer } from "../support/client.ts";
import { noise, type WithFiles } from "../support/files.ts";
import { messagesBy, newHook, post, said } from "../support/hooks.ts";
import { inProcess } from "../support/server.ts";

const peal = await inProcess();
afterAll(async () => peal[Symbol.asyncDispose]());
const publish = async (body: Uint8Array | string, encoding: string, more: Record<string, string> = {}) =>
  peal.request("/home/packed", {
    method: "POST",
    body,
    headers: { authorization: `Bearer ${peal.adminKey}`, "content-encoding": encoding, ...more },
  });

describe("an unknown encoding is ignored, and reported", () => {
  const IGNORED = [{ path: "Content-Encoding", message: expect.stringContaining("read as it is") as string }];

  // prettier-ignore
  const bodies: [what: string, body: Uint8Array | string, headers: Record<string, string>, message: object][] = [
    ["JSON",   '{"message": "Disk full"}', { "content-type": "application/json" }, { message: "Disk full" }],
    ["text",   "Disk full",                { "content-type": "text/plain" },       { message: "Disk full" }],
    ["a file", noise(100),                 { filename: "disk.bin" },               { attachments: [{ size: 100 }] }],
  ];
  test.each(bodies)("%s", async (_, body, headers, message) => {
    const stored = await answer<WithFiles>(201, await publish(body, "utf-8", headers));
    expect(stored).toMatchObject({ ...message, ignored: IGNORED });
  });

  test("at a hook, in its dialect", async () => {
    const hook = await newHook(peal);
    const headers = { "content-encoding": "utf-8" };
    expect(await said(post(peal, `${hook.url}/slack`, { text: "Disk full" }, headers))).toEqual([200, "ok"]);
    expect(await messagesBy(peal, hook)).toMatchObject([{ title: "Disk full", source: "rewrite:slack" }]);
  });

  test("but it is 415 for senders who want to know of everything that is wrong", async () => {
    const headers = { prefer: "handling=strict", "content-type": "text/plain" };
    expect((await publish("Disk full", "utf-8", headers)).status).toBe(415);
  });
});

const CONTENT = "x".repeat(10_000);
/** Compresses a stream, so that the frame states the window it needs, whatever its content. */
async function packed(windowLog: number): Promise<Uint8Array> {
  const pack = createZstdCompress({ params: { [constants.ZSTD_c_windowLog]: windowLog } });
  for (let n = 0; n < 10; n++) pack.write(CONTENT.slice(0, 1_000));
  pack.end();
  return new Response(Readable.toWeb(pack) as ReadableStream).bytes();
}

describe("a body that is not compressed as it claims is read as it is, and this is reported", () => {
  const TEXT = { "content-type": "text/plain" };
  // prettier-ignore
  const bodies: [what: string, encoding: string, body: Uint8Array | string, headers: Record<string, string>, message: object][] = [
    ["a text",        "gzip",    "Disk full",                  TEXT,                                  { message: "Disk full" }],
    ["a text",        "deflate", "Disk full",                  TEXT,                                  { message: "Disk full" }],
    ["a text",        "zstd",    "Disk full",                  TEXT,                                  { message: "Disk full" }],
    ["a text",        "br",      "Disk full",                  TEXT,                                  { message: "Disk full" }],
    ["JSON",          "gzip",    '{"message": "Disk full"}',   { "content-type": "application/json" }, { message: "Disk full" }],
    ["nothing",       "gzip",    "",                           TEXT,                                  { message: "(no text)" }],
    ["a file",        "gzip",    noise(100),                   { filename: "disk.bin" },              { attachments: [{ size: 100 }] }],
    ["a long file",   "gzip",    noise(2_000_000),             { filename: "disk.bin" },              { attachments: [{ size: 2_000_000 }] }],
    ["a file of a byte", "zstd", "x",                          { filename: "disk.bin" },              { attachments: [{ size: 1 }] }],
  ];
  test.each(bodies)("%s, %s", async (_, encoding, body, headers, message) => {
    const stored = await answer<WithFiles & { ignored: { path: string }[] }>(
      201,
      await publish(body, encoding, headers),
    );
    expect(stored).toMatchObject(message);
    expect(stored.ignored[0]).toMatchObject({ path: "Content-Encoding" });
  });

  test("a compressed body that is cut off is 400", async () => {
    const packed = gzipSync(noise(10_000));
    for (const headers of [{ "content-type": "text/plain" }, { filename: "disk.bin" }])
      expect((await publish(packed.subarray(0, 5_000), "gzip", headers)).status).toBe(400);
  });

  test("with strict handling it is 400, and 422 for a file", async () => {
    const prefer = "handling=strict";
    expect((await publish("Disk full", "gzip", { prefer, "content-type": "text/plain" })).status).toBe(400);
    expect((await publish("Disk full", "gzip", { prefer, filename: "disk.txt" })).status).toBe(422);
  });
});

describe("zstd has the same window as on the web, 8 MiB", () => {
  // prettier-ignore
  const rows: [what: string, headers: Record<string, string>, message: object][] = [
    ["text",   { "content-type": "text/plain" },            { message: CONTENT }],
    ["a file", { filename: "log.bin" }, { attachments: [{ size: CONTENT.length }] }],
  ];
  test.each(rows)("%s", async (_, headers, message) => {
    const stored = await answer<WithFiles>(201, await publish(await packed(23), "zstd", headers));
    expect(stored).toMatchObject(message);
    expect(stored.ignored).toBeUndefined();
    expect((await publish(await packed(27), "zstd", headers)).status).toBe(400);
  });
});
