/** Any whole body with a valid key becomes a message (docs/publish.md): how each is read, and what the answer says was left out. */
import { afterAll, describe, expect, test } from "bun:test";
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { meaning } from "../../src/messages/reading/meaning.ts";
import { answer } from "../support/client.ts";
import { startPeal } from "../support/server.ts";

const peal = await startPeal();
afterAll(async () => peal[Symbol.asyncDispose]());

type Stored = Record<string, unknown> & { message: string; ignored?: { path: string; message: string }[] };
interface Sent {
  query?: string;
  type?: string;
  headers?: Record<string, string>;
  body: string | Uint8Array;
}

const FORM = "application/x-www-form-urlencoded";
const JSON_TYPE = "application/json";
const utf8 = (text: string) => new TextEncoder().encode(text);
const latin1 = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

async function send({ query = "", type, headers, body }: Sent): Promise<Response> {
  const all = {
    authorization: `Bearer ${peal.adminKey}`,
    ...headers,
    ...(type !== undefined && { "content-type": type }),
  };
  const bytes = typeof body === "string" ? utf8(body) : body;
  return peal.request(`/home/intake?${query}`, { method: "POST", headers: all, body: bytes });
}
const stored = async (sent: Sent): Promise<Stored> => answer<Stored>(201, await send(sent));
const paths = ({ ignored = [] }: Stored) => ignored.map(({ path }) => path);
const of = (fields: object): Sent => ({ type: JSON_TYPE, body: JSON.stringify({ message: "m", ...fields }) });

// prettier-ignore
const values: [fields: object, stored: object, ignored?: string[]][] = [
  [{ title: null, level: "", tags: [] },                { message: "m", level: "info" }],
  [{ message: 42 },                                     { message: "42" }],
  [{ message: true, title: 7 },                         { message: "true", title: "7" }],
  [{ message: ["one", 2] },                             { message: "one\n2" }],
  [{ title: "x".repeat(300) },                          { title: `${"x".repeat(255)}…`, tags: ["truncated"] }],
  [{ message: "x".repeat(40_000), tags: ["a"] },        { message: "x".repeat(32_768), tags: ["truncated", "a"] }],
  [{ tags: "a, b" },                                    { tags: ["a", "b"] }],
  [{ tags: [1, "b", null] },                            { tags: ["1", "b"] }],
  [{ priority: 5 },                                     { priority: "urgent" }],
  [{ priority: "2" },                                   { priority: "low" }],
  [{ priority: 8 },                                     { priority: "high" }],
  [{ priority: -2 },                                    { priority: "low" }],
  [{ priority: "Emergency" },                           { priority: "urgent" }],
  [{ priority: 99 },                                    { priority: "normal" }, ["/priority"]],
  [{ level: "critical" },                               { level: "error" }],
  [{ level: "WARN" },                                   { level: "warning" }],
  [{ level: "Recovered" },                              { level: "success" }],
  [{ level: "notice" },                                 { level: "info" }],
  [{ level: "purple" },                                 { level: "info" }, ["/level"]],
  [{ Title: "T", dedupKey: "k", STATUS: "ok" },         { title: "T", dedup_key: "k", status: "resolved" }],
  [{ "dedup-key": "k", status: "problem" },             { dedup_key: "k", status: "firing" }],
  [{ status: "firing" },                                { message: "m" }, ["/status"]],
  [{ dedup_key: "k".repeat(200) },                      { dedup_key: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) as unknown }],
  [{ url: "javascript:alert(1)", image: "ftp://h/x" },  { message: "m" }, ["/url", "/image"]],
  [{ click: "https://h/", icon: "https://h/i", attach: "https://h/a" }, { url: "https://h/", image: "https://h/a", icon: "https://h/i" }],
  [{ actions: [{ url: "https://h.example/x" }] },       { actions: [{ label: "h.example", url: "https://h.example/x" }] }],
  [{ actions: [{ label: "A", url: "no" }, { label: "B", url: "https://h/" }] }, { actions: [{ label: "B", url: "https://h/" }] }, ["/actions/0/url"]],
  [{ actions: [{ label: "A", url: "javascript:1" }, { label: "B", url: "https://h/" }] }, { actions: [{ label: "B", url: "https://h/" }] }, ["/actions/0/url"]],
  [{ actions: Array.from({ length: 4 }, () => ({ label: "A", url: "https://h/" })) }, { actions: Array.from({ length: 3 }, () => ({ label: "A", url: "https://h/" })) }, ["/actions"]],
  [{ actions: "view, Go, https://h/" },                 { actions: [{ label: "Go", url: "https://h/" }] }],
  [{ actions: [{ label: "A", url: "https://h/", method: "post", headers: { Authorization: "Bearer x", n: 1 }, body: { a: 1 }, clear: true }] }, { actions: [{ label: "A", url: "https://h/", method: "POST", headers: { Authorization: "Bearer x", n: "1" }, body: '{"a":1}', clear: true }] }],
  [{ actions: [{ label: "A", url: "https://h/", method: "POST", headers: { "no name": "x" } }] }, { message: "m" }, ["/actions/0/headers"]],
  [{ actions: [{ label: "A", url: "https://h/", method: "POST", headers: { a: "x\ny" } }] }, { message: "m" }, ["/actions/0/headers"]],
  [{ actions: [{ label: "A", url: "https://h/", method: "GET", body: "x" }] }, { message: "m" }, ["/actions/0/body"]],
  [{ actions: [{ label: "A", url: "https://h/", headers: { a: "b" } }] }, { actions: [{ label: "A", url: "https://h/" }] }, ["/actions/0/method"]],
  [{ actions: [{ label: "A", url: "https://h/", method: "POST", body: "x".repeat(2_049) }] }, { message: "m" }, ["/actions/0/body"]],
  [{ markdown: true },                                  { format: "markdown" }],
  [{ format: "html", message: "<p>a &amp; <b>b</b></p><ul><li>c</ul>" }, { format: "text", message: "a & b\n\nc" }],
  [{ ttl: "2h" },                                       { ttl: 7_200 }],
  [{ ttl: 5 },                                          { ttl: 60 }],
  [{ ack: "yes", priority: "urgent" },                  { ack: true, priority: "urgent" }],
  [{ ack: true },                                       { message: "m" }, ["/ack"]],
  [{ timestamp: 1_767_225_600 },                        { timestamp: "2026-01-01T00:00:00.000Z" }],
  [{ timestamp: 1_767_225_600_000 },                    { timestamp: "2026-01-01T00:00:00.000Z" }],
  [{ timestamp: "yesterday" },                          { message: "m" }, ["/timestamp"]],
  [{ data: '{"a":1}' },                                 { data: { a: 1 } }],
  [{ data: { a: "x".repeat(5_000) } },                  { message: "m" }, ["/data"]],
  [{ titel: "T" },                                      { message: "m" }, ["/titel"]],
  [{ unknown: "field", id: 7 },                         { message: "m" }],
  [{ severity: "critical", link: "https://h/" },        { level: "error", url: "https://h/" }],
  [{ status: "resolved", dedup_key: "k", type: "x" },   { level: "info", dedup_key: "k", status: "resolved" }],
  [{ type: "failure", level: "warning" },               { level: "warning" }],
  [{ message: "a\u0000b\u001b[31mc" },                  { message: "abc" }],
  [{ message: "" , title: "T" },                        { message: "T", title: "T" }, ["/message"]],
  [{ message: "   " },                                  { message: "(no text)" }, ["/message"]],
  [{ message: "\u200b\u00a0\u2028", title: "T" },       { message: "T", title: "T" }, ["/message"]],
  [{ subject: "NAS alert" },                            { message: "m", title: "NAS alert" }],
  [{ subject: "NAS alert", title: "T" },                { title: "T" }],
  [{ state: "ok" },                                     { level: "success" }],
  [{ message: null, title: "nas", status: "down" },     { message: "nas", title: "nas", level: "error" }, ["/message", "/status"]],
  [{ status: "down", dedup_key: "k" },                  { level: "info", status: "firing", dedup_key: "k" }],
  [{ message: null },                                   { message: "(no text)" }, ["/message"]],
  [{ message: null, status: "failed", level: "crit" },  { message: "status: failed\nlevel: crit", level: "error" }, ["/status", "/message"]],
  [{ status: "failed" },                                { level: "error" }, ["/status"]],
  [{ status: "resolved", dedup_key: "k" },              { level: "info", dedup_key: "k", status: "resolved" }],
];
/** The fields that every message has, whatever its sender sets. */
const ALWAYS = new Set([
  ...["id", "namespace", "topic", "topic_name", "topic_url", "created_topic", "created_at", "source", "ignored"],
  ...["message", "level", "priority", "format"],
]);
/** The fields that a message has only because its sender set them. */
const chosen = (message: object) =>
  Object.keys(message)
    .filter((name) => !ALWAYS.has(name))
    .toSorted();
test.each(values.map(([fields, ...row]) => [JSON.stringify(fields).slice(0, 80), fields, row] as const))(
  "a value is read for what it means: %s",
  async (_, fields, [shown, ignored = []]) => {
    const message = await stored(of(fields));
    expect(message).toMatchObject(shown);
    expect(chosen(message)).toEqual(chosen(shown));
    expect(paths(message)).toEqual(ignored);
  },
);

test("among thousands of names the known ones are found anywhere, and few others are looked at", () => {
  const asWritten = (name: string) => name;
  const slips = Object.fromEntries(
    Array.from({ length: 30_000 }, (_, n) => [`titel${"_".repeat(n % 20)}${"-".repeat(n / 1_500)}`, n]),
  );
  const looked = new Set<string | symbol>();
  const sent = new Proxy<Record<string, unknown>>(
    { titel: "T", ...slips, message: "m" },
    {
      get: (all, name) => {
        looked.add(name);
        return typeof name === "string" ? all[name] : undefined;
      },
    },
  );
  const { fields, ignored } = meaning(sent, asWritten);
  expect(fields).toEqual({ message: "m" });
  expect(looked.size).toBeLessThanOrEqual(201); // the known names, and 200 others
  expect(ignored.length).toBeWithin(1, 21);
});

describe("fields beside a body", () => {
  // prettier-ignore
  const rows: [string, Sent, object][] = [
    ["a query fills what JSON does not say",    { ...of({ title: "T" }), query: "title=Q&level=error&tags=a" }, { title: "T", level: "error", tags: ["a"] }],
    ["headers do, before the query",            { ...of({}), query: "title=Q&p=2", headers: { Title: "H" } },    { title: "H", priority: "low" }],
    ["and with X- before those without",        { ...of({}), headers: { Title: "H", "X-Title": "X" } },          { title: "X" }],
    ["a form is filled too",                    { type: FORM, body: "message=m", query: "level=warn", headers: { Tags: "a" } }, { level: "warning", tags: ["a"] }],
    ["a proxy's priority is none",              { ...of({}), headers: { Priority: "u=1" } },                     { priority: "normal" }],
    ["JSON without a text has that of a header", { type: JSON_TYPE, body: '{"title":"T"}', headers: { Message: "H" } }, { title: "T", message: "H" }],
  ];
  test.each(rows)("%s", async (_, sent, shown) => {
    expect(await stored(sent)).toMatchObject(shown);
  });
});

const part = (disposition: string, text: string, type = "") =>
  `--x\r\nContent-Disposition: form-data; ${disposition}\r\n${type === "" ? "" : `Content-Type: ${type}\r\n`}\r\n${text}\r\n`;
const MULTIPART = "multipart/form-data; boundary=x";

// prettier-ignore
const bodies: [string, Sent, object, ignored?: string[]][] = [
  ["nothing",                        { body: "" },                                               { message: "(no text)" }, ["/message"]],
  ["nothing, with a title",          { body: "", headers: { Title: "T" } },                      { message: "T", title: "T" }, ["/message"]],
  ...([["gzip", gzipSync], ["deflate", deflateSync], ["br", brotliCompressSync], ["zstd", zstdCompressSync]] as const).map(
    ([encoding, pack]): [string, Sent, object] => [encoding, { body: pack("packed"), headers: { "content-encoding": encoding } }, { message: "packed" }],
  ),
  ["Latin-1",                        { type: "text/plain", body: latin1("Füllstand") },          { message: "Füllstand" }],
  ["Latin-1 that says so",           { type: "text/plain; charset=ISO-8859-1", body: latin1("Füllstand") }, { message: "Füllstand" }],
  ["Cyrillic that says so",          { type: "text/plain; charset=windows-1251", body: Uint8Array.from([0xcf, 0xf0, 0xe8]) }, { message: "При" }],
  ["UTF-16 with a byte order mark",  { body: Uint8Array.from([0xff, 0xfe, 0x46, 0, 0xfc, 0]) },  { message: "Fü" }],
  ["UTF-8 with a byte order mark",   { body: Uint8Array.from([0xef, 0xbb, 0xbf, 0x46]) },        { message: "F" }],
  ["UTF-8 that ends in a letter",    { body: utf8("Grüße ü").subarray(0, 9) },                   { message: "Grüße \ufffd" }],
  ["JSON in Latin-1",                { type: JSON_TYPE, body: latin1('{"message":"Füllstand"}') }, { message: "Füllstand" }],
  ["colours of a terminal",          { body: "\x1b[31mred\x1b[0m \x1b]0;title\x07done" },        { message: "red done" }],
  ["HTML",                           { type: "text/html; charset=utf-8", body: "<html><head><title>t</title><style>p{}</style></head><body><h1>Disk</h1><p>Grün &amp; <a href='https://h/x'>here</a></p><script>alert(1)</script></body></html>" }, { message: "Disk\nGrün & here (https://h/x)" }],
  ["XML",                            { type: "application/xml", body: "<a>b</a>" },              { message: "<a>b</a>" }],
  ["CSV",                            { type: "text/csv", body: "a,b\n1,2" },                     { message: "a,b\n1,2" }],
  ["JSON of a level alone",          { type: JSON_TYPE, body: '{"level":"error"}' },             { message: "level: error", level: "error" }, ["/message"]],
  ["a form of a level and a status", { type: FORM, body: "level=error&status=firing" },          { message: "level: error\nstatus: firing", level: "error" }, ["/message", "/status"]],
  ["JSON of a text that is none",    { type: JSON_TYPE, body: '{"message":{"a":1}}' },           { message: "message.a: 1" }, ["/message"]],
  ["more fields than are read",      { type: FORM, body: `message=m&${"zz=1&".repeat(1_000)}` },     { message: "m" }, ["/"]],
  ["as many fields as are read",     { type: FORM, body: `message=m&${"zz=1&".repeat(999)}` },       { message: "m" }],
  ["HTML that is only a title",      { type: "text/html", body: "<title>Only &amp; title</title>" }, { message: "Only & title" }],
  ["HTML whose blocks end",          { type: "text/html", body: "<h1>Disk</h1>Server <p>one</p>two<table><tr><td>a</td><td>b</td></tr></table>after<ul><li>x</li><li>y</li></ul><div><div>in</div></div>out" }, { message: "Disk\nServer\none\ntwo\n\na b\nafter\n\nx\ny\n\nin\nout" }],
  ["JSON called HTML",               { type: "text/html", body: '{"message":"x"}' },             { message: "x" }],
  ["a form in Latin-1",              { type: FORM, body: "title=T&message=F%FCllstand&level=error" }, { message: "Füllstand", title: "T", level: "error" }],
  ["a form in raw Latin-1",          { type: FORM, body: latin1("title=T&message=Füllstand") },  { message: "Füllstand", title: "T" }],
  ["a form that broke off",          { type: MULTIPART, body: `${part('name="message"', "Disk full")}--x\r\nContent-Disposition: form-data; name="level"\r\n\r\nerr` }, { message: "Disk full" }, ["/"]],
  ["a query and no body",            { body: "", query: "host=nas&event=disk%20full" },          { title: "disk full", message: "host: nas\nevent: disk full" }],
  ["a tool's query and no body",     { body: "", query: "monitorID=1&monitorURL=https%3A%2F%2Fshop.example&monitorFriendlyName=Shop&alertType=1&alertTypeFriendlyName=Down&alertDetails=Timeout" }, { source: "rewrite:uptimerobot", level: "error" }],
  ["a query of ours and no body",    { body: "", query: "title=T" },                             { message: "T" }, ["/message"]],
  ["more JSON than is parsed",       { type: JSON_TYPE, body: `[${"0,".repeat(40_000)}0]` },      { tags: ["truncated"] }, ["/"]],
  ["JSON called text",               { type: "text/plain", body: '{"message":"x"}' },            { message: '{"message":"x"}' }],
  ["JSON by `curl -d`",              { type: FORM, body: '{"message":"x","level":"error"}' },    { message: "x", level: "error" }],
  ["JSON of no type",                { body: ' {"message":"x"}' },                               { message: "x" }],
  ["a text called JSON",             { type: JSON_TYPE, body: "Found 3 new images" },            { message: "Found 3 new images" }],
  ["a string",                       { type: JSON_TYPE, body: '"text"' },                        { message: "text" }],
  ["a number",                       { type: JSON_TYPE, body: "42" },                            { message: "42" }],
  ["null",                           { type: JSON_TYPE, body: "null" },                          { message: "(no text)" }, ["/message"]],
  ["JSON with raw line ends",        { type: JSON_TYPE, body: '{"message":"one\ntwo\tthree","title":"T"}' }, { message: "one\ntwo\tthree", title: "T" }],
  ["JSON that broke off",            { type: JSON_TYPE, body: '{"message":"x",  "a' },           { message: '{"message":"x",  "a' }],
  ["long JSON that broke off",       { type: JSON_TYPE, body: `{"a":"${"x".repeat(199)}", "b":[{"c":1` }, { message: `{\n"a":"${"x".repeat(199)}",\n"b":[\n{\n"c":1` }],
  ["JSON nested too deep",           { type: JSON_TYPE, body: "[".repeat(500) },                 { message: "[".repeat(500) }, ["/"]],
  ["a JSON text of 40 kB",           { type: JSON_TYPE, body: JSON.stringify({ message: "x".repeat(40_000) }) }, { tags: ["truncated"] }],
  ["a form of one field",            { type: FORM, body: "usage=93" },                           { message: "usage=93" }],
  ["a form of fields",               { type: FORM, body: "host=nas&usage=93+%25" },              { message: "host: nas\nusage: 93 %" }],
  ["a form with a text",             { type: FORM, body: "subject=S&body=Hello+there" },         { message: "Hello there", title: "S" }],
  ["a form with JSON in it",         { type: FORM, body: `payload=${encodeURIComponent('{"message":"from JSON"}')}` }, { message: "from JSON" }],
  ["a multipart form",               { type: MULTIPART, body: `${part('name="message"', "m")}${part('name="title"', "T")}${part('name="priority"', "5")}--x--` }, { message: "m", title: "T", priority: "urgent" }],
  ["a multipart form with a file",   { type: MULTIPART, body: `${part('name="message"', "m")}${part('name="f"; filename="a.bin"', "\0\x01", "application/octet-stream")}--x--` }, { message: "m", attachments: [{ name: "a.bin", size: 2 }] }],
  ["a file of JSON",                 { type: MULTIPART, body: `${part('name="f"; filename="a.json"', '{"text":"Hello"}', "application/json")}--x--` }, { message: "Hello" }],
  ["a file of text",                 { type: MULTIPART, body: `${part('name="f"; filename="log.txt"', "line 1\nline 2", "text/plain")}--x--` }, { message: "line 1\nline 2" }],
  ["a multipart form that is none",  { type: "multipart/form-data", body: "disk is full" },      { message: "disk is full" }],
  ["JSON of another form",           { type: JSON_TYPE, body: '{"text":"Hello","subject":"S","severity":"critical","link":"https://h/"}' }, { message: "Hello", title: "S", level: "error", url: "https://h/" }],
  ["JSON of another form, inside",   { type: JSON_TYPE, body: '{"event":{"name":"Disk full","description":"/ at 99 %"}}' }, { message: "/ at 99 %", title: "Disk full" }],
  ["a list of objects",              { type: JSON_TYPE, body: '[{"text":"one"},{"text":"two"}]' }, { message: "one" }, ["/1"]],
  ["JSON of no form",                { type: JSON_TYPE, headers: { "user-agent": "Foobar/1.2" }, body: '{"disk":{"name":"sda","temperature":71},"password":"hunter2"}' }, { title: "Foobar: message of an unknown form", message: "disk.name: sda\ndisk.temperature: 71", level: "warning" }],
  ["Apprise's JSON",                 { type: JSON_TYPE, body: '{"version":"1.0","title":"Backup","message":"failed","attachments":[],"type":"failure"}' }, { title: "Backup", message: "failed", level: "error" }],
  ["a title and a state",            { type: JSON_TYPE, body: '{"title":"nas","state":"down"}' },  { message: "title: nas\nstate: down", title: "nas", level: "error" }],
  ["a name and a status",            { type: JSON_TYPE, body: '{"name":"nas","status":"ok"}' },    { title: "nas", level: "success" }],
  ["an event",                       { type: JSON_TYPE, body: '{"event":"Backup failed","host":"nas"}' }, { title: "Backup failed", message: "event: Backup failed\nhost: nas", level: "warning" }],
  ["all of it in `data`",            { type: JSON_TYPE, body: '{"data":{"message":"deep","title":"T"}}' }, { message: "deep", title: "T" }],
  ["a part of it in `data`",         { type: JSON_TYPE, body: '{"data":{"msg":"deep","severity":"crit"}}' }, { message: "deep", level: "error" }],
  ["an empty object",                { type: JSON_TYPE, body: "{}" },                            { message: "empty" }],
  ["Alertmanager without a rewrite", { type: JSON_TYPE, body: '{"version":"4","status":"firing","alerts":[{"status":"firing","labels":{"alertname":"DiskFull","severity":"critical"}}]}' }, { title: "DiskFull", level: "error", source: "rewrite:alertmanager" }],
];
test.each(bodies)("a body is a message: %s", async (_, sent, shown, ignored = []) => {
  const message = await stored(sent);
  expect(message).toMatchObject(shown);
  expect(paths(message)).toEqual(ignored);
});

describe("handling (RFC 7240)", () => {
  const wrong = of({ level: "purple" });
  test("is lenient, and reports what was left out", async () => {
    const response = await send(wrong);
    expect(response.headers.get("preference-applied")).toBe("handling=lenient");
    expect(paths(await answer<Stored>(201, response))).toEqual(["/level"]);
    const { headers } = await send(of({}));
    expect(headers.get("preference-applied")).toBeNull();
  });
  test("is strict where requested", async () => {
    for (const prefer of ["handling=strict", 'respond-async, handling="strict"', "Handling = Strict; x=1"]) {
      const strict = { prefer };
      expect(await answer(422, await send({ ...wrong, headers: strict }))).toMatchObject({ code: "validation_failed" });
      expect((await send({ ...of({}), headers: strict })).headers.get("preference-applied")).toBe("handling=strict");
      expect((await send({ body: "m", query: "level=purple", headers: strict })).status).toBe(422);
      expect((await send({ type: "application/xml", body: "<a/>", headers: strict })).status).toBe(415);
    }
  });
  test("is counted", async () => {
    const count = async () =>
      Number(/^peal_publishes_left_out_total (\d+)$/m.exec(await (await peal.request("/metrics")).text())?.[1]);
    const before = await count();
    await stored(wrong);
    await stored(of({}));
    expect(await count()).toBe(before + 1);
  });
});

test.each(["delay=soon", "delay=5000000", "delay=999999999", "at=someday", "in=yesterday", "delay=60&at=nonsense"])(
  "%s is refused, because sent now it would be another message",
  async (query) => {
    expect(await answer(422, await send({ body: "m", query }))).toMatchObject({ code: "validation_failed" });
  },
);

test.each([
  "/home/intake",
  "/home/unheard-of",
  "/home/intake?rewrite=uptimekuma",
  "/v1/home/intake-0123456789abcdefghjkmnpqrs/publish",
  "/v1/home/nothing/publish?rewrite=uptimekuma",
])("a GET of a publishing address, %s, says how to publish", async (path) => {
  const response = await peal.request(path);
  expect(response.headers.get("allow")).toBe("POST, PUT, OPTIONS");
  const { code, detail } = await answer<{ code: string; detail: string }>(405, response);
  expect(code).toBe("publish_by_post");
  expect(detail).toContain("Publish here with POST: `curl ");
  const page = await peal.request(path, { headers: { accept: "text/html", "accept-language": "de" } });
  expect(page.status).toBe(405);
  expect(await page.text()).toContain("An diese Adresse werden Nachrichten gesendet");
});
