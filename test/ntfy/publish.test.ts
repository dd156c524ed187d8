/** What is sent to ntfy's addresses becomes a message of peal, and is answered as ntfy answers (NTFY.md §1, §2). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { TestMessage, TestTopic } from "../support/client.ts";
import { ntfyError, ntfyObject, type NtfyObject } from "../support/ntfy-object.ts";
import { inProcess, type InProcess } from "../support/server.ts";

let peal: InProcess;
let topic: TestTopic;
let key: string;
beforeAll(async () => {
  peal = await inProcess();
  topic = await peal.topic("backups");
  ({ key } = await peal.mint("publish"));
});
afterAll(async () => peal[Symbol.asyncDispose]());

const bearer = (secret = key) => ({ authorization: `Bearer ${secret}` });
const basic = (user: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`,
});

interface Sent extends Pick<RequestInit, "method" | "body"> {
  headers?: Record<string, string>;
}

/** Sends with a key, and reads the answer as ntfy's clients do. */
async function send(path: string, init: Sent = {}): Promise<NtfyObject> {
  const response = await peal.request(path, { method: "POST", ...init, headers: { ...bearer(), ...init.headers } });
  const json = await response.text();
  if (response.status !== 200) throw new Error(`${response.status}: ${json}`);
  expect(response.headers.get("content-type")).toBe("application/json");
  return ntfyObject(json);
}

const newest = async (of = topic): Promise<TestMessage> => {
  const message = (await peal.history(of)).at(-1);
  if (message === undefined) throw new Error("no message");
  return message;
};

const PLAIN = { level: "info", priority: "normal", format: "text", source: "ntfy" };
const OURS = new Set(["id", "namespace", "topic", "topic_name", "created_at"]);
const fieldsOf = (message: TestMessage): object =>
  Object.fromEntries(Object.entries(message).filter(([name]) => !OURS.has(name)));

describe("both bases", () => {
  const paths = () => [`/${topic.key}`, `/ntfy/home/${topic.key}`, "/ntfy/home/backups"];

  test("take POST and PUT, and answer 200 with the message", async () => {
    for (const path of paths())
      for (const method of ["POST", "PUT"]) {
        const sent = await send(path, { method, body: "done", headers: { "content-type": "text/plain" } });
        expect(sent).toMatchObject({ event: "message", topic: path.split("/").at(-1), message: "done" });
        expect(fieldsOf(await newest())).toEqual({ ...PLAIN, message: "done" });
      }
  });

  test("take a slash at the end", async () => {
    for (const path of paths())
      expect(await send(`${path}/`, { body: "slashed" })).toMatchObject({ message: "slashed" });
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
    const response = await peal.request(`/${topic.key}`, { method: "POST", body, headers: bearer() });
    const json = await response.text();
    expect(Buffer.byteLength(json)).toBeLessThanOrEqual(4_000);
    const { message = "" } = ntfyObject(json);
    const link = message.split("\n").at(-1) ?? "";
    expect((await newest()).message.trimEnd()).toBe(body.trimEnd());
    expect((await peal.request(link)).status).toBe(200);
  });
});

describe("JSON that names its topic", () => {
  const json = async (path: string, fields: object, headers: Record<string, string> = {}) =>
    send(path, { body: JSON.stringify(fields), headers: { "content-type": "application/json", ...headers } });

  test("goes to a key at the root, and to a name or key below the namespace", async () => {
    expect(await json("/", { topic: topic.key, message: "a" })).toMatchObject({ topic: topic.key, message: "a" });
    expect(await json("/ntfy/home", { topic: "backups", message: "b" })).toMatchObject({
      topic: "backups",
      message: "b",
    });
    expect(await json("/ntfy/home", { topic: topic.key, message: "c" })).toMatchObject({ message: "c" });
    expect((await peal.history(topic)).slice(-3).map(({ message }) => message)).toEqual(["a", "b", "c"]);
  });

  test("has all fields that ntfy's documentation gives", async () => {
    await json("/", {
      topic: topic.key,
      message: "Disk space is low at 5.1 GB",
      title: "Low disk space alert",
      tags: ["warning", "cd"],
      priority: 4,
      attach: "https://filesrv.lan/space.jpg",
      filename: "diskspace.jpg",
      click: "https://homecamera.lan/xasds1h2xsSsa/",
      actions: [{ action: "view", label: "Admin panel", url: "https://filesrv.lan/admin" }],
      markdown: true,
      sequence_id: "disk",
      email: "phil@example.com",
      call: "yes",
      cache: "no",
      firebase: "no",
    });
    expect(fieldsOf(await newest())).toEqual({
      ...PLAIN,
      message: "Disk space is low at 5.1 GB",
      title: "Low disk space alert",
      priority: "high",
      tags: ["warning", "cd"],
      url: "https://homecamera.lan/xasds1h2xsSsa/",
      image: "https://filesrv.lan/space.jpg",
      actions: [{ label: "Admin panel", url: "https://filesrv.lan/admin" }],
      format: "markdown",
      dedup_key: "disk",
    });
  });

  test("may name its fields in any case, as Go reads them", async () => {
    const Actions = [{ Action: "view", Label: "Open", URL: "https://h/" }];
    await json("/", { Topic: topic.key, Title: "T", Message: "M", Priority: 4, Tags: ["a"], FileName: "x", Actions });
    expect(fieldsOf(await newest())).toEqual({
      ...PLAIN,
      ...{ title: "T", message: "M", priority: "high", tags: ["a"], actions: [{ label: "Open", url: "https://h/" }] },
    });
  });

  test("may have all that its sender does not set as null", async () => {
    const nothing = Object.fromEntries(
      "title priority click attach icon filename delay email call sequence_id".split(" ").map((name) => [name, null]),
    );
    await json("/", { ...nothing, topic: topic.key, message: "from aiontfy", tags: [], actions: [], markdown: false });
    expect(fieldsOf(await newest())).toEqual({ ...PLAIN, message: "from aiontfy" });
  });

  test("is completed by headers", async () => {
    await json("/", { topic: topic.key, message: "m" }, { "X-Priority": "5", "X-Tags": "a" });
    expect(await newest()).toMatchObject({ message: "m", priority: "urgent", tags: ["a"] });
  });

  test("without a message is triggered", async () => {
    expect(await json("/", { topic: topic.key })).toMatchObject({ message: "triggered" });
  });

  // prettier-ignore
  const wrong: [what: string, body: string, status: number, code: number][] = [
    ["none",              "done",                             400, 40017],
    ["no topic",          '{"message":"m"}',                  400, 40017],
    ["a list",            '[{"topic":"backups"}]',            400, 40017],
    ["broken",            '{"topic":"backups"',               400, 40017],
    ["a name at the root", '{"topic":"backups","message":"m"}', 400, 40009],
    ["an unknown key",    '{"topic":"gone-0123456789abcdefghjkmnpqrs"}', 403, 40301],
  ];
  test.each(wrong)("that is %s is refused", async (_, body, status, code) => {
    const response = await peal.request("/", { method: "POST", body, headers: bearer() });
    expect(response.status).toBe(status);
    expect(await ntfyError(response)).toMatchObject({ code });
  });
});

describe("a message that its sender goes on with", () => {
  test("is updated by the path, in either base", async () => {
    for (const base of [`/${topic.key}`, "/ntfy/home/backups"])
      for (const method of ["POST", "PUT"]) {
        const told = await send(`${base}/copy-1`, {
          method,
          body: `${method} 10 %`,
          headers: { "content-type": "text/plain" },
        });
        expect(told).toMatchObject({ sequence_id: "copy-1", message: `${method} 10 %` });
        expect(await newest()).toMatchObject({ dedup_key: "copy-1", message: `${method} 10 %` });
      }
  });

  test("is updated by the id that the first answer gave", async () => {
    const { id } = await send(`/${topic.key}`, { body: "first" });
    expect(await send(`/${topic.key}/${id}`, { body: "second" })).toMatchObject({ sequence_id: id });
  });

  test("is deleted, and closed in the feed", async () => {
    for (const base of [`/${topic.key}`, "/ntfy/home/backups"]) {
      await send(`${base}/door`, { body: "open" });
      const told = await send(`${base}/door`, { method: "DELETE" });
      expect(told).toMatchObject({ event: "message_delete", sequence_id: "door" });
      expect(told).not.toHaveProperty("message");
      expect(await newest()).toMatchObject({ dedup_key: "door", status: "resolved", priority: "low" });
    }
  });

  test("is deleted by the id of its answer as well, whatever it was", async () => {
    const { id } = await send(`/${topic.key}`, { body: "no sequence" });
    expect(await send(`/${topic.key}/${id}`, { method: "DELETE" })).toMatchObject({
      event: "message_delete",
      sequence_id: id,
    });
    expect(await newest()).toMatchObject({ dedup_key: id, status: "resolved" });
  });

  test("that nobody was told of is deleted without a word, and makes no topic", async () => {
    const before = await peal.history(topic);
    for (const path of [`/${topic.key}/never`, "/ntfy/home/no-such-topic/never"]) {
      const told = await send(path, { method: "DELETE" });
      expect(told).toMatchObject({ event: "message_delete", sequence_id: "never", topic: path.split("/").at(-2) });
    }
    expect(await peal.history(topic)).toEqual(before);
    const { topics } = (await (await peal.api("GET", "/v1/home/topics")).json()) as { topics: { name: string }[] };
    expect(topics.map(({ name }) => name)).not.toContain("no-such-topic");
    const unknown = { method: "DELETE", headers: bearer() };
    expect((await peal.request("/gone-0123456789abcdefghjkmnpqrs/x", unknown)).status).toBe(403);
  });

  test("is marked as read", async () => {
    for (const word of ["clear", "read"]) {
      const told = await send(`/${topic.key}/door/${word}`, { method: "PUT" });
      expect(told).toMatchObject({ event: "message_clear", sequence_id: "door" });
    }
    expect(await newest()).toMatchObject({ dedup_key: "door", status: "resolved" });
  });
});

describe("a message that waits", () => {
  const waiting = async () => {
    const page = (await (await peal.api("GET", "/v1/home/scheduled")).json()) as { scheduled: TestMessage[] };
    return page.scheduled.map(({ message }) => message);
  };

  test("is answered with its time, and an id", async () => {
    const at = Math.floor(Date.now() / 1000) + 86_400;
    const told = await send(`/${topic.key}`, { body: "later", headers: { At: String(at) } });
    expect(told).toMatchObject({ message: "later", time: at });
    expect(await waiting()).toContain("later");
  });

  test("is replaced by the next of its sequence, as in a dead man's switch, and cancelled by its deletion", async () => {
    const path = `/${topic.key}/switch`;
    for (const body of ["switch 1", "switch 2"]) await send(path, { body, headers: { Delay: "1d" } });
    expect((await waiting()).filter((message) => message.startsWith("switch"))).toEqual(["switch 2"]);
    const before = await peal.history(topic);
    await send(path, { method: "DELETE" });
    expect((await waiting()).filter((message) => message.startsWith("switch"))).toEqual([]);
    expect(await peal.history(topic)).toEqual(before);
  });

  test("is cancelled by the id of its answer, and by none of another topic", async () => {
    const other = await peal.topic("others");
    const { id } = await send(`/${topic.key}`, { body: "cancel me", headers: { Delay: "1d" } });
    await send(`/${other.key}/${id}`, { method: "DELETE" });
    expect(await waiting()).toContain("cancel me");
    await send(`/${topic.key}/${id}`, { method: "DELETE" });
    expect(await waiting()).not.toContain("cancel me");
  });

  test("without a sequence is left alone", async () => {
    await send(`/${topic.key}`, { body: "one of two", headers: { Delay: "1d" } });
    await send(`/${topic.key}`, { body: "two of two", headers: { Delay: "1d" } });
    const left = (await waiting()).filter((message) => message.endsWith("of two"));
    expect(left).toEqual(["one of two", "two of two"]);
  });

  test("for a time that cannot be read is refused: now it would be another message", async () => {
    const before = (await peal.history(topic)).length;
    const init = { method: "POST", body: "x", headers: { ...bearer(), Delay: "whenever" } };
    const response = await peal.request(`/${topic.key}`, init);
    expect(response.status).toBe(400);
    expect(await ntfyError(response)).toMatchObject({ code: 40004 });
    expect((await peal.history(topic)).length).toBe(before);
  });
});

test("a retry sends nothing twice, and is answered as the first was", async () => {
  const init = { body: "once", headers: { "idempotency-key": "retry-1" } };
  const first = await send(`/${topic.key}?title=T`, init);
  const before = (await peal.history(topic)).length;
  expect(await send(`/${topic.key}?title=T`, init)).toEqual(first);
  expect((await peal.history(topic)).length).toBe(before);
  const other = { method: "POST", body: "other", headers: { ...bearer(), "idempotency-key": "retry-1" } };
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

describe("who may", () => {
  const refused = async (path: string, headers: Record<string, string>, method = "POST") => {
    const response = await peal.request(path, { method, headers, ...(method === "POST" && { body: "x" }) });
    return { status: response.status, headers: response.headers, ...(await ntfyError(response)) };
  };

  test("a key comes as a token, as the password of any user, or as the user", async () => {
    for (const headers of [bearer(), basic("anybody", key), basic("", key), basic(key, ""), basic(key, "None")])
      expect(await send(`/${topic.key}`, { body: "by whatever", headers })).toMatchObject({ message: "by whatever" });
  });

  test("without a key, or with a wrong one, the apps are to ask for a password", async () => {
    for (const headers of [{}, bearer(`svc_${"0".repeat(64)}`), basic("me", "wrong")])
      for (const path of [`/${topic.key}`, "/ntfy/home/backups", "/", "/ntfy/home"]) {
        const { status, code, headers: answered } = await refused(path, headers);
        expect({ path, status, code }).toEqual({ path, status: 401, code: 40101 });
        expect(answered.get("www-authenticate")).toStartWith("Basic realm=");
      }
  });

  test("a key of another namespace may not, nor one that only reads; a topic that does not exist looks the same", async () => {
    const local = async (path: string, body: object) =>
      peal.local(path, { method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json" } });
    await local("/-/local/namespaces", { name: "work" });
    const { key: foreign } = (await (await local("/v1/keys?namespace=work", { scope: "full" })).json()) as {
      key: string;
    };
    const { key: reader } = (await (await peal.api("POST", "/v1/keys", { scope: "read" })).json()) as { key: string };
    for (const secret of [foreign, reader])
      for (const path of [`/${topic.key}`, "/ntfy/home/backups"])
        expect(await refused(path, bearer(secret))).toMatchObject({ status: 403, code: 40301 });
    expect(await refused("/gone-0123456789abcdefghjkmnpqrs", bearer())).toMatchObject({ status: 403, code: 40301 });
    // nor take back what waits
    await send(`/${topic.key}/reminder`, { body: "still waits", headers: { Delay: "1d" } });
    expect(await refused(`/${topic.key}/reminder`, bearer(foreign), "DELETE")).toMatchObject({
      status: 403,
      code: 40301,
    });
    const { scheduled } = (await (await peal.api("GET", "/v1/home/scheduled?limit=100")).json()) as {
      scheduled: TestMessage[];
    };
    expect(scheduled.map(({ message }) => message)).toContain("still waits");
  });

  test("too many are told when to come back", async () => {
    await using limited = await inProcess({ env: { PEAL_LIMITS_PUBLISH: "1/h:2" } });
    const { key: address } = await limited.topic("few");
    const asked = async () =>
      limited.request(`/${address}`, { method: "POST", body: "x", headers: bearer(limited.adminKey) });
    let response = await asked();
    for (let n = 0; n < 20 && response.status === 200; n++) response = await asked();
    expect(response.status).toBe(429);
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await ntfyError(response)).toMatchObject({ code: 42901 });
  });
});

test("below the path of PEAL_BASE_URL both bases are there too, and JSON goes to it without a slash", async () => {
  await using based = await inProcess({ env: { PEAL_BASE_URL: "https://house.example/peal" } });
  const { key: address } = await based.topic("based");
  const headers = bearer(based.adminKey);
  for (const path of ["/peal", "/peal/", "/peal/ntfy/home"]) {
    const body = JSON.stringify({ topic: address, message: path });
    expect([path, (await based.request(path, { method: "POST", body, headers })).status]).toEqual([path, 200]);
  }
  const response = await based.request(`/peal/${address}`, { method: "POST", body: "x".repeat(9_000), headers });
  expect(ntfyObject(await response.text()).message).toContain(`https://house.example/peal/home/${address}`);
});

describe("addresses", () => {
  test("that are none are refused in ntfy's form, and those of peal as before", async () => {
    for (const path of ["/ntfy/home/backups/a/b", "/ntfy", "/ntfy/", `/${topic.key}/a/b/c`, "/v1/version"]) {
      const response = await peal.request(path, { headers: { accept: "text/html" } });
      expect([path, response.status]).toEqual([path, 404]);
      if (path !== "/ntfy") expect(await ntfyError(response)).toMatchObject({ code: 40401 });
    }
    const own = await peal.request("/v1/home/topics/none/of/these");
    expect(own.headers.get("content-type")).toBe("application/problem+json");
  });

  test("tell scripts of other origins what they may do", async () => {
    const asks = { "access-control-request-method": "POST", "access-control-request-headers": "authorization,x-title" };
    for (const [path, allow] of [
      [`/${topic.key}`, "POST"],
      [`/${topic.key}/copy-1`, "DELETE"],
      [`/${topic.key}/auth`, "GET"],
      ["/ntfy/home/backups", "PUT"],
      ["/", "POST"],
      ["/v1/account/token", "PATCH"],
    ] as const) {
      const { status, headers } = await peal.request(path, {
        method: "OPTIONS",
        headers: { origin: "https://app.example", ...asks },
      });
      expect([path, status]).toEqual([path, 204]);
      expect(headers.get("access-control-allow-methods")?.split(", ")).toContain(allow);
      expect(headers.get("access-control-allow-headers")).toBe("authorization,x-title");
      expect(headers.get("access-control-allow-origin")).toBe("*");
    }
    const sent = await peal.request(`/${topic.key}`, {
      method: "POST",
      body: "x",
      headers: { ...bearer(), origin: "https://app.example" },
    });
    expect(sent.headers.get("access-control-allow-origin")).toBe("*");
  });

  test("that are asked for by HEAD answer without a body", async () => {
    const { key: address } = topic;
    for (const path of [`/${address}/auth`, "/ntfy/home/v1/health", "/v1/health"]) {
      const response = await peal.request(path, { method: "HEAD" });
      expect([path, response.status, await response.text()]).toEqual([path, 200, ""]);
    }
  });

  test("of a topic's key alone still lead a browser to the feed", async () => {
    const response = await peal.request(`/${topic.key}`, { headers: { accept: "text/html" } });
    expect([response.status, response.headers.get("location")]).toEqual([303, `/home/${topic.key}`]);
  });

  test("of peal itself still answer 201 and their own JSON", async () => {
    const response = await peal.api("POST", "/home/backups", "as before");
    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject({ topic_name: "backups", message: "as before", source: "api" });
  });
});
