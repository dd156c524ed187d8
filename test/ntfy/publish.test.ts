/** What is sent to ntfy's addresses becomes a message of peal, and is answered as ntfy answers (NTFY.md §2). */
import { describe, expect, test } from "bun:test";
import { ntfyObject } from "../support/ntfy-object.ts";
import { bearer, fieldsOf, PLAIN, sender, type Sent } from "./sending.ts";

const { peal, topic, key, send, newest } = await sender();

describe("both bases", () => {
  const paths = [`/${topic.key}`, `/ntfy/home/${topic.key}`, "/ntfy/home/backups"];

  test("take POST and PUT, and answer 200 with the message", async () => {
    for (const path of paths)
      for (const method of ["POST", "PUT"]) {
        const sent = await send(path, { method, body: "done", headers: { "content-type": "text/plain" } });
        expect(sent).toMatchObject({ event: "message", topic: path.split("/").at(-1), message: "done" });
        expect(fieldsOf(await newest())).toEqual({ ...PLAIN, message: "done" });
      }
  });

  test("take a slash at the end", async () => {
    for (const path of paths) expect(await send(`${path}/`, { body: "slashed" })).toMatchObject({ message: "slashed" });
    for (const path of ["/ntfy/home", "/ntfy/home/"])
      expect(await send(path, { body: JSON.stringify({ topic: "backups", message: "json" }) })).toMatchObject({
        message: "json",
      });
  });

  test("a new name makes its topic, below the namespace", async () => {
    expect(await send("/ntfy/home/new-one", { body: "first" })).toMatchObject({ topic: "new-one" });
  });

  test("every message has an id of its own", async () => {
    const ids = await Promise.all(Array.from({ length: 50 }, async () => (await send(`/${topic.key}`)).id));
    expect(new Set(ids).size).toBe(50);
  });
});

describe("headers and query", () => {
  // prettier-ignore
  const rows: [what: string, init: Sent & { query?: string }, stored: object, told: object][] = [
    ["a title",           { headers: { Title: "NAS" } },            { title: "NAS" },                         { title: "NAS" }],
    ["RFC 2047",          { headers: { "X-Title": "=?UTF-8?B?R3LDvMOfZQ==?=" } }, { title: "Grüße" },         { title: "Grüße" }],
    ["a priority",        { headers: { Priority: "5" } },           { priority: "urgent" },                   { priority: 5 }],
    ["tags",              { headers: { Tags: "warning,nas" } },     { tags: ["warning", "nas"] },             { tags: ["warning", "nas"] }],
    ["a link",            { headers: { Click: "https://h/" } },     { url: "https://h/" },                    { click: "https://h/" }],
    ["Markdown",          { headers: { Markdown: "yes" } },         { format: "markdown" },                   { content_type: "text/markdown" }],
    ["its type",          { headers: { "content-type": "text/markdown" } }, { format: "markdown" },           { content_type: "text/markdown" }],
    ["a sequence",        { headers: { "X-Sequence-ID": "copy" } }, { dedup_key: "copy" },                    { sequence_id: "copy" }],
    ["a button",          { headers: { Actions: "view, Open, https://h/" } }, { actions: [{ label: "Open", url: "https://h/" }] }, {}],
    ["an attachment",     { headers: { Attach: "https://h/a.jpg" } }, { image: "https://h/a.jpg" },           { attachment: { name: "a.jpg", url: "https://h/a.jpg" } }],
    ["a query",           { query: "title=NAS&p=4&ta=x&x-click=https://h/" }, { title: "NAS", priority: "high", tags: ["x"], url: "https://h/" }, { title: "NAS", priority: 4, tags: ["x"], click: "https://h/" }],
    ["what ntfy alone has", { headers: { Email: "a@b.c", Call: "yes", Cache: "no", Firebase: "no", "X-UnifiedPush": "1" }, query: "email=a@b.c&call=yes&cache=no&firebase=no&up=1" }, {}, {}],
  ];
  test.each(rows)("%s", async (_, { query = "", ...init }, stored, told) => {
    const sent = await send(`/${topic.key}?${query}`, { body: "x", ...init });
    expect(sent).toMatchObject({ message: "x", ...told });
    expect(fieldsOf(await newest())).toEqual({ ...PLAIN, message: "x", ...stored });
  });
});

describe("a body", () => {
  const form = { "content-type": "application/x-www-form-urlencoded" };
  // prettier-ignore
  const rows: [what: string, init: Sent & { query?: string }, stored: object][] = [
    ["that curl calls a form is text", { body: "message=x&title=y", headers: form }, { message: "message=x&title=y" }],
    ["that is JSON is text",           { body: '{"a":1}', headers: form },           { message: '{"a":1}' }],
    ["so is one of no type",           { body: new Blob(['{"title":"a","message":"b"}']) }, { message: '{"title":"a","message":"b"}' }],
    ["that says it is JSON is read",   { body: '{"title":"a","message":"b"}', headers: { "content-type": "application/json" } }, { title: "a", message: "b" }],
    ["of JSON of no known shape is shown as it came", { body: '{"cmd": "go"}', headers: { "content-type": "application/json" } }, { message: '{"cmd": "go"}' }],
    ["of nothing is triggered",        {},                                           { message: "triggered" }],
    ["of nothing with a title too",    { headers: { Title: "T" } },                  { message: "triggered", title: "T" }],
    ["may be in a header",             { headers: { Message: "one\\ntwo" } },        { message: "one\ntwo" }],
    ["may be in the query",            { query: "message=hello&unknown=x" },         { message: "hello" }],
    ["of nothing but an attachment",   { headers: { Attach: "https://h/a/f.apk" } }, { message: "You received a file: f.apk", image: "https://h/a/f.apk" }],
    ["beside a named attachment",      { body: "new", headers: { Attach: "https://h/f", Filename: "f.apk" } }, { message: "new", image: "https://h/f" }],
  ];
  test.each(rows)("%s", async (_, { query = "", ...init }, stored) => {
    await send(`/${topic.key}?${query}`, init);
    expect(fieldsOf(await newest())).toEqual({ ...PLAIN, ...stored });
  });

  test("with a file name is a file", async () => {
    const told = await send(`/${topic.key}`, { method: "PUT", body: "bytes", headers: { Filename: "log.txt" } });
    expect(told).toMatchObject({ message: "You received a file: log.txt", attachment: { name: "log.txt", size: 5 } });
    const file = await peal.request(told.attachment?.url ?? "");
    expect(await file.text()).toBe("bytes");
  });

  test("with a file and its message in the query is both", async () => {
    const told = await send(`/${topic.key}?filename=a.bin&message=Look&title=T`, { body: new Uint8Array([0, 1, 2]) });
    expect(told).toMatchObject({ message: "Look", title: "T", attachment: { name: "a.bin", size: 3 } });
  });

  test("that is no text is a file", async () => {
    const told = await send(`/${topic.key}`, {
      method: "PUT",
      body: new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0xff]),
    });
    expect(told.attachment?.size).toBe(6);
  });

  test("is stored whole, and told as far as ntfy's command reads", async () => {
    const body = "Zeile – ✓\n".repeat(2_000);
    const response = await peal.request(`/${topic.key}`, { method: "POST", body, headers: bearer(key) });
    const json = await response.text();
    expect(Buffer.byteLength(json)).toBeLessThanOrEqual(4_000);
    const { message = "" } = ntfyObject(json);
    const link = message.split("\n").at(-1) ?? "";
    const stored = await newest();
    expect(stored.message.trimEnd()).toBe(body.trimEnd());
    expect(link).toEndWith(`#m${stored.id}`);
    expect((await peal.request(link)).status).toBe(200);
  });
});

test("a retry sends nothing twice, and is answered as the first was", async () => {
  const init = { body: "once", headers: { "idempotency-key": "retry-1" } };
  const first = await send(`/${topic.key}?title=T`, init);
  const before = (await peal.history(topic)).length;
  expect(await send(`/${topic.key}?title=T`, init)).toEqual(first);
  expect((await peal.history(topic)).length).toBe(before);
  const other = { method: "POST", body: "other", headers: { ...bearer(key), "idempotency-key": "retry-1" } };
  expect((await peal.request(`/${topic.key}?title=T`, other)).status).toBe(409);
});

describe("a tool whose JSON peal reads", () => {
  const alert = {
    status: "firing",
    alerts: [{ status: "firing", labels: { alertname: "DiskFull", severity: "critical" }, annotations: {} }],
  };
  test("is read by the name of ntfy's template, whatever the type of its body", async () => {
    for (const name of ["alertmanager", "grafana"]) {
      await send(`/${topic.key}?template=${name}`, { body: JSON.stringify(alert) });
      expect(await newest()).toMatchObject({ level: "error", source: "rewrite:alertmanager" });
    }
    await send(`/${topic.key}`, { body: JSON.stringify(alert), headers: { "X-Template": "alertmanager" } });
    expect(await newest()).toMatchObject({ source: "rewrite:alertmanager" });
  });

  test("shows no braces of a template that is not run", async () => {
    await send(`/${topic.key}?tpl=yes&t={{.title}}`, { body: "text" });
    expect(fieldsOf(await newest())).toEqual({ ...PLAIN, message: "text" });
    const headers = { Template: "yes", Title: "{{.title}}", "X-Message": "{{.x}}", Tags: "a" };
    await send(`/${topic.key}`, { body: "text", headers });
    expect(fieldsOf(await newest())).toEqual({ ...PLAIN, message: "text", tags: ["a"] });
  });
});
