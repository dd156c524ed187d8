/** ntfy's headers, query parameters and forms: what they mean, and that none of them ever throws. */
import { afterAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { headerFields, parameterFields } from "../../src/messages/reading/asides.ts";
import { meaning } from "../../src/messages/reading/meaning.ts";
import { decodeWords, parseActions, parseDelay, type Fields } from "../../src/messages/reading/ntfy.ts";
import { parseDuration } from "../../src/util/time.ts";
import { characters } from "../../src/util/schema.ts";
import { answer } from "../support/client.ts";
import { examples } from "../support/rounds.ts";
import { startPeal } from "../support/server.ts";

const peal = await startPeal();
afterAll(async () => peal[Symbol.asyncDispose]());

const asWritten = (name: string) => name;
const headers = (values: Record<string, string>) => meaning(headerFields(new Headers(values)).fields, asWritten).fields;
const query = (text: string) => meaning(parameterFields(new URLSearchParams(text)), asWritten);

// prettier-ignore
const inHeaders: [string, Record<string, string>, Fields][] = [
  ["Title",               { Title: "T" },                            { title: "T" }],
  ["X-Title",             { "X-Title": "T" },                        { title: "T" }],
  ["t",                   { t: "T" },                                { title: "T" }],
  ["a title in UTF-8",    { Title: "Gr\xc3\xbc\xc3\x9fe" },          { title: "Grüße" }],
  ["a title in Latin-1",  { Title: "Gr\xfcn" },                      { title: "Grün" }],
  ["an RFC 2047 title",   { Title: "=?UTF-8?B?R3LDvMOfZQ==?=" },     { title: "Grüße" }],
  ["a title too long",    { Title: "x".repeat(300) },                { title: `${"x".repeat(255)}…` }],
  ["Priority: 1",         { Priority: "1" },                         { priority: "low" }],
  ["Priority: 2",         { Priority: "2" },                         { priority: "low" }],
  ["Priority: 3",         { Priority: "3" },                         { priority: "normal" }],
  ["X-Priority: 4",       { "X-Priority": "4" },                     { priority: "high" }],
  ["p: 5",                { p: "5" },                                { priority: "urgent" }],
  ["prio: min",           { prio: "min" },                           { priority: "low" }],
  ["Priority: Default",   { Priority: "Default" },                   { priority: "normal" }],
  ["Priority: max",       { Priority: "max" },                       { priority: "urgent" }],
  ["Priority: urgent",    { Priority: "urgent" },                    { priority: "urgent" }],
  ["Cloudflare's",        { Priority: "u=4, i" },                    {}],
  ["Cloudflare's and p",  { Priority: "u=4, i", p: "5" },            { priority: "urgent" }],
  ["a priority of Gotify", { Priority: "9" },                        { priority: "high" }],
  ["a priority of nobody", { Priority: "12" },                       {}],
  ["a priority in words", { "X-Priority": "Emergency" },             { priority: "urgent" }],
  ["Tags",                { Tags: "a, b,,c " },                      { tags: ["a", "b", "c"] }],
  ["ta",                  { ta: "skull" },                           { tags: ["skull"] }],
  ["a tag sent 20 times", { Tags: Array(20).fill("t").join() },      { tags: ["t"] }],
  ["too many tags",       { Tags: Array.from({ length: 20 }, (_, n) => n).join() }, { tags: Array.from({ length: 16 }, (_, n) => String(n)) }],
  ["a tag too long",      { Tags: "x".repeat(40) },                  { tags: [`${"x".repeat(31)}…`] }],
  ["Click",               { Click: "https://h/" },                   { url: "https://h/" }],
  ["Icon",                { Icon: "https://h/i.png" },               { icon: "https://h/i.png" }],
  ["Attach before Icon",  { Attach: "https://h/a", Icon: "https://h/i" }, { image: "https://h/a", icon: "https://h/i" }],
  ["Markdown: yes",       { Markdown: "yes" },                       { format: "markdown" }],
  ["md: 1",               { md: "1" },                               { format: "markdown" }],
  ["Markdown: no",        { Markdown: "no" },                        { format: "text" }],
  ["Delay: 30m",          { Delay: "30m" },                          { delay: 1_800 }],
  ["In: 2 days",          { In: "2 days" },                          { delay: 172_800 }],
  ["At: unix time",       { At: "1767225600" },                      { at: "2026-01-01T00:00:00.000Z" }],
  ["At: RFC 3339",        { "X-At": "2026-01-01T00:00:00Z" },        { at: "2026-01-01T00:00:00Z" }],
  ["Delay: unreadable",   { Delay: "tomorrow, 10am" },               { delay: "tomorrow, 10am" }],
  ["Message",             { Message: "one\\ntwo" },                  { message: "one\ntwo" }],
  ["Sequence-ID",         { "X-Sequence-ID": "k" },                  { dedup_key: "k" }],
  ["Actions",             { Actions: "view, Open, https://h/" },     { actions: [{ label: "Open", url: "https://h/" }] }],
  ["ignored ones",        { Email: "a@b", Call: "yes", Cache: "no", Firebase: "no", "X-UnifiedPush": "1" }, {}],
  ["empty ones",          { Title: "", Tags: "", Priority: "" },     {}],
  ["peal's own names",    { Level: "error", Format: "markdown" },    {}],
  ["peal's own, with X-", { "X-Level": "critical", "X-Dedup-Key": "k" }, { level: "error", dedup_key: "k" }],
];
test.each(inHeaders)("header %s", (_, sent, fields) => {
  expect(headers(sent)).toEqual(fields);
});

// prettier-ignore
const inQuery: [string, Fields, refused?: string][] = [
  ["title=T&level=error&tags=a,b",      { title: "T", level: "error", tags: ["a", "b"] }],
  ["t=T&p=5&ta=x&m=hi",                 { title: "T", priority: "urgent", tags: ["x"], message: "hi" }],
  ["click=https://h/&icon=https://i/",  { url: "https://h/", icon: "https://i/" }],
  ["url=https://h/&image=https://i/",   { url: "https://h/", image: "https://i/" }],
  ["markdown=1",                        { format: "markdown" }],
  ["format=markdown",                   { format: "markdown" }],
  ["priority=12",                       {}, "priority"],
  ["markdown=maybe",                    {}, "markdown"],
  ["delay=90",                          { delay: 90 }],
  ["delay=1h30m",                       { delay: 5_400 }],
  ["at=2026-01-01T00:00:00Z",           { at: "2026-01-01T00:00:00Z" }],
  ["ttl=60&ack=true&p=max",             { ttl: 60, ack: true, priority: "urgent" }],
  ["ttl=soon",                          {}, "ttl"],
  ["titel=T",                           {}, "titel"],
  ["Title=T&LEVEL=crit&dedupKey=k",     { title: "T", level: "error", dedup_key: "k" }],
  ["dedup_key=k&status=resolved",       { dedup_key: "k", status: "resolved" }],
  ['data={"a":1}',                      { data: { a: 1 } }],
  ["data=a",                            {}, "data"],
  ["timestamp=2026-01-01T00:00:00.000Z", { timestamp: "2026-01-01T00:00:00.000Z" }],
  ["actions=nonsense",                  {}, "actions"],
  ["",                                  {}],
];
test.each(inQuery)("query %s", (sent, fields, refused = "") => {
  const said = query(sent);
  expect(said.fields).toEqual(fields);
  expect(said.ignored.map(({ path }) => path)).toEqual(refused === "" ? [] : [refused]);
});

describe("published over HTTP", () => {
  const bearer = { authorization: `Bearer ${peal.adminKey}` };
  const defaults = { message: "x", level: "info", priority: "normal", format: "text" };
  const isNow = (fields: Fields) => !("delay" in fields || "at" in fields); // times are tested in scheduled.test.ts
  const envelope = "id namespace topic topic_name topic_url created_at created_topic source ignored".split(" ");

  const published = async (path: string, body: string, more: Record<string, string>, fields: Fields) => {
    const sent = { method: "POST", body, headers: { ...bearer, ...more } };
    const stored = await answer<Record<string, unknown>>(201, await peal.request(path, sent));
    const told = Object.entries(stored).filter(([name]) => !envelope.includes(name));
    // an icon is the image if there is no other
    const image = "icon" in fields ? { image: fields["icon"] } : {};
    expect(Object.fromEntries(told)).toEqual({ ...image, ...fields });
  };

  test.each(inHeaders.filter(([, , fields]) => isNow(fields)))("header %s", async (_, headers, fields) => {
    const isCut = JSON.stringify(fields).includes("…");
    const { tags = [] } = fields as { tags?: string[] };
    const cut = isCut && { tags: ["truncated", ...tags] };
    await published("/home/ntfy", "message" in fields ? "" : "x", headers, { ...defaults, ...fields, ...cut });
  });

  const asked = inQuery
    .filter(([, fields]) => isNow(fields))
    .map(([query, fields, refused = ""]) => [query, fields, refused] as const);
  test.each(asked)("query %s", async (query, fields, refused) => {
    const path = `/home/ntfy?${query}`;
    const sent = { method: "POST", body: "x", headers: bearer };
    if (refused === "") return published(path, "message" in fields ? "" : "x", {}, { ...defaults, ...fields });
    const ignored = [{ path: refused, message: expect.any(String) as unknown }];
    expect(await answer(201, await peal.request(path, sent))).toMatchObject({ ...defaults, ignored });
    const strict = { ...sent, headers: { ...bearer, prefer: "handling=strict" } };
    expect(await answer(422, await peal.request(path, strict))).toMatchObject({ errors: ignored });
  });
});

describe("actions", () => {
  const portal = { label: "Open portal", url: "https://home.nest.com/" };
  // prettier-ignore
  const rows: [string, unknown][] = [
    ["view, Open portal, https://home.nest.com/",                                   [portal]],
    ["view, Open portal, https://home.nest.com/, clear=true",                       [{ ...portal, clear: true }]],
    ["action=view, label=Open portal, url=https://home.nest.com/",                  [portal]],
    ["view, 'Open portal', \"https://home.nest.com/\";",                            [portal]],
    ["view, 'a, b; c', 'https://h/?a=1,2'",                                         [{ label: "a, b; c", url: "https://h/?a=1,2" }]],
    ["view, \"it's \\\"x\\\"\", https://h",                                         [{ label: "it's \"x\"", url: "https://h" }]],
    ["http, Stop, https://h/stop",                                                  [{ label: "Stop", url: "https://h/stop", method: "POST" }]],
    ["http, Stop, https://h/stop, method=put",                                      [{ label: "Stop", url: "https://h/stop", method: "PUT" }]],
    ["view, A, https://a; http, B, https://b, method=DELETE",                       [{ label: "A", url: "https://a" }, { label: "B", url: "https://b", method: "DELETE" }]],
    ["http, Turn down, https://api, body='{\"temperature\": 65}'",                  [{ label: "Turn down", url: "https://api", method: "POST", body: '{"temperature": 65}' }]],
    ["http, Close, https://api, headers.Authorization=Bearer x, headers.X-A=1, clear=1", [{ label: "Close", url: "https://api", method: "POST", headers: { Authorization: "Bearer x", "X-A": "1" }, clear: true }]],
    ["broadcast, Take picture, extras.cmd=pic, extras.Camera=front",                [{ label: "Take picture", broadcast: { extras: { cmd: "pic", Camera: "front" } } }]],
    ["broadcast, Open, intent=org.example.OPEN, clear=yes",                         [{ label: "Open", broadcast: { intent: "org.example.OPEN" }, clear: true }]],
    ["copy, Copy code, value=123",                                                  [{ label: "Copy code", copy: "123" }]],
    ["copy, Copy code, 123",                                                        [{ label: "Copy code", copy: "123" }]],
    // a backslash that is not before the quote is the sender's: JSON keeps its line ends, Windows its folders
    ["http, Tell, https://h/, body='{\"text\": \"one\\ntwo\"}'",                    [{ label: "Tell", url: "https://h/", method: "POST", body: '{"text": "one\\ntwo"}' }]],
    ["http, Tell, https://h/, body='C:\\\\nas\\it\\'s'",                              [{ label: "Tell", url: "https://h/", method: "POST", body: "C:\\\\nas\\it's" }]],
    ['[{"action":"view","label":"Open portal","url":"https://home.nest.com/"}]',    [portal]],
    ['[{"label":"Open portal","url":"https://home.nest.com/"}]',                    [portal]],
    ['[{"action":"http","label":"x","url":"https://h","headers":{"a":"b"}}]',       [{ label: "x", url: "https://h", method: "POST", headers: { a: "b" } }]],
    ['[{"action":"http","label":"x","url":"https://h","headers":null,"body":null}]', [{ label: "x", url: "https://h", method: "POST" }]],
    ['[{"action":"http","label":"x","url":"https://h","method":"get"}]',            [{ label: "x", url: "https://h", method: "GET" }]],
    ["[1]",                                                                         [1]],
    ["explode, a, https://h",                                                       undefined],
    ["[nonsense",                                                                   undefined],
    ["view, a, b, c, d",                                                            undefined],
    ["",                                                                            undefined],
    [";;",                                                                          undefined],
  ];
  test.each(rows)("%s", (text, actions) => {
    expect(parseActions(text)).toEqual(actions as unknown[]);
  });
});

// prettier-ignore
const durations: [string, number | undefined][] = [
  ["10s", 10], ["30m", 1_800], ["1h", 3_600], ["1h30m", 5_400], ["2 days", 172_800], ["1 Week", 604_800],
  ["3min", 180], ["5 mins", 300], ["1 hour 5 seconds", 3_605],
  ["", undefined], ["10", undefined], ["m", undefined], ["-5m", undefined], ["5 parsecs", undefined], ["5m later", undefined],
];
test.each(durations)("duration %j", (text, seconds) => {
  expect(parseDuration(text)).toBe(seconds as number);
});

test("a duration is the sum of its parts, however it is written", () => {
  const part = fc.tuple(
    fc.nat(10_000),
    fc.constantFrom(["s", 1], ["minutes", 60], ["h", 3_600], ["Day", 86_400] as const),
  );
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), fc.constantFrom("", " "), (parts, blank) => {
      const text = parts.map(([n, [unit]]) => `${n}${blank}${unit}`).join(blank);
      return parseDuration(text) === parts.reduce((sum, [n, [, factor]]) => sum + n * factor, 0);
    }),
  );
});

test("a delay is seconds, a duration or unix time; anything else is left to be refused", () => {
  expect(parseDelay("2592000")).toEqual({ delay: 2_592_000 });
  for (const none of ["2592001", "999999999"]) expect(parseDelay(none)).toEqual({ at: none });
  expect(parseDelay("1000000000")).toEqual({ at: "2001-09-09T01:46:40.000Z" });
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.bigInt({ min: 0n }).map(String)),
      (text) => Object.keys(parseDelay(text)).length === 1,
    ),
  );
});

// prettier-ignore
const words: [string, string][] = [
  ["=?UTF-8?Q?Gr=C3=BC=C3=9Fe?=",                 "Grüße"],
  ["=?utf-8?q?a_b?= c",                           "a b c"],
  ["=?ISO-8859-1?Q?Gr=FCn?=",                     "Grün"],
  ["=?UTF-8?B?8J+OiQ==?= =?UTF-8?Q?_?=\t=?UTF-8?Q?x?=", "🎉 x"],
  ["=?martian?Q?x?=",                             "=?martian?Q?x?="],
  ["=?UTF-8?X?x?=",                               "=?UTF-8?X?x?="],
  ["a =? b",                                      "a =? b"],
];
test.each(words)("RFC 2047 %s", (text, decoded) => {
  expect(decodeWords(text)).toBe(decoded);
});

test("no header and no parameter throws, and what they set is within the limits", () => {
  const names =
    "message title t priority p tags ta click icon attach actions markdown md delay at in sequence-id level data ttl ack";
  const latin1 = fc.string({ unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)) });
  const tricky = fc.constantFrom("=?UTF-8?B?AA==?=", "view,", "[{}]", "[null]", "'", '"', "=,;", "u=1", "http,a,b,c=d");
  const value = fc.oneof(
    latin1,
    fc.array(fc.oneof(tricky, latin1)).map((parts) => parts.join("")),
  );
  const sent = fc.dictionary(fc.constantFrom(...names.split(" "), "x-title", "x-priority"), value);
  fc.assert(
    fc.property(sent, (values) => {
      query(new URLSearchParams(values).toString());
      const {
        title = "",
        tags = [],
        priority = "low",
      } = headers(values) as { title?: string; tags?: string[]; priority?: string };
      return (
        characters(title) <= 256 &&
        tags.length <= 16 &&
        tags.every((tag) => characters(tag) <= 32) &&
        ["low", "normal", "high", "urgent"].includes(priority)
      );
    }),
    { numRuns: examples(2_000) },
  );
});

test("long headers with a single problem are read well within a test's time", () => {
  const hostile = ['"', "'", "a=", " ", ";", ",", "\\", "=?", "?=", "=?a?b?", "1m", "1 ", "a"];
  for (const part of hostile) {
    const text = part.repeat(16_000 / part.length);
    parseActions(text);
    parseActions(`view, '${text}`);
    parseDuration(text);
    decodeWords(`=?${text}`);
    headers({ title: text, actions: text, tags: text, delay: text });
  }
});
