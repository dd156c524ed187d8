/**
 * What ntfy's apps ask for and send besides reading (apps.test.ts), request for request as they build it. Sources:
 * binwiederhier/ntfy-android, msg/ApiService.kt; binwiederhier/ntfy-ios, Utils/ApiService.swift.
 */
import { afterAll, expect, test } from "bun:test";
import { apiKeySecret } from "../../src/util/ids.ts";
import { startPeal } from "../support/server.ts";

const peal = await startPeal();
afterAll(async () => peal[Symbol.asyncDispose]());
const { key } = await peal.mint("publish");

const ANDROID = { "user-agent": "ntfy/1.24.0 (fdroid; Android 15; SDK 35)", "accept-encoding": "gzip" };
const IPHONE = { "user-agent": "ntfy/1.6 (build 8; iOS 18.5)", accept: "*/*", "accept-encoding": "gzip, deflate, br" };
const basic = (password: string) => `Basic ${Buffer.from(`phil:${password}`).toString("base64")}`;

test("both ask whether a topic may be read before they subscribe, with and without a user", async () => {
  const topic = await peal.topic("auth");
  for (const headers of [ANDROID, { ...ANDROID, authorization: basic(key) }, IPHONE]) {
    const response = await peal.request(`/${topic.key}/auth`, { headers });
    expect([response.status, await response.json()]).toEqual([200, { success: true }]);
  }
  const wrong = { ...ANDROID, authorization: basic(apiKeySecret()) };
  const refused = await peal.request(`/${topic.key}/auth`, { headers: wrong });
  expect(refused.status).toBe(401); // the app asks for the password again
  expect(refused.headers.get("www-authenticate")).toStartWith("Basic");
  expect((await peal.request("/auth-0123456789abcdefghjkmnpqrs/auth", { headers: IPHONE })).status).toBe(403);
});

test("Android publishes what its form says, and a file, all in the query", async () => {
  const topic = await peal.topic("from-android");
  const put = async (query: string, body: string | Uint8Array, more = {}) => {
    const headers = { ...ANDROID, authorization: basic(key), ...more };
    const response = await peal.request(`/${topic.key}?${query}`, { method: "PUT", headers, body });
    return [response.status, (await response.json()) as Record<string, unknown>] as const;
  };
  const [status, told] = await put(
    "priority=4&tags=a%2Cb&title=T+1&click=https%3A%2F%2Fnas.lan%2F&markdown=true",
    "hello",
  );
  expect([status, told["message"]]).toEqual([200, "hello"]);
  const picture = Buffer.from("ffd8ffe000104a464946", "hex");
  const [, file] = await put("priority=3&filename=door.jpg&message=two%5Cnlines", picture);
  expect(file).toMatchObject({ message: "two\nlines", attachment: { name: "door.jpg", size: picture.length } });
  const [refused, why] = await put("priority=3", "x", { authorization: basic(apiKeySecret()) });
  expect([refused, why]).toEqual([401, { code: 40101, http: 401, error: expect.any(String) as string }]);
  expect(await peal.history(topic)).toMatchObject([
    { title: "T 1", message: "hello", priority: "high", tags: ["a", "b"], url: "https://nas.lan/", format: "markdown" },
    { message: "two\nlines", priority: "normal", attachments: [{ name: "door.jpg" }] },
  ]);
});

test("an iPhone publishes with headers that may be empty", async () => {
  const topic = await peal.topic("from-iphone");
  const headers = { ...IPHONE, authorization: basic(key), title: "", priority: "3", tags: "" };
  const sent = await peal.request(`/${topic.key}`, { method: "POST", headers, body: "hello" });
  expect([sent.status, await sent.json()]).toMatchObject([200, { event: "message", message: "hello" }]);
  const [stored] = await peal.history(topic);
  expect([stored?.["title"], stored?.["tags"]]).toEqual([undefined, undefined]);
});

test("an iPhone parts a poll by more than line ends, and yet each part is a message", async () => {
  const topic = await peal.topic("parted");
  const texts = ["one\u2028two\u2029three", "five"];
  for (const message of texts) await peal.publish(topic, { message, title: message.slice(0, 8) });
  const response = await peal.request(`/${topic.key}/json?poll=1&since=all`, { headers: IPHONE });
  // `isNewline` of Swift; JSON escapes the others by itself
  const lines = (await response.text()).split(/[\n\v\f\r\u0085\u2028\u2029]+/).filter((line) => line !== "");
  expect(lines.map((line) => (JSON.parse(line) as { message: string }).message)).toEqual(texts);
});

test("an id of the server that the app had before means all there is", async () => {
  const topic = await peal.topic("moved");
  for (const message of ["one", "two"]) await peal.publish(topic, message);
  const response = await peal.request(`/${topic.key}/json?poll=1&since=nFS3knfcQ1xe`, { headers: ANDROID });
  expect((await response.text()).trim().split("\n").length).toBe(2);
});
