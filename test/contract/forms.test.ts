/** Forms that have no known field or were typed by hand, and bodies that take much work to read (docs/publish.md). */
import { afterAll, describe, expect, test } from "bun:test";
import { answer, type TestMessage } from "../support/client.ts";
import { messagesBy, newHook, said } from "../support/hooks.ts";
import { inProcess } from "../support/server.ts";

const peal = await inProcess();
afterAll(async () => peal[Symbol.asyncDispose]());

const FORM = "application/x-www-form-urlencoded";
const JSON_TYPE = "application/json";
const post = async (path: string, type: string, body: string, headers = {}): Promise<Response> =>
  peal.request(path, { method: "POST", body, headers: { "content-type": type, ...headers } });
const stored = async (type: string, body: string): Promise<TestMessage> =>
  answer<TestMessage>(201, await post("/home/forms", type, body, { authorization: `Bearer ${peal.adminKey}` }));

describe("a form without a text shows no secret", () => {
  const unknown = { title: "Message of an unknown form", level: "warning" };
  // prettier-ignore
  const rows: [what: string, body: string, shown: object][] = [
    ["of fields that are named so", "token=s3cr3ttoken&api_key=abc123&host=nas&x=1",                              { ...unknown, message: "host: nas\nx: 1" }],
    ["in a URL",                    "camera=rtsp%3A%2F%2Fadmin%3Ahunter2%40cam&password=hunter2",                 { ...unknown, message: "camera: rtsp://cam" }],
    ["of fields that come twice",   "disk=sda&disk=sdb&pwd=hunter2",                                              { ...unknown, message: "disk.0: sda\ndisk.1: sdb" }],
    ["and says its title",          "title=NAS&host=nas&session_id=abc123",                                       { ...unknown, title: "NAS", message: "title: NAS\nhost: nas" }],
  ];
  test.each(rows)("%s", async (_, body, shown) => expect(await stored(FORM, body)).toMatchObject(shown));

  test("and is stored as it is where it has only known fields", async () => {
    expect(await stored(FORM, "title=NAS&level=error")).toMatchObject({ message: "NAS", title: "NAS", level: "error" });
  });
});

test("JSON of an unknown shape is shown without the values of secret names", async () => {
  const secrets = "pwd pass access_key private_key session_id signature pin"
    .split(" ")
    .map((name) => [name, "hunter2"]);
  const body = JSON.stringify({ ...Object.fromEntries(secrets), author: "Ann", passed: 3, pinned: true });
  expect((await stored(JSON_TYPE, body)).message).toBe("author: Ann\npassed: 3\npinned: true");
});

test.each([
  [JSON_TYPE, '{"token":"s3cr3t","api_key":"abc123"}'],
  [FORM, "token=s3cr3t&api_key=abc123"],
])("with a rewrite that cannot read it, %s with nothing but secrets shows none of them", async (type, body) => {
  const headers = { authorization: `Bearer ${peal.adminKey}` };
  const { message } = await answer<TestMessage>(201, await post("/home/forms?rewrite=komodo", type, body, headers));
  expect(message).toBe('{\n  "token": "…",\n  "api_key": "…"\n}');
});

describe("names that JavaScript treats specially are names like any other", () => {
  const names = ["constructor", "toString", "__proto__", "valueOf"];
  const lines = names.map((name) => `${name}: of ${name}`).join("\n");
  const part = (name: string) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\nof ${name}\r\n`;
  test("in a multipart form", async () => {
    const body = `${names.map(part).join("")}--x--`;
    expect((await stored("multipart/form-data; boundary=x", body)).message).toBe(lines);
  });
  test("in a form", async () => {
    const body = names.map((name) => `${name}=of+${name}`).join("&");
    expect((await stored(FORM, body)).message).toBe(lines);
  });
});

describe("a form that was typed by hand, with spaces in it,", () => {
  // prettier-ignore
  const hooked: [what: string, path: string, body: string, shown: object][] = [
    ["Slack's",               "/slack",   'payload={"text": "Disk is full", "username": "nas"}',  { title: "Disk is full", source: "rewrite:slack" }],
    ["Apprise's",             "/apprise", "title=Backup failed&body=disk is full&type=failure",   { title: "Backup failed", message: "disk is full", level: "error" }],
    ["Gotify's",              "/gotify",  "title=Backup failed&message=disk is full&priority=8",  { title: "Backup failed", message: "disk is full", priority: "high" }],
    ["of no dialect",         "",         "subject=Backup failed&text=disk is full",              { title: "Backup failed", message: "disk is full" }],
    ["without a text",        "",         "token=s3cr3t&host=my nas",                             { message: "host: my nas" }],
    ["of one field",          "",         "usage=93 %",                                           { message: "usage=93 %" }],
    ["a sentence",            "",         "Build a=1 & b=2 failed",                               { message: "Build a=1 & b=2 failed" }],
    ["a sentence of one",     "",         "It works",                                             { message: "It works" }],
  ];
  test.each(hooked)("is read by a hook: %s", async (what, path, body, shown) => {
    const hook = await newHook(peal, { topic: `typed-${what.toLowerCase().replaceAll(/[^a-z]+/g, "-")}` });
    const [status] = await said(post(hook.url + path, FORM, body));
    expect([status, ...(await messagesBy(peal, hook))]).toMatchObject([path === "" ? 201 : 200, shown]);
  });

  // prettier-ignore
  const published: [body: string, shown: object][] = [
    ['payload={"text": "Disk is full", "username": "nas"}',      { title: "Disk is full", source: "rewrite:slack" }],
    ['data={"message": "Disk is full", "level": "error"}&n=1 2', { message: "Disk is full", level: "error" }],
    ["payload={ broken JSON",                                    { message: "payload={ broken JSON" }],
    ["data= 5",                                                  { message: "data= 5" }],
    ["data= 5 of 7",                                             { message: "data= 5 of 7" }],
    ["disk is full, usage=93 %",                                 { message: "disk is full, usage=93 %" }],
    ["a=1 & b=2",                                                { message: "a=1 & b=2" }],
    ["text=disk is full&n=1",                                    { message: "text=disk is full&n=1" }],
  ];
  test.each(published)("is JSON or the unchanged text at a topic's own URL: %s", async (body, shown) => {
    expect(await stored(FORM, body)).toMatchObject(shown);
  });
});

describe("what takes much work to read is read only as far as necessary", () => {
  const MIB = 1_048_576;
  const lines = (count: number) => `{"message":"${"\n".repeat(count)}end"}`;

  test("thousands of raw line ends in JSON are repaired", async () => {
    expect((await stored(JSON_TYPE, lines(4_096))).message.trim()).toBe("end");
    expect((await stored(JSON_TYPE, lines(4_097))).message.slice(0, 15)).toBe('{\n"message":"\n\n');
  });
  test("174,762 fields are recognized as a form by the beginning", async () => {
    const { message, title } = await stored(FORM, "a=‹&".repeat(MIB / 6));
    expect([title, message.slice(0, 13)]).toEqual(["Message of an unknown form", "a.0: ‹\na.1: ‹"]);
  });
  test("so is a body that stops being a form far after its beginning", async () => {
    expect((await stored(FORM, `${"aaa=bbb&".repeat(3_000)}two words=3`)).message.slice(0, 21)).toBe(
      "aaa.0: bbb\naaa.1: bbb",
    );
  });
  test("a text with a space at its beginning is not a form", async () => {
    expect((await stored(FORM, `a=b c${"&aaa=bbb".repeat(9)}`)).message).toBe(`a=b c${"&aaa=bbb".repeat(9)}`);
  });
  test("HTML with nested links shows each address that differs from its text", async () => {
    const html = `<a href="https://a/">https://a/</a> <a href="https://b/">b</a> ${'<a href="https://c/">'.repeat(900)}c${"</a>".repeat(900)}`;
    expect((await stored("text/html", html)).message).toBe(`https://a/ b (https://b/) c${" (https://c/)".repeat(900)}`);
  });
  test("only the beginning of tags and titles in dialects counts", async () => {
    const hook = await newHook(peal, { topic: "cut" });
    const tags = { body: "m", tag: `nas, ${"x ".repeat(MIB / 2 - 99)}last` };
    await post(`${hook.url}/apprise`, JSON_TYPE, JSON.stringify(tags));
    const title = { message: "m", title: `🔴 down\n${" \n".repeat(MIB / 3 - 99)}` };
    await post(`${hook.url}/gotify`, JSON_TYPE, JSON.stringify(title));
    const [first, second] = await messagesBy(peal, hook);
    expect(first).toMatchObject({ message: "m", tags: ["nas", "x"] });
    expect(second).toMatchObject({ title: "🔴 down", level: "error" });
  });
});
