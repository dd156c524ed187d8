/**
 * ntfy's apps, request for request as they build them, and each line decoded as strictly as they declare it. Sources:
 * binwiederhier/ntfy-android, msg/ApiService.kt, msg/Message.kt, service/WsConnection.kt; binwiederhier/ntfy-ios,
 * Utils/ApiService.swift, Persistence/Notification.swift.
 */
import { afterAll, describe, expect, test } from "bun:test";
import { apiKeySecret } from "../../src/util/ids.ts";
import { eventually } from "../support/eventually.ts";
import { startPeal } from "../support/server.ts";

const peal = await startPeal();
afterAll(async () => peal[Symbol.asyncDispose]());
const { key } = await peal.mint("publish");

const basic = (password: string) => `Basic ${Buffer.from(`phil:${password}`).toString("base64")}`;
const ANDROID = { "user-agent": "ntfy/1.20.0 (play; Android 16; SDK 36)", "accept-encoding": "gzip" };
const IPHONE = { "user-agent": "ntfy/1.4 (build 2; iOS 26.1)", accept: "*/*", "accept-encoding": "gzip, deflate, br" };

/** Everything that a message says, in one of each topic. */
const FULL = {
  ...{ title: "Grüße", priority: "high", tags: ["warning", "nas"], url: "https://nas.lan/", image: "https://nas.lan/a.png" },
  ...{ actions: [{ label: "Open", url: "https://nas.lan/" }, { label: "Stop", url: "https://nas.lan/stop", method: "PUT" }] },
  ...{ format: "markdown", dedup_key: "disk-1" },
};

interface Line {
  id: string;
  time: number;
  event: string;
  topic: string;
  message?: string;
  sequence_id?: string;
  [field: string]: unknown;
}

const isText = (value: unknown) => typeof value === "string";
const isWhole = (value: unknown) => Number.isSafeInteger(value);
const isAbsentOr = (is: (value: unknown) => boolean) => (value: unknown) => value === undefined || is(value);
const isListOf = (is: (value: unknown) => boolean) => (value: unknown) => Array.isArray(value) && value.every(is);
const hasShape = (shape: Record<string, (value: unknown) => boolean>) => (value: unknown) =>
  typeof value === "object" &&
  value !== null &&
  Object.keys(value).every((name) => name in shape) &&
  Object.entries(shape).every(([name, is]) => is((value as Record<string, unknown>)[name]));

/** What both apps declare, of these types; absent is absent, never null. */
const isDecoded = hasShape({
  ...{ id: isText, time: isWhole, event: isText, topic: isText, expires: isAbsentOr(isWhole) },
  ...{ sequence_id: isAbsentOr(isText), title: isAbsentOr(isText), message: isAbsentOr(isText) },
  priority: isAbsentOr((value) => [1, 2, 3, 4, 5].includes(value as number)),
  tags: isAbsentOr(isListOf(isText)),
  ...{ click: isAbsentOr(isText), icon: isAbsentOr(isText), content_type: isAbsentOr(isText) },
  actions: isAbsentOr(
    isListOf(
      hasShape({
        ...{ id: isText, action: isText, label: isText, url: isText, method: isAbsentOr(isText) },
        clear: (value) => typeof value === "boolean",
      }),
    ),
  ),
  attachment: isAbsentOr(
    hasShape({
      ...{ name: isText, url: isText, type: isAbsentOr(isText), size: isAbsentOr(isWhole), expires: isAbsentOr(isWhole) },
    }),
  ),
});

function decoded(text: string): Line {
  const line = JSON.parse(text) as Line;
  expect([isDecoded(line), text]).toEqual([true, text]);
  return line;
}
/** Lines as Swift parts them: by anything that it takes for a line end, which is more than JSON escapes. */
const swiftLines = (text: string) => text.split(/[\n\v\f\r\u0085\u2028\u2029]+/).filter((line) => line !== "");

const get = async (path: string, headers: Record<string, string>) => {
  const response = await fetch(`${peal.url}${path}`, { headers });
  return { status: response.status, text: await response.text(), headers: response.headers };
};

describe("whether a topic may be read, which both ask before they subscribe", () => {
  test("by its key, with and without a user", async () => {
    const topic = await peal.topic("auth");
    for (const headers of [ANDROID, { ...ANDROID, authorization: basic(key) }, IPHONE]) {
      const { status, text } = await get(`/${topic.key}/auth`, headers);
      expect([status, JSON.parse(text)]).toEqual([200, { success: true }]);
    }
  });

  test("a wrong password is refused, so that the app asks again; a topic that is not there, too", async () => {
    const topic = await peal.topic("auth-wrong");
    const wrong = await get(`/${topic.key}/auth`, { ...ANDROID, authorization: basic(apiKeySecret()) });
    expect([wrong.status, wrong.headers.get("www-authenticate")?.startsWith("Basic")]).toEqual([401, true]);
    expect((await get("/auth-0123456789abcdefghjkmnpqrs/auth", IPHONE)).status).toBe(403);
  });
});

describe("the app for Android", () => {
  /** Opens its socket, and collects what it hears. */
  function connect(path: string, user = false) {
    const headers = { ...ANDROID, ...(user && { authorization: basic(key) }) };
    const socket = new WebSocket(`${peal.url.replace("http", "ws")}${path}`, { headers } as unknown as string[]);
    const lines: Line[] = [];
    socket.addEventListener("message", ({ data }) => lines.push(decoded(String(data))));
    return {
      opened: eventually("open", () => lines.some(({ event }) => event === "open")),
      messages: () => lines.filter(({ event }) => event === "message"),
      close: () => {
        socket.close(1000, "");
      },
    };
  }

  test("one socket for several topics, which says what it read last when it comes back", async () => {
    const [one, other] = [await peal.topic("nas"), await peal.topic("door")];
    await peal.publish(one, { message: "before", ...FULL });
    const path = (since: string) => `/${one.key},${other.key}/ws?since=${since}`;
    const first = connect(path("all"), true);
    await first.opened;
    await peal.publish(other, { message: "live" });
    await eventually("two messages", () => first.messages().length === 2);
    expect(first.messages()).toMatchObject([
      { topic: one.key, message: "before", title: "Grüße", priority: 4, tags: FULL.tags, sequence_id: "disk-1" },
      { topic: other.key, message: "live" },
    ]);
    first.close();

    await peal.publish(one, { message: "missed" });
    await peal.publish(other, { message: "missed as well" });
    const last = first.messages().at(-1)?.id ?? "";
    const second = connect(path(last));
    await second.opened;
    await peal.publish(one, { message: "live again" });
    await eventually("three messages", () => second.messages().length === 3);
    expect(second.messages().map(({ message }) => message)).toEqual(["missed", "missed as well", "live again"]);
    second.close();
  });

  test("a poll, which it does every quarter of an hour and when it is opened", async () => {
    const topic = await peal.topic("polled");
    await peal.publish(topic, { message: "one\ntwo\u2028three", ...FULL });
    const all = await get(`/${topic.key}/json?poll=1&since=all`, ANDROID);
    expect(all.status).toBe(200);
    const [first] = all.text.trim().split("\n").map(decoded);
    expect(first).toMatchObject({ message: "one\ntwo\u2028three" });
    await peal.publish(topic, { message: "four" });
    const later = await get(`/${topic.key}/json?poll=1&since=${first?.id ?? ""}`, { ...ANDROID, authorization: basic(key) });
    expect(later.text.trim().split("\n").map(decoded)).toMatchObject([{ message: "four" }]);
    // ids of the server that it had before, which it still remembers
    expect((await get(`/${topic.key}/json?poll=1&since=nFS3knfcQ1xe`, ANDROID)).text.trim().split("\n").length).toBe(2);
  });

  test("it publishes with its form, and with a file", async () => {
    const topic = await peal.topic("published");
    const put = async (query: string, body: string | Uint8Array) =>
      fetch(`${peal.url}/${topic.key}?${query}`, { method: "PUT", headers: { ...ANDROID, authorization: basic(key) }, body });
    const text = await put("priority=4&tags=a%2Cb&title=T+1&click=https%3A%2F%2Fnas.lan%2F&markdown=true", "hello");
    expect([text.status, decoded(await text.text()).message]).toEqual([200, "hello"]);
    const file = await put("priority=3&filename=door.jpg&message=two%5Cnlines", Buffer.from("ffd8ffe000104a464946", "hex"));
    expect([file.status, decoded(await file.text()).message]).toEqual([200, "two\nlines"]);
    const refused = await fetch(`${peal.url}/${topic.key}?priority=3`, { method: "PUT", headers: ANDROID, body: "x" });
    expect([refused.status, typeof ((await refused.json()) as { code: unknown }).code]).toEqual([401, "number"]);
    expect(await peal.history(topic)).toMatchObject([
      { title: "T 1", message: "hello", priority: "high", tags: ["a", "b"], url: "https://nas.lan/", format: "markdown" },
      { message: "two\nlines", priority: "normal", attachments: [{ name: "door.jpg" }] },
    ]);
  });
});

describe("the app for iPhones", () => {
  test("a poll, whose lines it parts by more than line ends", async () => {
    const topic = await peal.topic("iphone");
    for (const message of ["one\u2028two\u2029three\u0085four", "five"]) await peal.publish(topic, { message, ...FULL });
    const { text } = await get(`/${topic.key}/json?poll=1&since=all`, { ...IPHONE, authorization: basic(key) });
    const lines = swiftLines(text).map(decoded);
    expect(lines.map(({ message }) => message)).toEqual(["one\u2028two\u2029three\u0085four", "five"]);
    const since = await get(`/${topic.key}/json?poll=1&since=${lines[0]?.id ?? ""}`, IPHONE);
    expect(swiftLines(since.text).map((line) => decoded(line).message)).toEqual(["five"]);
  });

  test("a message by its id, which a push has told: one object and nothing else", async () => {
    const topic = await peal.topic("by-id");
    for (const message of ["one", "two", "three"]) await peal.publish(topic, { message });
    const all = swiftLines((await get(`/${topic.key}/json?poll=1&since=all`, IPHONE)).text).map(decoded);
    const { text } = await get(`/${topic.key}/json?poll=1&id=${all[1]?.id ?? ""}`, IPHONE);
    expect(decoded(text)).toEqual(all[1] as Line);
  });

  test("it publishes with headers that may be empty", async () => {
    const topic = await peal.topic("from-iphone");
    const headers = { ...IPHONE, authorization: basic(key), title: "", priority: "3", tags: "" };
    const sent = await fetch(`${peal.url}/${topic.key}`, { method: "POST", headers, body: "hello" });
    expect(decoded(await sent.text())).toMatchObject({ event: "message", message: "hello" });
    const [stored] = await peal.history(topic);
    expect([stored?.["title"], stored?.["tags"]]).toEqual([undefined, undefined]);
  });
});
