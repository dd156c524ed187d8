/** Publishing, black-box: every transport, the answers, and who may publish (API.md §2, §3). */
import { afterAll, describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { answer, TIME, type TestMessage } from "../support/client.ts";
import { startPeal } from "../support/server.ts";

const peal = await startPeal();
afterAll(async () => peal[Symbol.asyncDispose]());

type Published = Record<string, unknown> & { id: number; topic: string; topic_url: string; created_topic: boolean };
const TOPIC_KEY = /^[a-z0-9_-]{1,32}-[0-9a-hjkmnp-tv-z]{26}$/;
const bearer = { authorization: `Bearer ${peal.adminKey}` };

interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body: string | Uint8Array;
}

/** Publishes as a tool would, and returns what was stored. */
async function sent(path: string, { headers, ...init }: Sent): Promise<Published> {
  const response = await peal.request(path, { method: "POST", ...init, headers: { ...bearer, ...headers } });
  return answer<Published>(201, response);
}
const json = (body: unknown) => ({ body: JSON.stringify(body), headers: { "content-type": "application/json" } });

test("the answer is the message as it is stored, with its topic's share link", async () => {
  const first = await sent("/home/backups", json({ message: "done", title: "Backup", data: { b: 1, a: [null] } }));
  expect(first.topic).toMatch(TOPIC_KEY);
  expect(first).toEqual({
    id: 1,
    namespace: "home",
    topic: first.topic,
    topic_name: "backups",
    message: "done",
    title: "Backup",
    level: "info",
    priority: "normal",
    format: "text",
    data: { b: 1, a: [null] },
    source: "api",
    created_at: expect.stringMatching(TIME) as unknown,
    topic_url: `${peal.url}/home/backups/${first.topic}`,
    created_topic: true,
  });
  const second = await sent("/home/backups", json({ message: "again" }));
  expect(second).toMatchObject({ id: 2, topic: first.topic, created_topic: false });
  const stored = await answer<TestMessage>(200, await peal.request(`/v1/home/${first.topic}/messages/1`));
  expect(first).toEqual({ ...stored, topic_url: first.topic_url, created_topic: true });
});

test("all fields are returned as they were sent", async () => {
  const fields = {
    message: "m",
    title: "t",
    level: "error",
    priority: "urgent",
    tags: ["a", "skull"],
    url: "https://h/x",
    image: "https://h/i.png",
    actions: [
      { label: "Open", url: "https://h/" },
      { label: "Stop", url: "https://h/stop", method: "POST" },
    ],
    format: "markdown",
    dedup_key: "k",
    status: "firing",
    ttl: 60,
    ack: true,
    timestamp: "2026-01-01T00:00:00.000Z",
    data: { text: "ü\u2028", "": 1e-7 },
  };
  expect(await sent("/home/fields", json(fields))).toMatchObject(fields);
});

test("a topic can be given by name, by its key instead of the name, and by its key alone", async () => {
  const topic = await peal.topic("reached");
  const body = json({ message: "m" });
  expect(await sent("/home/reached", body)).toMatchObject({ id: 1, topic: topic.key });
  expect(await sent(`/home/${topic.key}`, body)).toMatchObject({ id: 2, topic: topic.key });
  expect(await sent(`/v1/home/${topic.key}/publish`, body)).toMatchObject({ id: 3, topic: topic.key });
  expect(await sent("/home/reached", { ...body, method: "PUT" })).toMatchObject({ id: 4, topic: topic.key });
  expect(await sent(`/v1/home/${topic.key}/publish`, { ...body, method: "PUT" })).toMatchObject({ id: 5 });
});

test("names are case-sensitive and may contain dots", async () => {
  const lower = await sent("/home/case.1", json({ message: "m" }));
  const upper = await sent("/home/CASE.1", json({ message: "m" }));
  expect([lower.created_topic, upper.created_topic, upper.topic_name]).toEqual([true, true, "CASE.1"]);
  expect(upper.topic.startsWith("case-1-")).toBe(true);
});

test("publishing to an archived topic restores it", async () => {
  const { key } = await peal.topic("attic");
  await answer(200, await peal.api("PATCH", `/v1/home/${key}`, { archived: true }));
  await sent("/home/attic", json({ message: "m" }));
  expect(await answer(200, await peal.api("GET", `/v1/home/${key}`))).toMatchObject({ archived: false });
});

const FORM = "application/x-www-form-urlencoded";
const latin1 = Uint8Array.from([0x47, 0x72, 0xfc, 0x6e]);
// prettier-ignore
const transports: [string, { query?: string; type?: string; headers?: Record<string, string>; body: string | Uint8Array }, object, string[]?][] = [
  ["plain text",                      { type: "text/plain", body: "done" },                                   { message: "done", source: "api" }],
  ["text with a charset",             { type: "text/plain; charset=utf-8", body: "ü" },                       { message: "ü" }],
  ["no content type",                 { body: new TextEncoder().encode("done") },                             { message: "done" }],
  ["JSON that is called text",        { type: "text/plain", body: '{"message":"x"}' },                        { message: '{"message":"x"}' }],
  ["markdown",                        { type: "text/markdown", body: "*x*" },                                 { message: "*x*", format: "markdown" }],
  ["JSON of a vendor",                { type: "application/vnd.x+json; charset=utf-8", body: '{"message":"x"}' }, { message: "x" }],
  ["JSON with a byte order mark",     { type: "application/json", body: '\ufeff{"message":"x"}' },            { message: "x" }],
  ["a form without message",          { type: FORM, body: "usage=93" },                                       { message: "usage=93" }],
  ["curl -d 'a & b %'",               { type: FORM, body: "a & b % c+d" },                                    { message: "a & b % c+d" }],
  ["a form with message",             { type: FORM, body: "title=A+B&message=100%25+%C3%BC&tags=a,b&ttl=60" }, { message: "100% ü", title: "A B", tags: ["a", "b"], ttl: 60 }],
  ["a form with ntfy's names",        { type: FORM, body: "message=m&p=5&click=https://h/" },                 { message: "m", priority: "urgent", url: "https://h/" }],
  ["a form with a stray %",           { type: FORM, body: "message=100% done" },                              { message: "100% done" }],
  ["fields in the query",             { type: FORM, query: "title=T&level=error&tags=a,b", body: "x" },       { message: "x", title: "T", level: "error", tags: ["a", "b"] }],
  ["the message in the query",        { query: "message=m", body: "" },                                       { message: "m" }],
  ["Latin-1 from a job",              { type: "text/plain", body: latin1 },                                   { message: "Grün" }],
  ["Latin-1 by curl -d",              { type: FORM, body: latin1 },                                           { message: "Grün" }],
  ["controls from a terminal",        { type: "text/plain", body: "\x1b[1mbold\x00\r\n\tx" },                 { message: "bold\n\tx" }],
  ["gzip",                            { type: "application/json", headers: { "content-encoding": "gzip" }, body: gzipSync('{"message":"x"}') }, { message: "x" }],
  ["gzip of a text",                  { headers: { "content-encoding": "gzip" }, body: gzipSync("x") },       { message: "x" }],
  ["ntfy's headers",                  { headers: { Title: "T", Priority: "5", Tags: "a,b", Click: "https://h", Icon: "https://h/i", Actions: "view, Go, https://h/" }, body: "x" }, { message: "x", title: "T", priority: "urgent", tags: ["a", "b"], url: "https://h/", image: "https://h/i", icon: "https://h/i", actions: [{ label: "Go", url: "https://h/" }], source: "ntfy" }],
  ["ntfy's message header",           { headers: { Message: "from\\nheader" }, body: "" },                    { message: "from\nheader" }],
  ["the body before the header",      { headers: { Message: "header" }, body: "body" },                       { message: "body" }],
  ["Cloudflare's priority",           { headers: { Priority: "u=4, i" }, body: "x" },                         { priority: "normal", source: "api" }],
  ["Cloudflare's priority, and ours", { query: "priority=high", headers: { Priority: "u=4, i" }, body: "x" }, { priority: "high" }],
  ["headers that cannot be read",     { headers: { Click: "nonsense", Icon: "ftp://h", Actions: "boom", Priority: "12" }, body: "x" }, { message: "x", priority: "normal" }, ["url", "icon", "actions"]],
  ["ntfy's headers beside JSON",      { type: "application/json", headers: { Title: "T" }, body: '{"message":"x"}' }, { message: "x", title: "T", source: "api" }],
];
test.each(transports.map(([name, ...row]) => [name, row] as const))("%s", async (_, [request, stored, absent = []]) => {
  const { query = "", type, headers = {}, body } = request;
  const message = await sent(`/home/transports?${query}`, {
    body: typeof body === "string" ? new TextEncoder().encode(body) : body,
    headers: { ...headers, ...(type !== undefined && { "content-type": type }) },
  });
  expect(message).toMatchObject(stored);
  expect(Object.keys(message).filter((field) => absent.includes(field))).toEqual([]);
});

test("output over the limit is cut and tagged; up to 1 MiB is accepted", async () => {
  const message = await sent("/home/long?tags=job", { body: new TextEncoder().encode("ü".repeat(524_288)) });
  expect(message).toMatchObject({ message: "ü".repeat(16_384), tags: ["truncated", "job"] });
  const over = await peal.request("/home/long", {
    method: "POST",
    headers: bearer,
    body: new Uint8Array(1_048_577).fill(120),
  });
  await answer(413, over);
});

test("text in any script is returned as it was sent", async () => {
  const text = '"\\ \u2028\u2029 </script> 👨‍👩‍👧‍👦 \u202eabc 𝒳 مرحبا \t\n x';
  expect(await sent("/home/scripts", json({ message: text }))).toMatchObject({ message: text });
});

describe("who may publish", () => {
  const body = json({ message: "m" });
  const basic = (pair: string) => ({ authorization: `Basic ${btoa(pair)}` });
  // prettier-ignore
  const rows: [string, Record<string, string>, number, string][] = [
    ["Bearer",                       bearer,                                              201, ""],
    ["Basic, key as password",       basic(`anyone:${peal.adminKey}`),                    201, ""],
    ["Basic, key as user",           basic(`${peal.adminKey}:`),                          201, ""],
    ["no key",                       {},                                                  401, "missing_key"],
    ["a key that never was",         { authorization: `Bearer svc_${"0".repeat(64)}` },   401, "invalid_key"],
    ["no key at all in the header",  { authorization: "Bearer" },                         401, "invalid_key"],
    ["another scheme",               { authorization: `Token ${peal.adminKey}` },         401, "invalid_key"],
    ["two keys",                     { authorization: `Bearer ${peal.adminKey}, Bearer ${peal.adminKey}` }, 401, "invalid_key"],
  ];
  test.each(rows)("%s", async (_, headers, status, code) => {
    const response = await peal.request("/home/who", {
      method: "POST",
      body: body.body,
      headers: { ...body.headers, ...headers },
    });
    const answered = await answer<{ code?: string }>(status, response);
    if (code === "") return;
    expect(answered.code).toBe(code);
    expect(response.headers.get("www-authenticate")).toContain('Bearer realm="peal"');
  });

  test("a key in the query is ignored", async () => {
    const response = await peal.request(`/home/who?key=${peal.adminKey}&auth=${peal.adminKey}`, {
      method: "POST",
      ...body,
    });
    expect(await answer(401, response)).toMatchObject({ code: "missing_key" });
  });
  test("a namespace that does not belong to the key, whether it exists or not", async () => {
    for (const path of ["/other/x", "/v1/other/x-0123456789abcdefghjkmnpqrs/publish"])
      expect(await answer(403, await peal.api("POST", path, { message: "m" }))).toMatchObject({
        code: "wrong_namespace",
      });
  });
  test("a key with scope publish can publish and do nothing else", async () => {
    const { key } = await peal.mint("publish");
    const headers = { authorization: `Bearer ${key}` };
    const { topic } = await sent("/home/scoped", { ...body, headers: { ...body.headers, ...headers } });
    for (const [method, path] of [
      ["GET", "/v1/home/topics"],
      ["POST", "/v1/home/topics"],
      ["GET", `/v1/home/${topic}`],
      ["PATCH", `/v1/home/${topic}`],
      ["DELETE", `/v1/home/${topic}`],
      ["POST", `/v1/home/${topic}/rotate`],
      ["DELETE", `/v1/home/${topic}/messages/1`],
      ["GET", "/v1/home/scheduled"],
      ["DELETE", "/v1/home/scheduled/x"],
    ] as const)
      expect(await answer(403, await peal.request(path, { method, headers }))).toMatchObject({
        code: "insufficient_scope",
      });
    expect(await answer(403, await peal.request("/v1/keys", { headers }))).toMatchObject({ code: "admin_required" });
  });
});

describe("idempotency", () => {
  const keyed = async (key: string, body: object = { message: "m" }, path = "/home/once", method = "POST") =>
    peal.api(method, path, body, { "idempotency-key": key });

  test("a repeat gets the same answer and stores nothing", async () => {
    const first = await keyed("a");
    const repeat = await keyed("a");
    expect([first.headers.get("idempotent-replay"), repeat.headers.get("idempotent-replay")]).toEqual([null, "true"]);
    const message = await answer<Published>(201, first);
    expect(await answer<Published>(201, repeat)).toEqual(message);
    expect(await answer<Published>(201, await keyed("b"))).toMatchObject({ id: message.id + 1 });
  });
  test("sixteen at once store one message", async () => {
    const answers = await Promise.all(Array.from({ length: 16 }, async () => keyed("c")));
    const ids = await Promise.all(answers.map(async (response) => (await answer<Published>(201, response)).id));
    expect(new Set(ids).size).toBe(1);
  });
  test("another method, path, query or body is another request", async () => {
    await answer(201, await keyed("d"));
    for (const other of [
      keyed("d", { message: "other" }),
      keyed("d", { message: "m" }, "/home/twice"),
      keyed("d", { message: "m" }, "/home/once?x=1"),
      keyed("d", { message: "m" }, "/home/once", "PUT"),
    ])
      expect(await answer(409, await other)).toMatchObject({ code: "idempotency_mismatch" });
  });
  test("another ntfy header makes it another request, other headers do not", async () => {
    const plain = async (headers: Record<string, string>) =>
      peal.api("POST", "/home/once", "m", { "content-type": "text/plain", "idempotency-key": "h", ...headers });
    const first = await answer<Published>(201, await plain({ title: "one", "x-priority": "5" }));
    expect(await answer<Published>(201, await plain({ title: "one", "x-priority": "5", "x-trace": "2" }))).toEqual(
      first,
    );
    const others: Record<string, string>[] = [
      { title: "two", "x-priority": "5" },
      { title: "one" },
      { title: "one", "x-priority": "5", tags: "nas" },
      { title: "one", "x-priority": "5", delay: "1h" },
    ];
    for (const headers of others)
      expect(await answer(409, await plain(headers))).toMatchObject({ code: "idempotency_mismatch" });
  });
  test("a refused request does not use up its key", async () => {
    await answer(422, await keyed("e", { message: "m", delay: "soon" }));
    await answer(201, await keyed("e"));
  });
  test("a delayed message can be repeated too", async () => {
    const delayed = { message: "m", delay: 600 };
    const first = await answer(201, await keyed("f", delayed));
    expect(await answer(201, await keyed("f", delayed))).toEqual(first);
  });
  test.each(["x".repeat(129), "ü"])("the key %j is valid as well", async (key) => {
    const first = await answer(201, await keyed(key));
    expect(await answer(201, await keyed(key))).toEqual(first);
  });
  test("an empty one is ignored", async () => {
    const { id } = await answer<Published>(201, await keyed(""));
    expect(await answer<Published>(201, await keyed(""))).toMatchObject({ id: id + 1 });
  });
  test("128 printable characters are accepted", async () => {
    await answer(201, await keyed(`${"~ ".repeat(63)}!!`));
  });
});
