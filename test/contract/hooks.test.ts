/** A hook publishes to one topic, whatever is sent to it (API.md §9). */
import { afterAll, describe, expect, test } from "bun:test";
import { answer, TIME } from "../support/client.ts";
import { heldClock } from "../support/clock.ts";
import {
  hookOf,
  messagesBy,
  newHook,
  patchedHook,
  post,
  rotatedHook,
  tokenOf,
  type TestHook,
} from "../support/hooks.ts";
import { begin, statuses } from "../support/raw.ts";
import { inProcess } from "../support/server.ts";

const peal = await inProcess();
afterAll(async () => peal[Symbol.asyncDispose]());

const HOUR = 3_600_000;
const codeOf = async (status: number, response: Response) => (await answer<{ code: string }>(status, response)).code;

describe("a hook", () => {
  test("is made with its topic, and shown again", async () => {
    const hook = await newHook(peal, { topic: "first", name: "Sonarr" });
    expect(hook).toEqual({
      id: expect.stringMatching(/^[0-9a-z]{16}$/) as string,
      ...{ namespace: "home", name: "Sonarr", topic_name: "first" },
      topic: expect.stringMatching(/^first-[0-9a-z]{26}$/) as string,
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/v1\/hook\/h_[0-9a-hjkmnp-tv-z]{26}$/) as string,
      discord_url: expect.stringMatching(/\/api\/webhooks\/\d{17,20}\/h_[0-9a-z]{26}$/) as string,
      apprise_url: expect.stringMatching(/\/v1\/apprise\/notify\/h_[0-9a-z]{26}$/) as string,
      gotify_token: expect.stringMatching(/^A[A-Za-z0-9._-]{14}$/) as string,
      ...{ get: false, keep_requests: true, requests: 0 },
      created_at: expect.stringMatching(TIME) as string,
    });
    expect(await hookOf(peal, hook.id)).toEqual(hook);
    const listed = await answer<{ hooks: object[] }>(200, await peal.api("GET", `/v1/home/hooks?topic=${hook.topic}`));
    expect(listed.hooks).toEqual([hook]);
    expect((await peal.api("GET", `/v1/home/hooks/${hook.id}`)).headers.get("cache-control")).toBe("no-store");
  });

  test("publishes without a key, and its answer does not reveal how to read the topic", async () => {
    const hook = await newHook(peal, { topic: "second" });
    const response = await post(peal, hook.url, { message: "hello", level: "error" });
    expect(response.headers.get("referrer-policy")).toBe("no-referrer");
    const told = await answer<Record<string, unknown>>(201, response);
    expect(told).toMatchObject({ id: 1, topic_name: "second", message: "hello", level: "error", source: "hook" });
    expect(JSON.stringify(told)).not.toContain(hook.topic);
    expect(await messagesBy(peal, hook)).toMatchObject([{ id: 1, message: "hello", level: "error", source: "hook" }]);
    expect(await hookOf(peal, hook.id)).toMatchObject({
      ...{ requests: 1, last_source: "hook", last_used_from: "127.0.0.1" },
      last_used_at: expect.stringMatching(TIME) as string,
    });
  });

  test("for a topic given by its key publishes there, also after the key was replaced", async () => {
    const topic = await peal.topic("keyed");
    const hook = await newHook(peal, { topic: topic.key });
    const rotated = await answer<{ key: string }>(200, await peal.api("POST", `/v1/home/${topic.key}/rotate`));
    expect((await post(peal, hook.url)).status).toBe(201);
    expect((await hookOf(peal, hook.id)).topic).toBe(rotated.key);
    expect(await peal.history({ namespace: "home", key: rotated.key })).toHaveLength(1);
  });

  test("restores an archived topic, as every publish does", async () => {
    const hook = await newHook(peal, { topic: "archived" });
    await answer(200, await peal.api("PATCH", `/v1/home/${hook.topic}`, { archived: true }));
    expect((await post(peal, hook.url)).status).toBe(201);
    const topic = await answer<object>(200, await peal.api("GET", `/v1/home/${hook.topic}`));
    expect(topic).toMatchObject({ archived: false });
  });

  test("ends with its topic", async () => {
    const hook = await newHook(peal, { topic: "passing" });
    await post(peal, hook.url);
    expect((await peal.api("DELETE", `/v1/home/${hook.topic}`)).status).toBe(204);
    expect(await codeOf(404, await post(peal, hook.url))).toBe("unknown_hook");
    expect(await codeOf(404, await peal.api("GET", `/v1/home/hooks/${hook.id}`))).toBe("unknown_hook");
  });

  test("is changed and deleted: by the time of the answer its URL is unknown", async () => {
    const hook = await newHook(peal, { name: "a", as: "slack", get: true, defaults: { level: "warning" } });
    const changed = await patchedHook(peal, hook.id, { name: "b", as: null, get: false, defaults: null });
    expect(changed).toMatchObject({ name: "b", get: false, url: hook.url });
    expect(changed).not.toHaveProperty("as");
    expect(changed).not.toHaveProperty("defaults");
    expect((await peal.api("DELETE", `/v1/home/hooks/${hook.id}`)).status).toBe(204);
    expect((await post(peal, hook.url)).status).toBe(404);
    expect((await peal.api("DELETE", `/v1/home/hooks/${hook.id}`)).status).toBe(404);
  });

  test("belongs to its namespace, and needs a key with scope full", async () => {
    const hook = await newHook(peal);
    const { key } = await peal.mint("publish");
    const headers = { authorization: `Bearer ${key}` };
    expect(await codeOf(403, await peal.request("/v1/home/hooks", { headers }))).toBe("insufficient_scope");
    await peal.local("/-/local/namespaces", {
      method: "POST",
      body: JSON.stringify({ name: "other" }),
      headers: { "content-type": "application/json" },
    });
    expect(await codeOf(404, await peal.local(`/v1/other/hooks/${hook.id}`))).toBe("unknown_hook");
  });
});

// prettier-ignore
const wrong: [string, object, string][] = [
  ["no topic",                  {},                                              "/topic"],
  ["a topic that is no name",   { topic: "a/b" },                                "/topic"],
  ["a name of blanks",          { topic: "t", name: "  " },                      "/name"],
  ["an unknown dialect",        { topic: "t", as: "teams" },                     "/as"],
  ["a map that is none",        { topic: "t", map: { title: 1 } },               "/map/title"],
  ["defaults that are none",    { topic: "t", defaults: [] },                    "/defaults"],
  ["a default that is no field", { topic: "t", defaults: { levle: "error" } },   "/defaults/levle"],
  ["a default that says nothing", { topic: "t", defaults: { level: "loud" } },   "/defaults/level"],
  ["a default that cannot be",  { topic: "t", defaults: { status: "firing" } },  "/defaults/status"],
];
test.each(wrong)("%s is refused", async (_, body, path) => {
  const refused = await answer<{ errors: { path: string }[] }>(422, await peal.api("POST", "/v1/home/hooks", body));
  expect(refused.errors.map((error) => error.path)).toEqual([path]);
});

describe("what is given beside the body", () => {
  test("the query and X- headers override it, a plain header does not", async () => {
    const hook = await newHook(peal, { topic: "asides" });
    const headers = { "x-tags": "nas", title: "of a proxy" };
    await post(peal, `${hook.url}?level=error&click=https://h.example/`, { message: "m", level: "info" }, headers);
    const [told] = await messagesBy(peal, hook);
    expect(told).toMatchObject({ level: "error", tags: ["nas"], url: "https://h.example/" });
    expect(told).not.toHaveProperty("title");
  });

  test("the map takes precedence over the body, the query over the map, and defaults fill the rest", async () => {
    const hook = await newHook(peal, {
      topic: "mapped",
      map: { title: "{job.name}", text: "{job.state}", level: { from: "job.state", is: { broken: "error" } } },
      defaults: { tags: ["ci"], title: "never", message: "never" },
    });
    await post(peal, `${hook.url}?title=asked`, { job: { name: "n", state: "broken" }, message: "own" });
    await post(peal, `${hook.url}?:job.name=body`, { job: { name: "n", state: "fine" }, message: "own" });
    await post(peal, hook.url, "");
    expect(await messagesBy(peal, hook)).toMatchObject([
      { title: "asked", message: "broken", level: "error", tags: ["ci"] },
      { title: "n", message: "n", level: "info", tags: ["ci"] },
      { title: "never", message: "never", tags: ["ci"] },
    ]);
  });

  test("JSON is read whatever its content type, and a known shape sets the source", async () => {
    const hook = await newHook(peal, { topic: "shapes" });
    await post(peal, hook.url, '{"text": "from Slack"}', { "content-type": "text/plain" });
    expect(await messagesBy(peal, hook)).toMatchObject([{ title: "from Slack", source: "rewrite:slack" }]);
    expect(await hookOf(peal, hook.id)).toMatchObject({ last_source: "rewrite:slack" });
  });
});

test("a slash at the end of an address is ignored", async () => {
  const hook = await newHook(peal, { topic: "slashes" });
  const token = tokenOf(hook);
  for (const [url, status] of [
    [`${hook.url}/`, 201],
    [`${hook.url}/slack/`, 200],
    [`${hook.discord_url}/`, 204],
    [`${peal.url}/message/?token=${hook.gotify_token}`, 200],
    [`${peal.url}/v1/gotify/message/?token=${hook.gotify_token}`, 200],
    [`${peal.url}/v1/apprise/notify/${token}/`, 200],
  ] as const)
    expect([url, (await post(peal, url, { text: "x", message: "x", body: "x", content: "x" })).status]).toEqual([
      url,
      status,
    ]);
  const headers = { authorization: `Bearer ${peal.adminKey}` };
  expect((await peal.request("/home/slashes/", { method: "POST", body: "x", headers })).status).toBe(201);
  expect((await peal.request("/home/slashes/", { method: "PUT", body: "x", headers })).status).toBe(201);
  expect(await messagesBy(peal, hook)).toHaveLength(8);
});

describe("GET", () => {
  test("is refused with one sentence, and publishes where the hook allows it; HEAD and previews never do", async () => {
    const hook = await newHook(peal, { topic: "got" });
    const refused = await peal.request(`${hook.url}?message=x`);
    expect(refused.headers.get("allow")).toBe("POST, PUT, OPTIONS");
    expect(await codeOf(405, refused)).toBe("publish_by_post");
    await patchedHook(peal, hook.id, { get: true });
    expect((await peal.request(`${hook.url}?message=x&title=y`)).status).toBe(201);
    expect((await peal.request(`${hook.url}?message=no`, { method: "HEAD" })).status).toBe(204);
    const preview = { headers: { "user-agent": "Slackbot-LinkExpanding 1.0" } };
    expect((await peal.request(`${hook.url}?message=no`, preview)).status).toBe(204);
    // at Discord's path, tools only check whether the webhook exists
    expect(await answer<object>(200, await peal.request(hook.discord_url))).toMatchObject({ type: 1 });
    expect(await messagesBy(peal, hook)).toMatchObject([{ message: "x", title: "y" }]);
  });

  test("in a browser is refused with a page that does not contain the token", async () => {
    const hook = await newHook(peal, { topic: "seen" });
    const html = { headers: { accept: "text/html" } };
    for (const url of [hook.url, `${hook.url}/nothing`]) {
      const page = await (await peal.request(url, html)).text();
      expect(page).toContain("<h1");
      expect(page).not.toContain(tokenOf(hook));
      expect(page).not.toContain(hook.gotify_token);
    }
    // Gotify's clients read there, with a token of their own
    const refused = await peal.request(`${peal.url}/message?token=${hook.gotify_token}`, html);
    expect([refused.status, (await refused.text()).includes(hook.gotify_token)]).toEqual([401, false]);
  });
});

describe("a rotation", () => {
  test("leaves both forms of the old URL working for a day", async () => {
    const clock = heldClock();
    await using held = await inProcess({ clock });
    const old = await newHook(held);
    const hook = await rotatedHook(held, old.id);
    expect(tokenOf(hook)).not.toBe(tokenOf(old));
    expect(hook.old_url_until).toBe("2026-01-02T00:00:00.000Z");
    const gotify = async ({ gotify_token }: { gotify_token: string }) =>
      (await post(held, `/message?token=${gotify_token}`)).status;
    const statuses = async () => [
      (await post(held, old.url)).status,
      (await post(held, hook.url)).status,
      await gotify(old),
      await gotify(hook),
    ];
    expect(await statuses()).toEqual([201, 201, 200, 200]);
    clock.advance(24 * HOUR);
    expect(await statuses()).toEqual([404, 201, 401, 200]);
    expect(await hookOf(held, hook.id)).not.toHaveProperty("old_url_until");
  });

  test("without an overlap ends the old URL immediately, also one from an earlier rotation", async () => {
    const first = await newHook(peal);
    const second = await rotatedHook(peal, first.id);
    const third = await rotatedHook(peal, first.id, { now: true });
    const urls = [first, second, third].map(({ url }) => url);
    expect(await Promise.all(urls.map(async (url) => (await post(peal, url)).status))).toEqual([404, 404, 201]);
  });

  test("requested many times at once ends what it should end", async () => {
    const first = await newHook(peal);
    await Promise.all(Array.from({ length: 5 }, async () => rotatedHook(peal, first.id, { now: true })));
    expect((await post(peal, first.url)).status).toBe(404);
    expect((await post(peal, (await hookOf(peal, first.id)).url)).status).toBe(201);
  });

  test("and a deletion also count for a request whose body arrives later", async () => {
    const ends = [
      async ({ id }: TestHook) => rotatedHook(peal, id, { now: true }),
      async ({ id }: TestHook) => peal.api("DELETE", `/v1/home/hooks/${id}`),
    ];
    for (const end of ends) {
      const hook = await newHook(peal, { topic: "slow" });
      const slow = await begin(peal.url, "POST", new URL(hook.url).pathname, {}, "begun");
      await end(hook);
      expect(statuses(await slow.finish())).toEqual([404]);
      expect(await messagesBy(peal, hook)).toEqual([]);
    }
  });
});

test("a repeat under an idempotency key stores nothing; the key is specific to the hook", async () => {
  const [hook, other] = [await newHook(peal, { topic: "once" }), await newHook(peal, { topic: "once" })];
  const headers = { "idempotency-key": "k" };
  const first = await answer<object>(201, await post(peal, hook.url, { message: "m" }, headers));
  const again = await post(peal, hook.url, { message: "m" }, headers);
  expect(again.headers.get("idempotent-replay")).toBe("true");
  expect(await answer<object>(201, again)).toEqual(first);
  expect(await codeOf(409, await post(peal, hook.url, { message: "n" }, headers))).toBe("idempotency_mismatch");
  expect((await post(peal, other.url, { message: "other" }, headers)).status).toBe(201);
  expect(await messagesBy(peal, hook)).toHaveLength(2);
  const { url } = await rotatedHook(peal, hook.id);
  for (const at of [url, hook.url])
    expect(await answer<object>(201, await post(peal, at, { message: "m" }, headers))).toEqual(first);
});

test("a repeat gets the stored answer, even if the hook's settings have changed since", async () => {
  const hook = await newHook(peal, { topic: "replayed", defaults: { level: "warning" } });
  const publish = async (query: string, key: string) =>
    answer<object>(201, await post(peal, hook.url + query, { message: "m" }, { "idempotency-key": key }));
  const [now, later] = [await publish("", "a"), await publish("?in=1h", "b")];
  await patchedHook(peal, hook.id, { defaults: { level: "error", title: "new" } });
  expect([await publish("", "a"), await publish("?in=1h", "b")]).toEqual([now, later]);
});

test("a delay is obeyed, an invalid one is refused, and strict handling does not apply", async () => {
  const hook = await newHook(peal, { topic: "later" });
  const later = await answer<object>(201, await post(peal, `${hook.url}?in=1h`));
  expect(later).toMatchObject({ scheduled: { deliver_at: expect.stringMatching(TIME) as string }, source: "schedule" });
  expect(await codeOf(422, await post(peal, `${hook.url}?in=soon`))).toBe("validation_failed");
  const strict = await post(peal, hook.url, { message: "m", level: "loud" }, { prefer: "handling=strict" });
  expect(strict.headers.get("preference-applied")).toBe("handling=lenient");
  expect(await answer<object>(201, strict)).toMatchObject({ ignored: [{ path: "/level" }] });
});

test("a topic has at most 20 hooks and a namespace 200, also when many are made at once", async () => {
  await using own = await inProcess();
  const make = async (topic: string) => (await own.api("POST", "/v1/home/hooks", { topic })).status;
  const statuses = await Promise.all(Array.from({ length: 25 }, async () => make("full")));
  expect(statuses.toSorted()).toEqual([...Array<number>(20).fill(201), ...Array<number>(5).fill(409)]);
  for (let topic = 1; topic < 10; topic++)
    expect(await Promise.all(Array.from({ length: 20 }, async () => make(`t${topic}`)))).toEqual(
      Array<number>(20).fill(201),
    );
  const refused = await own.api("POST", "/v1/home/hooks", { topic: "one-more" });
  expect(await answer<object>(409, refused)).toMatchObject({
    code: "too_many_hooks",
    detail: "A namespace can have at most 200 hooks. Delete hooks you don't need.",
  });
});

describe("limits", () => {
  const LIMITS = { PEAL_LIMITS_PUBLISH: "1/m:3,1kB/s:10kB", PEAL_LIMITS_PING: "30/m:5" };

  test("each hook has its own for requests and for bytes", async () => {
    await using own = await inProcess({ clock: heldClock(), env: LIMITS });
    const [hook, other, large] = [await newHook(own), await newHook(own), await newHook(own)];
    for (let n = 0; n < 3; n++) expect((await post(own, hook.url)).status).toBe(201);
    const refused = await post(own, hook.url);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await codeOf(429, refused)).toBe("rate_limited");
    expect((await post(own, other.url)).status).toBe(201);
    const statuses = [await post(own, large.url, "x".repeat(11_000)), await post(own, large.url, "x")];
    expect(statuses.map(({ status }) => status)).toEqual([201, 429]);
    expect(await messagesBy(own, hook)).toHaveLength(5);
  });

  test("someone who guesses is refused on every path, and a known token never is", async () => {
    await using own = await inProcess({ clock: heldClock(), env: LIMITS });
    const hook = await newHook(own);
    const unknown = "h_0123456789abcdefghjkmnpqrs";
    const guesses = [
      `/v1/hook/${unknown}`,
      `/v1/hook/${unknown}/slack`,
      `/api/webhooks/1/${unknown}`,
      "/message?token=A0123456789abcd",
      `/v1/apprise/notify/${unknown}`,
    ];
    for (const guess of guesses) expect([401, 404]).toContain((await post(own, guess)).status);
    for (const guess of guesses) {
      const refused = await post(own, guess);
      expect([guess, refused.status, Number(refused.headers.get("retry-after")) > 0]).toEqual([guess, 429, true]);
    }
    expect((await post(own, hook.url)).status).toBe(201);
    expect(await (await own.request("/metrics")).text()).toContain('peal_hook_misses_total{dialect="slack"} 2');
  });
});
