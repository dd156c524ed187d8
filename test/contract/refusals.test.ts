/**
 * Requests that are refused, with strict handling: the documented status and code, nothing stored, and the connection
 * stays open (API.md §6).
 */
import { afterAll, expect, test } from "bun:test";
import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import { answer } from "../support/client.ts";
import { answers, converse, rawRequest, statuses } from "../support/raw.ts";
import { startPeal } from "../support/server.ts";

const peal = await startPeal();
afterAll(async () => peal[Symbol.asyncDispose]());

const topic = await peal.topic("refusals");
const bearer = { authorization: `Bearer ${peal.adminKey}` };
const KEY_LIKE = "x-0123456789abcdefghjkmnpqrs";
const text = (body: string) => new TextEncoder().encode(body);
const nested = "[".repeat(30_000) + "]".repeat(30_000);
const DEEP = `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`;
const JSON_TYPE = "application/json";
const FORM = "application/x-www-form-urlencoded";

interface Row {
  path?: string;
  type?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
}
const BROKEN = Uint8Array.from([...text('{"message":"'), 0xff, ...text('"}')]);

// prettier-ignore
const rows: [string, Row, number, string][] = [
  ["broken JSON",                 { body: '{"message": "x' },                              400, "malformed_json"],
  ["an empty body",               { body: "" },                                            400, "malformed_json"],
  ["JSON that is not UTF-8",      { body: BROKEN },                                         400, "malformed_json"],
  ["JSON nested 30,000 deep",     { body: nested },                                        400, "malformed_json"],
  ["no object",                   { body: '"text"' },                                      422, "validation_failed"],
  ["null",                        { body: "null" },                                        422, "validation_failed"],
  ["no message",                  { body: "{}" },                                          422, "validation_failed"],
  ["a message of the wrong type", { body: '{"message":1}' },                               422, "validation_failed"],
  ["a message too long by one",   { body: JSON.stringify({ message: "x".repeat(32_769) }) }, 422, "validation_failed"],
  ["NUL",                         { body: '{"message":"a\\u0000b"}' },                     422, "validation_failed"],
  ["a lone surrogate",            { body: '{"message":"\\ud800"}' },                       422, "validation_failed"],
  ["a lone surrogate in data",    { body: '{"message":"m","data":{"a":"\\udfff"}}' },      422, "validation_failed"],
  ["controls and nothing else",   { body: '{"message":"\\u0007"}' },                       422, "validation_failed"],
  ["a JSON body over 1 MiB",      { body: JSON.stringify({ message: "x", pad: "x".repeat(1_048_576) }) }, 413, "too_large"],
  ["a text over 1 MiB",           { body: new Uint8Array(1_048_577), type: "text/plain" }, 413, "too_large"],
  ["JSON for a key that is not UTF-8", { path: "/v1/keys", body: BROKEN },                 400, "malformed_json"],
  ["JSON for a topic that is not UTF-8", { path: "/v1/home/topics", body: BROKEN },        400, "malformed_json"],
  ["gzip that unpacks over it",   { body: gzipSync(new Uint8Array(10_000_000)), headers: { "content-encoding": "gzip" } }, 413, "too_large"],
  ["gzip that is none",           { body: "x", headers: { "content-encoding": "gzip" } },  400, "malformed_body"],
  ["brotli that is none",         { body: "x", headers: { "content-encoding": "br" } },    400, "malformed_body"],
  ["an unknown encoding",         { body: "x", headers: { "content-encoding": "lzma" } },  415, "unsupported_media_type"],
  ["an unknown content type",     { body: "x", type: "application/xml" },                  415, "unsupported_media_type"],
  ["a multipart form",            { body: "x", type: "multipart/form-data; boundary=x" },  415, "unsupported_media_type"],
  ["an empty text",               { body: "", type: "text/plain" },                        422, "validation_failed"],
  ["a text of controls",          { body: "\0\x07", type: "text/plain" },                  422, "validation_failed"],
  ["a form that is not UTF-8",    { body: "message=%ff", type: FORM },                     400, "malformed_body"],
  ["an empty form message",       { body: "message=", type: FORM },                        422, "validation_failed"],
  ["data nested 100,000 deep",    { body: `message=m&data=${DEEP}`, type: FORM },          422, "validation_failed"],
  ["buttons without end",         { body: `message=m&actions=${"a;".repeat(500_000)}`, type: FORM },  422, "validation_failed"],
  ["tags without end",            { body: `message=m&tags=${"a,".repeat(500_000)}`, type: FORM },     422, "validation_failed"],
  ["a wrong form field",          { body: "message=m&level=purple", type: FORM },          422, "validation_failed"],
  ["a wrong query field",         { path: "/home/refusals?level=purple", body: "x", type: "text/plain" }, 422, "validation_failed"],
  ["a wrong priority",            { path: "/home/refusals?p=12", body: "x", type: "text/plain" }, 422, "validation_failed"],
  ["a wrong delay in the query",  { path: "/home/refusals?delay=later", body: "x", type: "text/plain" }, 422, "validation_failed"],
  ["a wrong delay in a header",   { headers: { delay: "later" }, body: "x", type: "text/plain" }, 422, "validation_failed"],
  ["an unknown rewrite",          { path: "/home/refusals?rewrite=nagios", body: "{}" },   422, "validation_failed"],
  ["an empty rewrite",            { path: "/home/refusals?rewrite=", body: "{}" },         422, "validation_failed"],
  ["a name of 65 characters",     { path: `/home/${"x".repeat(65)}` },                     404, "not_found"],
  ["a name with an encoded slash", { path: "/home/a%2Fb" },                                404, "not_found"],
  ["a name with a blank",         { path: "/home/a%20b" },                                 404, "not_found"],
  ["a name that begins with a dot", { path: "/home/.a" },                                  404, "not_found"],
  ["a bad escape",                { path: "/home/%ff" },                                   404, "not_found"],
  ["a name like a key",           { path: `/home/${KEY_LIKE}` },                           404, "unknown_topic"],
  ["a key of nobody",             { path: `/v1/home/${KEY_LIKE}/publish` },                404, "unknown_topic"],
  ["no key in a key's place",     { path: "/v1/home/refusals/publish" },                   404, "unknown_topic"],
  ["a reserved word",             { path: "/health/x" },                                   404, "not_found"],
];
test.each(rows)("%s", async (_, { path, type = JSON_TYPE, headers, body = '{"message":"m"}' }, status, code) => {
  for (const target of path === undefined ? ["/home/refusals", `/v1/home/${topic.key}/publish`] : [path])
    await expectProblem(
      await peal.request(target, {
        method: "POST",
        headers: { ...bearer, prefer: "handling=strict", "content-type": type, ...headers },
        body: typeof body === "string" ? text(body) : body,
      }),
      status,
      code,
    );
  expect(await peal.history(topic)).toEqual([]);
});

/** Expects a problem as in RFC 9457, without any internals of the server. */
async function expectProblem(response: Response, status: number, code: string): Promise<void> {
  expect(response.headers.get("content-type")).toContain("application/problem+json");
  const problem = await answer<Record<string, unknown>>(status, response);
  expect(problem).toMatchObject({ status, code, request_id: response.headers.get("x-request-id") });
  expect(JSON.stringify(problem)).not.toMatch(/\\n\s+at |\.[jt]s:\d+:\d+|SELECT|INSERT|\/src\//);
}

// prettier-ignore
const unread: [string, Row, number, string][] = [
  ["broken JSON",            { body: "{" },                                           400, "malformed_json"],
  ["JSON that is not UTF-8", { body: BROKEN },                                        400, "malformed_json"],
  ["no object",              { body: "[]" },                                          422, "validation_failed"],
  ["a JSON body over 64 KiB", { body: JSON.stringify({ pad: "x".repeat(65_536) }) },  413, "too_large"],
  ["a text",                 { body: "{}", type: "text/plain" },                      415, "unsupported_media_type"],
  ["an unknown encoding",    { body: "{}", headers: { "content-encoding": "lzma" } }, 415, "unsupported_media_type"],
];
test.each(unread)("%s is refused wherever JSON is read, and changes nothing", async (name, row, status, code) => {
  const { key } = await peal.topic(`unread-${Bun.hash(name)}`);
  const lists = async () =>
    Promise.all(["/v1/home/topics", "/v1/keys"].map(async (list) => (await peal.api("GET", list)).text()));
  const before = await lists();
  for (const [method, path] of [
    ["POST", "/v1/home/topics"],
    ["PATCH", `/v1/home/${key}`],
    ["POST", `/v1/home/${key}/rotate`],
    ["POST", "/v1/keys"],
  ] as const) {
    const headers = { ...bearer, "content-type": row.type ?? JSON_TYPE, ...row.headers };
    await expectProblem(await peal.request(path, { method, headers, body: row.body ?? "" }), status, code);
  }
  expect(await lists()).toEqual(before);
});

test("a body of 10 MB is refused because of its announced length, then received in full and discarded", async () => {
  const body = "x".repeat(10_000_000);
  const next = rawRequest("GET", "/ready"); // it is answered once the body before it was received
  const heard = await converse(peal.url, rawRequest("POST", "/home/refusals", bearer, body) + next, answers(2));
  expect(statuses(heard)).toEqual([413, 200]);
  expect(heard).toContain('"code":"too_large"');
  expect(await peal.history(topic)).toEqual([]);
});

test("a body without an end is refused as soon as it is too long", async () => {
  const head = `POST /home/refusals HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ${peal.adminKey}\r\nTransfer-Encoding: chunked\r\n\r\n`;
  const chunk = `10000\r\n${"x".repeat(0x10000)}\r\n`;
  const answered = await new Promise<string>((resolve, reject) => {
    // 17 chunks are over 1 MiB, and the last one is never sent
    const socket = connect(Number(new URL(peal.url).port), "127.0.0.1", () => socket.write(head + chunk.repeat(17)));
    let heard = "";
    socket.on("data", (data) => {
      heard += data.toString();
      if (!heard.includes("too_large")) return;
      socket.destroy();
      resolve(heard);
    });
    socket.on("error", reject);
  });
  expect(answered).toStartWith("HTTP/1.1 413 ");
  expect(await peal.history(topic)).toEqual([]);
});

test("after a refused request the connection can be used for the next one", async () => {
  const { port } = new URL(peal.url);
  const request = (body: string) =>
    `POST /home/keepalive HTTP/1.1\r\nHost: h\r\nPrefer: handling=strict\r\nContent-Type: application/json\r\nAuthorization: Bearer ${peal.adminKey}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const answered = await new Promise<string>((resolve, reject) => {
    let heard = "";
    const socket = connect(Number(port), "127.0.0.1", () => socket.write(request('{"message":')));
    socket.on("data", (data) => {
      const before = heard;
      heard += data.toString();
      if (before === "") socket.write(request('{"message":"m"}'));
      if (heard.includes('"created_topic"')) {
        socket.destroy();
        resolve(heard);
      }
    });
    socket.on("error", reject);
    socket.on("close", () => {
      resolve(heard);
    });
  });
  expect(answered.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 400", "HTTP/1.1 201"]);
});
