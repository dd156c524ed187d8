/** `?rewrite=`, byte for byte: recorded requests of Uptime Kuma, and random bytes (REWRITES.md §2, §7). */
import { afterAll, expect, test } from "bun:test";
import fc from "fast-check";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { TestMessage } from "../support/client.ts";
import { inTurn, rawRequest, statuses } from "../support/raw.ts";
import { examples } from "../support/rounds.ts";
import { startPeal } from "../support/server.ts";

const peal = await startPeal();
afterAll(async () => peal[Symbol.asyncDispose]());

const PAYLOADS = join(import.meta.dir, "../rewrites/payloads");

/** A recorded request as it was sent, with namespace, host, key and lengths replaced. */
function recorded(name: string, query: string): Buffer {
  const text = readFileSync(join(PAYLOADS, "uptimekuma", name), "latin1");
  const end = text.indexOf("\r\n\r\n") + 4;
  const body = text.slice(end);
  const head = text
    .slice(0, end)
    .replace(/^POST \/kuma\/(\w+)\S*/, `POST /home/$1${query}`)
    .replace(/^Host: .*$/m, `Host: ${new URL(peal.url).host}`)
    .replace(/svc_[0-9a-f]{64}/, peal.adminKey)
    .replace(/^(Content-Length:) \d+/m, `$1 ${body.length}`);
  const sent = head.includes("chunked") ? `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n` : body;
  return Buffer.from(head + sent, "latin1");
}

async function published(request: Buffer): Promise<TestMessage> {
  const [heard = ""] = await inTurn(peal.url, [request]);
  expect(heard).toStartWith("HTTP/1.1 201 ");
  return JSON.parse(Buffer.from(heard.slice(heard.indexOf("\r\n\r\n") + 4), "latin1").toString()) as TestMessage;
}

test("Uptime Kuma's form, chunked and without a length, makes the alert that it contains", async () => {
  const expected = readFileSync(join(PAYLOADS, "uptimekuma/http-down.expected.json"), "utf8");
  const { title, level, status, tags, dedup_key } = JSON.parse(expected) as TestMessage;
  expect(await published(recorded("transport-multipart.http", "?rewrite=uptimekuma"))).toMatchObject({
    ...{ title, level, status, tags, dedup_key, source: "rewrite:uptimekuma" },
    message: expect.stringContaining("Request failed with status code 502") as unknown,
  });
});

test("Uptime Kuma's own template, JSON sent as a form, is read with a rewrite and without", async () => {
  const message = "[Jellyfin] [🔴 Down] Request failed with status code 502";
  expect(await published(recorded("transport-custom-template.http", "?rewrite=uptimekuma"))).toMatchObject({
    title: "Uptime Kuma - Jellyfin",
    message,
    level: "warning",
  });
  expect(await published(recorded("transport-custom-template.http", "-plain"))).toMatchObject({
    title: "Uptime Kuma - Jellyfin",
    message,
    source: "api",
  });
});

const payloads = readdirSync(PAYLOADS, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".json") && !file.endsWith(".expected.json"))
  .map((file) => readFileSync(join(PAYLOADS, file)));
const types = [
  ...["application/json", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "", "x"],
  ...["multipart/form-data; boundary=xx", 'multipart/form-data; boundary="x\\x"', "application/x+json; charset=latin1"],
];
const pieces = [
  ...['--xx\r\nContent-Disposition: form-data; name="data"', "\r\n\r\n", "\r\n--xx--", '; filename="f"', "--xx\r\n"],
  ...[
    "data=",
    "&payload=",
    "%7B",
    "%ff",
    '{"alerts":[',
    '{"msg":"',
    '"}',
    "]}",
    "\0",
    "\ufeff",
    "[",
    '{"data":{"type":',
  ],
];
const latin1 = fc.uint8Array({ maxLength: 40 });
/** Any bytes, pieces of the known forms in random order, or a payload with a part overwritten. */
const bodies = fc.oneof(
  latin1,
  fc
    .array(fc.oneof(fc.constantFrom(...pieces.map((text) => Buffer.from(text))), latin1))
    .map((all) => Buffer.concat(all)),
  fc.json().map((text) => Buffer.from(text)),
  fc.tuple(fc.constantFrom(...payloads), fc.nat(), latin1).map(([payload, at, noise]) => {
    const body = Buffer.from(payload);
    body.set(noise.subarray(0, body.length), at % Math.max(1, body.length - noise.length));
    return body;
  }),
);
const chunk = (body: Uint8Array) =>
  Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from("\r\n0\r\n\r\n")]);

test("any bytes with any content type are stored or refused, and the connection stays open", async () => {
  const topic = await peal.topic("bytes");
  let count = 0;
  const next = rawRequest("GET", `/v1/home/${topic.key}/messages?limit=1`);
  await fc.assert(
    fc.asyncProperty(
      bodies,
      fc.oneof(
        fc.constantFrom(...types),
        fc.string().map((text) => `multipart/form-data; boundary=${text}`),
      ),
      fc.constantFrom("alertmanager", "uptimekuma", "komodo"),
      fc.constantFrom("", "gzip", "br"),
      fc.boolean(),
      async (plain, type, name, encoding, isChunked) => {
        const body = encoding === "gzip" && plain.length % 2 === 0 ? gzipSync(plain) : plain;
        const head = rawRequest("POST", `/home/bytes?rewrite=${name}`, {
          authorization: `Bearer ${peal.adminKey}`,
          "content-type": type,
          ...(encoding !== "" && { "content-encoding": encoding }),
          ...(isChunked && body.length > 0
            ? { "transfer-encoding": "chunked" }
            : { "content-length": `${body.length}` }),
        });
        const sent = isChunked && body.length > 0 ? chunk(body) : body;
        const [answer = "", after = ""] = await inTurn(peal.url, [Buffer.concat([Buffer.from(head), sent]), next]);
        const [status] = statuses(answer);
        expect([201, 400, 415]).toContain(status ?? 0);
        if (status !== 201) expect(answer).toMatch(/"code":"(malformed_json|malformed_body|unsupported_media_type)"/);
        if (status === 201) count++;
        expect(statuses(after)).toEqual([200]);
        expect(/"last_id":(\d+)/.exec(after)?.[1]).toBe(String(count));
      },
    ),
    { numRuns: examples(500) },
  );
  expect(count).toBeGreaterThan(examples(500) / 20);
});
