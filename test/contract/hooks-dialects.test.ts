/** Tools that think they post to Slack, Discord, GitHub, Gotify or Apprise get the answer they expect (API.md §9). */
import { afterAll, describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { answer, TIME } from "../support/client.ts";
import { heldClock } from "../support/clock.ts";
import { messagesBy, newHook, post, said, tokenOf, type TestHook } from "../support/hooks.ts";
import { inProcess, type TestServer } from "../support/server.ts";

const peal = await inProcess();
afterAll(async () => peal[Symbol.asyncDispose]());

const UNKNOWN = "h_0123456789abcdefghjkmnpqrs";
let topics = 0;
const fresh = async (body: object = {}): Promise<TestHook> => newHook(peal, { topic: `t${topics++}`, ...body });
const only = async (hook: TestHook) => {
  const messages = await messagesBy(peal, hook);
  expect(messages).toHaveLength(1);
  return messages[0];
};

describe("Slack's", () => {
  test("is answered with ok, even where the body contains more than Slack defines", async () => {
    const hook = await fresh();
    const response = await post(peal, `${hook.url}/slack`, { text: "*Disk* full", level: 3, host: "nas" });
    expect(response.headers.get("content-type")).toBe("text/plain");
    expect(await said(response)).toEqual([200, "ok"]);
    expect(await only(hook)).toMatchObject({ title: "Disk full", source: "rewrite:slack" });
  });

  test("is read from a form's payload, and whatever its content type", async () => {
    const hook = await fresh({ as: "slack" });
    const form = new URLSearchParams({ payload: JSON.stringify({ text: "by form" }) });
    expect(await said(peal.request(hook.url, { method: "POST", body: form }))).toEqual([200, "ok"]);
    expect(await said(post(peal, hook.url, '{"text":"plain"}', { "content-type": "text/plain" }))).toEqual([200, "ok"]);
    expect(await messagesBy(peal, hook)).toMatchObject([{ title: "by form" }, { title: "plain" }]);
  });

  test("accepts another tool's body for what it is", async () => {
    const hook = await fresh();
    expect(await said(post(peal, `${hook.url}/slack`, { message: "ours", level: "error" }))).toEqual([200, "ok"]);
    expect(await only(hook)).toMatchObject({ message: "ours", level: "error", source: "hook" });
  });
});

describe("Discord's", () => {
  test("is answered 204, and with ?wait=true a message as Discord shows it", async () => {
    const hook = await fresh();
    const body = { content: "Build failed", embeds: [{ title: "ci", color: 15158332 }] };
    expect(await said(post(peal, hook.discord_url, body))).toEqual([204, ""]);
    expect(await said(post(peal, `${hook.url}/discord`, body))).toEqual([204, ""]);
    const waited = await answer<object>(200, await post(peal, `${hook.discord_url}?wait=true`, body));
    expect(waited).toMatchObject({ id: "3", type: 0, timestamp: expect.stringMatching(TIME) as string });
    expect((await messagesBy(peal, hook)).map(({ source }) => source)).toEqual(Array(3).fill("rewrite:discord"));
  });

  test("shows the webhook to tools that check it, without its token or its topic's key", async () => {
    const hook = await fresh({ name: "CI" });
    const shown = await (await peal.request(hook.discord_url)).text();
    expect(JSON.parse(shown)).toMatchObject({
      type: 1,
      name: "CI",
      id: expect.stringMatching(/^\d{17,20}$/) as string,
    });
    expect(shown).not.toContain(tokenOf(hook));
    expect(shown).not.toContain(hook.topic);
    expect(await messagesBy(peal, hook)).toEqual([]);
  });
});

describe("GitHub's", () => {
  test("is answered 202, and its ping makes a message: anyone who adds the URL sees that it works", async () => {
    const hook = await fresh();
    const body = { zen: "Keep it logically awesome.", hook_id: 1, repository: { full_name: "a/b" } };
    const response = await post(peal, `${hook.url}/github`, body, { "x-github-event": "ping" });
    expect(await answer<object>(202, response)).toMatchObject({ id: 1 });
    expect(await only(hook)).toMatchObject({ title: "GitHub test", source: "rewrite:github" });
  });
});

const bodies: [string, (fields: Record<string, string>) => RequestInit][] = [
  ["JSON", (fields) => ({ body: JSON.stringify(fields), headers: { "content-type": "application/json" } })],
  ["a form", (fields) => ({ body: new URLSearchParams(fields) })],
  [
    "multipart",
    (fields) => {
      const body = new FormData();
      for (const [name, value] of Object.entries(fields)) body.set(name, value);
      return { body };
    },
  ],
];
const places: [string, (token: string) => [query: string, headers: Record<string, string>]][] = [
  ["the query", (token) => [`?token=${token}`, {}]],
  ["X-Gotify-Key", (token) => ["", { "x-gotify-key": token }]],
  ["X-Gotify-Key, and none in the query", (token) => ["?token=", { "x-gotify-key": token }]],
  ["Bearer", (token) => ["", { authorization: `Bearer ${token}` }]],
];

describe("Gotify's", () => {
  describe.each(bodies)("%s", (_, init) => {
    test.each(places)("with the token in %s", async (_, place) => {
      const hook = await fresh();
      const [query, headers] = place(hook.gotify_token);
      const sent = init({ title: "NAS", message: "Disk full", priority: "5" });
      for (const path of ["/message", "/v1/gotify/message"]) {
        const response = await peal.request(path + query, {
          ...sent,
          method: "POST",
          headers: { ...(sent.headers as object), ...headers },
        });
        expect(await answer<object>(200, response)).toEqual({
          ...{ id: path === "/message" ? 1 : 2, appid: 1, title: "NAS", message: "Disk full", priority: 5 },
          date: expect.stringMatching(TIME) as string,
        });
      }
      expect(await messagesBy(peal, hook)).toMatchObject(
        Array(2).fill({ title: "NAS", message: "Disk full", priority: "normal", source: "hook" }),
      );
    });
  });

  // prettier-ignore
  const priorities: [unknown, string][] = [
    [0, "low"], [1, "low"], [3, "low"], [4, "normal"], [5, "normal"], [7, "normal"], [8, "high"], [9, "high"], [10, "urgent"],
    ["8", "high"], ["urgent", "urgent"],
  ];
  test.each(priorities)("priority %p is %s", async (priority, ours) => {
    const hook = await fresh();
    await post(peal, `/message?token=${hook.gotify_token}`, { message: "m", priority });
    expect(await only(hook)).toMatchObject({ priority: ours });
  });

  test("extras that its apps understand are understood here too", async () => {
    const hook = await fresh();
    const extras = {
      "client::display": { contentType: "text/markdown" },
      "client::notification": { click: { url: "https://h.example/" }, bigImageUrl: "https://h.example/i.png" },
      "android::action": { onReceive: { intentUrl: "x" } },
    };
    await post(peal, `/message?token=${hook.gotify_token}`, { message: "**m**", extras });
    expect(await only(hook)).toMatchObject({
      ...{ message: "**m**", format: "markdown", url: "https://h.example/", image: "https://h.example/i.png" },
    });
  });

  test("errors have its format: no token, an unknown one, a body that is cut off", async () => {
    const error = async (status: number, response: Response) =>
      answer<{ error: string; errorCode: number; errorDescription: string }>(status, response);
    for (const path of ["/message", "/message?token=Axxxxxxxxxxxxxx", "/message?token=x"])
      expect(await error(401, await post(peal, path))).toMatchObject({ error: "Unauthorized", errorCode: 401 });
    const { gotify_token } = await fresh();
    const half = gzipSync("x").subarray(0, 15);
    const broken = await post(peal, `/message?token=${gotify_token}`, half, { "content-encoding": "gzip" });
    expect(await error(400, broken)).toMatchObject({ error: "Bad Request", errorCode: 400 });
  });

  test("shoutrrr's double slash is accepted, where a server has a path", async () => {
    const base = { PEAL_BASE_URL: "http://peal.test/peal" };
    await using own = await inProcess({ env: base });
    const { gotify_token } = await newHook(own);
    for (const path of ["/peal//message", "/peal/v1/gotify//message", "/v1/gotify//message", "/peal/message"])
      expect([path, (await post(own, `${own.url}${path}?token=${gotify_token}`)).status]).toEqual([path, 200]);
    expect((await post(own, `${own.url}/peal//home/message`)).status).toBe(404);
  });

  test("version and health exist", async () => {
    for (const path of ["/version", "/v1/gotify/version"])
      expect(Object.keys(await answer<object>(200, await peal.request(path)))).toEqual([
        "version",
        "commit",
        "buildDate",
      ]);
    for (const path of ["/health", "/v1/gotify/health"])
      expect(await answer<object>(200, await peal.request(path))).toMatchObject({ health: "green", database: "green" });
  });
});

describe("Apprise API's", () => {
  const sent = { title: "NAS", body: "Disk full", type: "failure", tag: "disk, home", format: "markdown" };
  const told = { title: "NAS", message: "Disk full", level: "error", tags: ["disk", "home"], format: "markdown" };

  test("JSON is answered with JSON, a form with text", async () => {
    const hook = await fresh();
    expect(await answer<object>(200, await post(peal, hook.apprise_url, sent))).toEqual({ error: null, details: [] });
    const form = { method: "POST", body: new URLSearchParams(sent) };
    expect(await said(peal.request(hook.apprise_url, form))).toEqual([200, "Sent"]);
    const asked = { ...form, headers: { accept: "application/json" } };
    expect((await peal.request(hook.apprise_url, asked)).headers.get("content-type")).toBe("application/json");
    expect(await messagesBy(peal, hook)).toMatchObject([told, told, told]);
  });

  test("the token may be in a header, as version 2 of Apprise sends it", async () => {
    const hook = await fresh();
    const headers = { "x-apprise-config-id": tokenOf(hook), accept: "application/json" };
    expect((await post(peal, "/v1/apprise/notify", sent, headers)).status).toBe(200);
    expect((await post(peal, "/v1/apprise/notify", sent)).status).toBe(404);
    expect(await only(hook)).toMatchObject(told);
  });

  test.each([
    ["info", "info"],
    ["success", "success"],
    ["warning", "warning"],
    ["failure", "error"],
  ])("type %s is level %s", async (type, level) => {
    const hook = await fresh();
    await post(peal, `${hook.url}/apprise`, { ...sent, type });
    expect(await only(hook)).toMatchObject({ level });
  });
});

/** One refusal of each kind, in the format of each tool. */
const refusals: [string, (hook: TestHook) => string, (status: number) => unknown][] = [
  ["slack", ({ url }) => `${url}/slack`, (status) => (status === 429 ? "rate_limited" : "no_service")],
  [
    "discord",
    ({ discord_url }) => discord_url,
    (status) =>
      status === 429
        ? { message: "You are being rate limited.", retry_after: 60, global: false }
        : { message: "Unknown Webhook", code: 10015 },
  ],
  [
    "github",
    ({ url }) => `${url}/github`,
    () => expect.objectContaining({ message: expect.any(String) as string }) as unknown,
  ],
  [
    "gotify",
    ({ url }) => `${url}/gotify`,
    (status) =>
      expect.objectContaining({ errorCode: status, errorDescription: expect.any(String) as string }) as unknown,
  ],
  ["apprise", ({ apprise_url }) => apprise_url, () => ({ error: expect.any(String) as string })],
  [
    "none",
    ({ url }) => url,
    (status) => expect.objectContaining({ status, code: expect.any(String) as string }) as unknown,
  ],
];
test.each(refusals)(
  "%s: an unknown token and too many requests are refused in its format",
  async (name, urlOf, words) => {
    await using held = await inProcess({ clock: heldClock(), env: { PEAL_LIMITS_PUBLISH: "1/m:1" } });
    const hook = await newHook(held);
    const parsed = async (server: TestServer, url: string, status: number) => {
      const [got, text] = await said(post(server, url));
      expect(got).toBe(status);
      return name === "slack" ? text : (JSON.parse(text) as unknown);
    };
    const unknown = urlOf(hook).replace(tokenOf(hook), UNKNOWN);
    expect(await parsed(held, unknown, 404)).toEqual(words(404));
    expect((await post(held, urlOf(hook))).status).toBeLessThan(300);
    expect(await parsed(held, urlOf(hook), 429)).toEqual(words(429));
    const limited = await post(held, urlOf(hook));
    expect(limited.headers.get("retry-after")).toBe("60");
    expect((await held.request(`${urlOf(hook)}/x/y`, { method: "POST" })).status).toBe(404);
  },
);

test("an unknown dialect is 404, whether the token is known or not", async () => {
  const { url } = await fresh();
  expect((await post(peal, `${url}/teams`)).status).toBe(404);
  expect((await post(peal, `/v1/hook/${UNKNOWN}/teams`)).status).toBe(404);
});
