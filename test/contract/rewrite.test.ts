/** `?rewrite=`, black-box: every way to send a tool's payload, and what becomes of it (REWRITES.md §2). */
import { afterAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { answer, type TestMessage } from "../support/client.ts";
import { inTurn, unannounced } from "../support/raw.ts";
import { startPeal } from "../support/server.ts";

const peal = await startPeal();
afterAll(async () => peal[Symbol.asyncDispose]());

const bearer = { authorization: `Bearer ${peal.adminKey}` };
const FORM = "application/x-www-form-urlencoded";
const JSON_TYPE = "application/json";
const MULTIPART = "multipart/form-data; boundary=xx";
const bytes = (text: string) => new TextEncoder().encode(text);
const fixture = (name: string) => readFileSync(join(import.meta.dir, "../rewrites/payloads", name), "utf8");
const part = (head: string, text: string) => `--xx\r\nContent-Disposition: form-data; ${head}\r\n\r\n${text}\r\n`;
const parts = (...all: string[]) => `${all.join("")}--xx--\r\n`;

interface Sent {
  method?: string;
  path?: string;
  type?: string;
  headers?: Record<string, string>;
  body: string | Uint8Array;
}
const send = async ({ method = "POST", path = "/home/kuma?rewrite=uptimekuma", type, headers, body }: Sent) =>
  peal.request(path, {
    method,
    headers: { ...bearer, ...(type !== undefined && { "content-type": type }), ...headers },
    body: typeof body === "string" ? bytes(body) : body,
  });
const stored = async (sent: Sent) => answer<TestMessage>(201, await send(sent));

const down = fixture("uptimekuma/http-down.json");
const expected = {
  ...(JSON.parse(fixture("uptimekuma/http-down.expected.json")) as object),
  source: "rewrite:uptimekuma",
};
const topic = await peal.topic("kuma");

// prettier-ignore
const ways: [string, Sent][] = [
  ["JSON",                                { type: JSON_TYPE, body: down }],
  ["JSON with a charset",                 { type: "application/json; charset=utf-8", body: down }],
  ["JSON with a byte order mark",         { type: JSON_TYPE, body: `\ufeff${down}` }],
  ["JSON of no type",                     { body: down }],
  ["JSON as text",                        { type: "text/plain", body: down }],
  ["JSON as a form",                      { type: FORM, body: down }],
  ["JSON as something else",              { type: "application/octet-stream", body: down }],
  ["JSON as multipart",                   { type: MULTIPART, body: down }],
  ["gzip",                                { type: JSON_TYPE, headers: { "content-encoding": "gzip" }, body: gzipSync(down) }],
  ["field data of a form",                { type: FORM, body: new URLSearchParams({ a: "b", data: down }).toString() }],
  ["field payload of a form",             { type: FORM, body: new URLSearchParams({ payload: down }).toString() }],
  ["field data of a multipart form",      { type: MULTIPART, body: parts(part('name="a"', "{}"), part('name="data"', down)) }],
  ["… with a quoted boundary",            { type: 'multipart/form-data; charset=utf-8; boundary="xx"', body: parts(part("name=data", down)) }],
  ["… as a file",                         { type: MULTIPART, body: parts(part('name="data"; filename="x.json"', down)) }],
  ["… in gzip",                           { type: MULTIPART, headers: { "content-encoding": "gzip" }, body: gzipSync(parts(part('name="data"', down))) }],
  ["another JSON field of a multipart form", { type: MULTIPART, body: parts(part('name="n"', "1"), part('name="x"', down), part('name="y"', "{}")) }],
  ["PUT",                                 { method: "PUT", type: JSON_TYPE, body: down }],
  ["the topic's key in its name's place", { path: `/home/${topic.key}?rewrite=uptimekuma`, type: JSON_TYPE, body: down }],
  ["the topic's key",                     { path: `/v1/home/${topic.key}/publish?rewrite=uptimekuma`, type: JSON_TYPE, body: down }],
  ["PUT to the topic's key",              { method: "PUT", path: `/v1/home/${topic.key}/publish?rewrite=uptimekuma`, body: down }],
  ["an escaped parameter",                { path: "/home/kuma?x=1&%72ewrite=uptime%6Buma", type: JSON_TYPE, body: down }],
  ["Basic, as from user:key@ in a URL",   { headers: { authorization: `Basic ${btoa(`peal:${peal.adminKey}`)}` }, body: down }],
];
test.each(ways)("%s", async (_, sent) => {
  expect(await stored(sent)).toMatchObject(expected);
});

test("a body of unknown length", async () => {
  const form = new FormData();
  form.set("data", down);
  const written = new Response(form);
  const type = written.headers.get("content-type") ?? "";
  for (const [contentType, body] of [[JSON_TYPE, down] as const, [type, await written.bytes()] as const]) {
    const response = await peal.request("/home/kuma?rewrite=uptimekuma", {
      method: "POST",
      headers: { ...bearer, "content-type": contentType },
      body: unannounced(body),
    });
    expect(await answer<TestMessage>(201, response)).toMatchObject(expected);
  }
});

const FALLBACK = {
  level: "warning",
  priority: "normal",
  title: "Uptime Kuma: unexpected payload",
  tags: ["uptimekuma", "unrecognised"],
};
// prettier-ignore
const unknown: [string, Sent, object][] = [
  ["text",                              { type: "text/plain", body: "disk is full" },                    { message: "disk is full" }],
  ["text of no type",                   { body: "disk is full" },                                        { message: "disk is full" }],
  ["a template that broke its JSON",    { type: FORM, body: '{"message":"he said "no""}' },              { message: '{"message":"he said "no""}' }],
  ["a form",                            { type: FORM, body: "message=disk+is+full&n=1" },                { message: "disk is full" }],
  ["a form with text in data",          { type: FORM, body: "data=disk+is+full" },                       { message: "disk is full" }],
  ["a form that is not UTF-8",          { type: FORM, body: "message=%ff" },                             { message: "message=%ff" }],
  ["a form of other fields",            { type: FORM, body: "disk=full" },                               { message: "disk: full" }],
  ["a multipart form of fields",        { type: MULTIPART, body: parts(part('name="message"', "disk is full")) }, { message: "disk is full" }],
  ["a multipart form with text in data", { type: MULTIPART, body: parts(part('name="data"', "disk is full")) }, { message: "disk is full" }],
  ["a multipart form without boundary", { type: "multipart/form-data", body: "disk is full" },           { message: "disk is full" }],
  ["a multipart form without end",      { type: MULTIPART, body: "disk is full" },                       { message: "disk is full" }],
  ["JSON of another form",              { type: JSON_TYPE, body: '{"title":"NAS","message":"disk is full"}' }, { title: "NAS", message: "disk is full" }],
  ["JSON that is no object",            { type: JSON_TYPE, body: '"disk is full"' },                     { message: '"disk is full"' }],
  ["null",                              { type: JSON_TYPE, body: "null" },                               { message: "null" }],
  ["JSON that nests without end",       { type: JSON_TYPE, body: "[".repeat(100_000) + "]".repeat(100_000) }, {}],
  ["1 MiB of brackets",                 { type: JSON_TYPE, body: "[".repeat(1_048_576) },               { message: `${"[".repeat(1_499)}…` }],
  ["JSON of too many values",           { type: JSON_TYPE, body: `{"msg":[${"0,".repeat(40_000)}0]}` }, {}],
  ["a form of deep JSON",               { type: FORM, body: `data=${"[".repeat(99)}` },                  { message: "[".repeat(99) }],
];
test.each(unknown)("an unknown payload, %s, makes a warning that shows it", async (_, sent, shown) => {
  expect(await stored(sent)).toMatchObject({ ...FALLBACK, source: "rewrite:uptimekuma", ...shown });
});

const LATIN1 = Uint8Array.from([0x7b, 0xfc, 0x7d]);
// prettier-ignore
const refused: [string, Sent, number, string][] = [
  ["nothing",                    { body: "" },                                     400, "malformed_json"],
  ["blanks",                     { type: "text/plain", body: " \r\n" },            400, "malformed_json"],
  ["nothing, called JSON",       { type: JSON_TYPE, body: "" },                    400, "malformed_json"],
  ["broken JSON",                { type: JSON_TYPE, body: '{"msg":' },             400, "malformed_json"],
  ["broken JSON of a vendor",    { type: "application/x+json", body: "no" },       400, "malformed_json"],
  ["JSON that is not UTF-8",     { type: JSON_TYPE, body: LATIN1 },                400, "malformed_json"],
  ["text that is not UTF-8",     { type: "text/plain", body: LATIN1 },             400, "malformed_body"],
  ["gzip that is none",          { headers: { "content-encoding": "gzip" }, body: down }, 400, "malformed_body"],
  ["an unknown encoding",        { headers: { "content-encoding": "lzma" }, body: down }, 415, "unsupported_media_type"],
  ["more than 1 MiB",            { body: new Uint8Array(1_048_577).fill(120) },    413, "too_large"],
  ["more than 1 MiB in gzip",    { headers: { "content-encoding": "gzip" }, body: gzipSync(new Uint8Array(1_048_577)) }, 413, "too_large"],
  ["another rewrite",            { path: "/home/kuma?rewrite=nagios", body: down }, 422, "validation_failed"],
  ["what an object has",         { path: "/home/kuma?rewrite=constructor", body: down }, 422, "validation_failed"],
  ["a key of nobody",            { headers: { authorization: `Bearer svc_${"0".repeat(64)}` }, body: down }, 401, "invalid_key"],
];
test.each(refused)("%s is refused with strict handling, and nothing is stored", async (_, sent, status, code) => {
  const before = await peal.history(topic);
  const strict = { ...sent, headers: { ...sent.headers, prefer: "handling=strict" } };
  const problem = await answer<{ code: string; detail: string }>(status, await send(strict));
  expect(problem.code).toBe(code);
  if (code === "validation_failed") expect(problem.detail).toContain("must be one of alertmanager, ");
  expect(await peal.history(topic)).toEqual(before);
});

test("1 MiB is accepted", async () => {
  const padded = (length: number) => `${down.trimEnd().slice(0, -1)},"padding":"${"x".repeat(length)}"}`;
  const body = padded(1_048_576 - bytes(padded(0)).length);
  expect(await stored({ type: JSON_TYPE, body })).toMatchObject(expected);
});

// prettier-ignore
const taken: [string, Sent, object][] = [
  ["nothing",                    { body: "" },                                     { message: "empty" }],
  ["blanks",                     { type: "text/plain", body: " \r\n" },            { message: "empty" }],
  ["nothing, called JSON",       { type: JSON_TYPE, body: "" },                    { message: "empty" }],
  ["broken JSON",                { type: JSON_TYPE, body: '{"msg":' },             { message: '{"msg":' }],
  ["broken JSON of a vendor",    { type: "application/x+json", body: "no" },       { message: "no" }],
  ["JSON that is not UTF-8",     { type: JSON_TYPE, body: LATIN1 },                { message: "{ü}" }],
  ["text that is not UTF-8",     { type: "text/plain", body: LATIN1 },             { message: "{ü}" }],
  ["another rewrite",            { path: "/home/kuma?rewrite=nagios", body: "x" }, { message: "x", ignored: [{ path: "rewrite", message: expect.stringContaining("alertmanager, ") as unknown }] }],
  ["another rewrite, of a shape", { path: "/home/kuma?rewrite=nagios", type: JSON_TYPE, body: down }, { title: "Jellyfin is down" }],
  ["another case",               { path: "/home/kuma?rewrite=UptimeKuma", body: down }, { title: "Jellyfin is down" }],
  ["what an object has",         { path: "/home/kuma?rewrite=constructor", body: "x" }, { message: "x" }],
];
test.each(taken)("%s is stored", async (_, sent, shown) => {
  expect(await stored(sent)).toMatchObject(shown);
});

test("the query and X- headers override the payload; headers that a proxy may send do not", async () => {
  const message = await stored({
    path: "/home/kuma?rewrite=uptimekuma&title=T&level=nonsense&tags=x,y",
    headers: { Title: "no", Priority: "1", "X-Priority": "5" },
    body: down,
  });
  expect(message).toMatchObject({ ...expected, title: "T", priority: "urgent", tags: ["x", "y"] });
});

test("a repeat under its idempotency key stores nothing", async () => {
  const sent = { headers: { "idempotency-key": "kuma-1" }, body: down };
  const first = await stored(sent);
  const again = await send(sent);
  expect(again.headers.get("idempotent-replay")).toBe("true");
  expect(await answer<TestMessage>(201, again)).toEqual(first);
  expect((await send({ ...sent, path: "/home/kuma?rewrite=komodo" })).status).toBe(409);
});

test("Komodo's requests are read as its client makes them from `user:key@` in the address", async () => {
  const names = readdirSync(join(import.meta.dir, "../rewrites/payloads/komodo"))
    .filter((name) => name.endsWith(".expected.json"))
    .map((name) => name.replace(".expected.json", ""));
  // as reqwest sends it: no user agent, lower-case names, JSON on one line
  const requests = names.map((name) => {
    const body = bytes(JSON.stringify(JSON.parse(fixture(`komodo/${name}.json`))));
    const head = [
      "POST /home/komodo?rewrite=komodo HTTP/1.1",
      ...["content-type: application/json", `authorization: Basic ${btoa(`peal:${peal.adminKey}`)}`, "accept: */*"],
      ...["host: peal.test", `content-length: ${body.length}`, "", ""],
    ];
    return Buffer.concat([bytes(head.join("\r\n")), body]);
  });
  const answers = await inTurn(peal.url, requests);
  expect(answers.length).toBe(names.length);
  answers.forEach((text, index) => {
    const { title, level, status } = JSON.parse(fixture(`komodo/${names[index]}.expected.json`)) as TestMessage;
    expect(text).toStartWith("HTTP/1.1 201 ");
    const stored = JSON.parse(Buffer.from(text.slice(text.indexOf("{")), "latin1").toString()) as TestMessage;
    expect({ title: stored["title"], level: stored.level, status: stored["status"] }).toEqual({ title, level, status });
  });
});

describe("Komodo's address", () => {
  const unhealthy = fixture("komodo/stack-unhealthy.json");
  const at = async (link: string) =>
    (await stored({ path: `/home/komodo?rewrite=komodo${link}`, type: JSON_TYPE, body: unhealthy }))["url"];
  test("in `link` makes links to it", async () => {
    const id = (JSON.parse(unhealthy) as { target: { id: string } }).target.id;
    expect(await at("&link=https://komodo.example")).toBe(`https://komodo.example/stacks/${id}`);
    expect(await at("&link=https%3A%2F%2Fkomodo.example%2Fbase%2F")).toBe(`https://komodo.example/base/stacks/${id}`);
  });
  test.each(["", "&link=", "&link=komodo.example", "&link=javascript:alert(1)", "&link=https://", "&link=/x"])(
    "that is invalid makes no links: %j",
    async (link) => {
      expect(await at(link)).toBeUndefined();
    },
  );
});

describe("a GET", () => {
  // prettier-ignore
  test.each([
    ["to a name",             "/home/kuma"],
    ["to a name of nothing",  "/home/nothing"],
    ["to the topic's key",    `/v1/home/${topic.key}/publish`],
    ["where the feed is",     `/home/${topic.key}`],
    ["where the share link is", `/home/kuma/${topic.key}`],
  ])("%s publishes nothing and is told to POST", async (_, path) => {
    const before = await peal.history(topic);
    const headers = { ...bearer, accept: "application/json, text/plain, */*", "content-type": JSON_TYPE };
    const response = await peal.request(`${path}?rewrite=uptimekuma`, { headers });
    expect(response.headers.get("allow")).toBe("POST, PUT, OPTIONS");
    expect(await answer<object>(405, response)).toMatchObject({ detail: expect.stringContaining("Publish here with POST") as unknown });
    expect((await peal.request(`${path}?rewrite=uptimekuma`, { method: "HEAD", headers })).status).toBe(405);
    expect(await peal.history(topic)).toEqual(before);
  });
});

test("no publish is redirected, because a client would repeat it as a GET and lose it", async () => {
  await using based = await startPeal({ env: { PEAL_BASE_URL: "https://peal.example/notes" } });
  const key = { authorization: `Bearer ${based.adminKey}` };
  const post = async (path: string, headers: Record<string, string> = {}) =>
    based.request(`${based.url}${path}?rewrite=uptimekuma`, {
      method: "POST",
      headers: { ...key, ...headers },
      body: down,
    });
  for (const path of ["/home/kuma", "/notes/home/kuma"])
    for (const headers of [{}, { host: "other.example" }, { "x-forwarded-proto": "http" }] as Record<string, string>[])
      expect((await post(path, headers)).status).toBe(201);
  for (const path of [
    "/home/kuma/",
    "//home/kuma",
    "/home//kuma",
    "/notes",
    "/notes/",
    "/notes/home/kuma/",
    "/home",
    "/",
  ])
    expect([path, Math.floor((await post(path)).status / 100)]).not.toEqual([path, 3]);
});
