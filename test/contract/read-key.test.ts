/** A key with scope `read` sees checks, topics and messages, changes nothing, and learns nothing by which anybody could (API.md §3). */
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { createApp } from "../../src/server/app.ts";
import { allows, SCOPES } from "../../src/keys/key.ts";
import { uuidOf } from "../../src/util/uuid.ts";
import { newCheck, pingKeyUrl, type TestCheck } from "../support/checks.ts";
import { answer, type TestTopic } from "../support/client.ts";
import { heldClock } from "../support/clock.ts";
import { iphone } from "../support/devices.ts";
import { inProcess, type InProcess } from "../support/server.ts";

interface Mounted {
  method: string;
  path: string;
  hooks: { detail?: { "x-scope"?: string } };
}

let peal: InProcess;
let read: string;
/** What a client of Gotify's gets for the key, and may write into URLs. */
let client: string;
let topic: TestTopic;
let check: TestCheck;
let hook: { id: string; url: string; gotify_token: string };
let scheduled: string;
let other: string;
/** Each would let its finder change something. */
let secrets: string[];
beforeAll(async () => {
  peal = await inProcess({ clock: heldClock() });
  topic = await peal.topic("seen");
  await peal.publish(topic, { message: "a message" });
  const device = await iphone(peal, [topic], { name: "phone" });
  check = await newCheck(peal, { name: "seen", slug: "seen", every: 3600, topic: topic.key, tags: ["t"] });
  const token = new URL(check.ping_url).pathname.split("/").at(-1) ?? "";
  const pingKey = (await pingKeyUrl(peal)).split("/").at(-1) ?? "";
  // a script that shows what it does, as many do with `set -x`
  const shown = { method: "POST", body: `+ curl ${check.ping_url}/fail\n+ curl ${peal.url}/v1/ping/${pingKey}/seen` };
  await peal.request(`${check.ping_url}/fail`, shown);
  hook = await answer<typeof hook>(201, await peal.api("POST", "/v1/home/hooks", { topic: topic.key, name: "tool" }));
  await peal.request(hook.url, { method: "POST", body: "by hook" });
  const later = await peal.api("POST", "/home/seen", { message: "later", delay: 3600 });
  ({
    scheduled: { id: scheduled },
  } = await answer<{ scheduled: { id: string } }>(201, later));
  const keys = await Promise.all(SCOPES.map(async (scope) => peal.mint(scope)));
  const [publisher, reader] = [keys[0], keys[1]];
  read = reader?.key ?? "";
  other = publisher?.id ?? "";
  const minted = keys.filter(({ key }) => key !== read).map(({ key }) => key);
  const hookToken = new URL(hook.url).pathname.split("/").at(-1) ?? "";
  const signedIn = { method: "POST", headers: { "x-gotify-key": read }, body: '{"name":"phone"}' };
  ({ token: client } = await answer<{ token: string }>(200, await peal.request("/client", signedIn)));
  secrets = [token, pingKey, hookToken, hook.gotify_token, device.id, peal.adminKey, ...minted];
  expect(secrets.filter((secret) => secret.length < 15)).toEqual([]);
});
afterAll(async () => peal[Symbol.asyncDispose]());

const UNKNOWN = "0123456789abcdefghjkmnpqrs";

/** The address with what exists; for a route that needs no key, with a capability that does not, because a known one opens it to all. */
function filled({ path, hooks }: Mounted): string {
  const needsKey = SCOPES.some((scope) => scope === hooks.detail?.["x-scope"]);
  const names: Record<string, string> = {
    ...{ ":version": "v3", ":ns": "home", ":n": "1", ":file": `${UNKNOWN}.svg` },
    ...(needsKey && { ":key": topic.key, ":topics": topic.key, ":name": "seen", ":seq": "1" }),
  };
  const before: Record<string, string> = {
    ...{ checks: path.startsWith("/api/") ? uuidOf(check.id) : check.id, messages: "1" },
    ...{ hooks: hook.id, scheduled, keys: other },
  };
  const parts = path.split("/");
  return parts
    .map((part, n) =>
      part.startsWith(":") ? (part === ":id" && before[parts[n - 1] ?? ""]) || names[part] || UNKNOWN : part,
    )
    .join("/");
}

const BODY = JSON.stringify({
  ...{ name: "changed", message: "changed", title: "changed", for: 60, topic: "changed", scope: "admin", timeout: 60 },
});

interface Way {
  headers?: Record<string, string>;
  query?: string;
}

/** How clients of peal, Healthchecks, Gotify and ntfy bring the key, or what they were given for it. */
const ways = (): Way[] => [
  { headers: { authorization: `Bearer ${read}` } },
  { headers: { authorization: `Basic ${Buffer.from(`reader:${read}`).toString("base64")}` } },
  { headers: { "x-api-key": read } },
  { headers: { "x-gotify-key": read } },
  { headers: { "x-gotify-key": client } },
  { query: `?token=${client}` },
  { query: `?auth=${Buffer.from(`Bearer ${read}`).toString("base64url")}` },
];

/** The answer to the key that came so, whole; of a stream its beginning. */
async function asked(method: string, path: string, { headers = {}, query = "" }: Way) {
  const ending = new AbortController();
  const response = await peal.request(`${peal.url}${path}${query}`, {
    method,
    headers: { ...headers, "content-type": "application/json" },
    ...(method !== "GET" && { body: BODY }),
    signal: ending.signal,
  });
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
  const text = isStream
    ? Buffer.from((await response.body?.getReader().read())?.value ?? new Uint8Array()).toString()
    : await response.text();
  ending.abort();
  return { status: response.status, text: [text, ...response.headers.values()].join("\n") };
}

/** All that is stored, but for the time of the latest test write, which anybody causes who asks for the health. */
function kept(): Record<string, string> {
  using database = new Database(join(peal.dataDir, "peal.db"), { readonly: true });
  const tables = database.query<{ name: string }, []>("SELECT name FROM sqlite_master WHERE type = 'table'").all();
  const bytes = (_: string, value: unknown) => (value instanceof Uint8Array ? value.toHex() : value);
  return Object.fromEntries(
    tables.map(({ name }) => {
      const rows = database.query(`SELECT * FROM "${name}"`).values();
      return [name, JSON.stringify(name === "setting" ? rows.filter(([of]) => of !== "probed_at") : rows, bytes)];
    }),
  );
}

const routes = (): Mounted[] =>
  (createApp(peal.running.deps).routes as unknown as Mounted[]).filter(({ method }) =>
    ["GET", "POST", "PUT", "PATCH", "DELETE"].includes(method),
  );

test("no route changes anything for it, or tells it a token, a key or a device", async () => {
  const before = kept();
  expect(Object.keys(before).length).toBeGreaterThan(15);
  const seen: string[] = [];
  let walked = 0;
  for (const route of routes()) {
    const path = filled(route);
    for (const way of ways()) {
      const { status, text } = await asked(route.method, path, way);
      expect([route.method, path, status, status === 429 || status >= 500]).toEqual([
        route.method,
        path,
        status,
        false,
      ]);
      expect([route.method, path, secrets.filter((secret) => text.includes(secret))]).toEqual([route.method, path, []]);
      if (status === 200 && SCOPES.some((scope) => scope === route.hooks.detail?.["x-scope"]))
        seen.push(`${route.method} ${route.path}`);
      walked++;
    }
    expect([route.method, path, changed(before)]).toEqual([route.method, path, []]);
  }
  expect(walked).toBeGreaterThan(1_400);
  // what it is for
  for (const path of [
    "/v1/:ns/checks",
    "/v1/:ns/checks/:id",
    "/v1/:ns/checks/:id/events",
    "/v1/:ns/topics",
    "/v1/:ns/:key",
    "/v1/:ns/events",
    "/v1/summary",
    "/v1/:ns/scheduled",
    "/api/:version/checks/",
    "/api/:version/checks/:id",
    "/api/:version/badges",
  ])
    expect(seen).toContain(`GET ${path}`);
  expect(seen.filter((route) => !route.startsWith("GET "))).toEqual([]);
}, 60_000);

const changed = (before: Record<string, string>): string[] => {
  const now = kept();
  return Object.keys(now).filter((name) => now[name] !== before[name]);
};

test.each([
  ["ntfy's", "/ntfy/home/seen/json?poll=1", "a message"],
  ["ntfy's", "/ntfy/home/seen/sse?poll=1", "a message"],
  ["ntfy's", "/ntfy/home/seen/raw?poll=1", "a message"],
  ["ntfy's", "/ntfy/home/seen/auth", "true"],
  ["Gotify's", "/message", "a message"],
  ["Gotify's", "/application", "seen"],
  ["Gotify's", "/client", "lastUsed"],
  ["Gotify's", "/current/user", '"admin":false'],
])("it reads at %s address %s, and learns no secret there", async (_, path, shown) => {
  const headers = { authorization: `Bearer ${read}` };
  const response = await peal.request(path, { headers });
  const text = await response.text();
  const learned = secrets.filter((secret) => text.includes(secret));
  expect([response.status, text.includes(shown), learned]).toEqual([200, true, []]);
});

test("it may ask what it is, and nothing about other keys", async () => {
  const headers = { authorization: `Bearer ${read}` };
  expect(await answer<object>(200, await peal.request("/v1/keys/self", { headers }))).toMatchObject({ scope: "read" });
  expect(await answer<object>(403, await peal.request("/v1/keys", { headers }))).toMatchObject({
    code: "admin_required",
  });
  const refused = await answer<{ detail: string }>(
    403,
    await peal.request("/home/seen", { method: "POST", headers, body: "x" }),
  );
  expect(refused.detail).toContain("`publish`");
});

test("a check in its answers lacks the ping URL alone", async () => {
  const headers = { authorization: `Bearer ${read}` };
  const whole = await answer<TestCheck>(200, await peal.api("GET", `/v1/home/checks/${check.id}`));
  const rest: Partial<TestCheck> = { ...whole };
  delete rest.ping_url;
  expect(await answer<object>(200, await peal.request(`/v1/home/checks/${check.id}`, { headers }))).toEqual(rest);
  const { checks } = await answer<{ checks: object[] }>(200, await peal.request("/v1/home/checks", { headers }));
  expect(checks).toEqual([rest]);
});

test("scopes include each other so, and not otherwise", () => {
  const may = SCOPES.map((scope) => [scope, SCOPES.filter((needed) => allows({ scope }, needed))]);
  expect(Object.fromEntries(may)).toEqual({
    publish: ["publish"],
    read: ["read"],
    full: ["publish", "read", "full"],
    admin: ["publish", "read", "full", "admin"],
  });
  for (const scope of SCOPES) expect(allows({ scope }, "any key")).toBe(true);
});
