/** Requests to a hook are kept for its owner, without anything that could be a secret (API.md §9). */
import { afterAll, describe, expect, test } from "bun:test";
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { answer, TIME } from "../support/client.ts";
import { heldClock } from "../support/clock.ts";
import { eventually } from "../support/eventually.ts";
import { hookOf, messagesBy, newHook, patchedHook, post, requestsOf, rotatedHook, tokenOf } from "../support/hooks.ts";
import { keptLog } from "../support/log.ts";
import { inProcess, startPeal } from "../support/server.ts";

const peal = await inProcess();
afterAll(async () => peal[Symbol.asyncDispose]());

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe("a request", () => {
  test("is kept with the message that it made", async () => {
    const hook = await newHook(peal);
    const headers = { "user-agent": "Sonarr/4.0 (linux)", "x-github-event": "push" };
    await post(peal, `${hook.url}?tags=nas`, { message: "hello" }, headers);
    expect(await requestsOf(peal, hook.id)).toEqual([
      {
        ...{
          n: 1,
          at: expect.stringMatching(TIME) as string,
          method: "POST",
          from: "127.0.0.1",
          source: "rewrite:github",
        },
        ...{ content_type: "application/json", user_agent: "Sonarr/4.0 (linux)", query: "tags=nas", message_id: 1 },
        ...{ headers: { "x-github-event": "push" }, body_bytes: 19, body: '{"message":"hello"}' },
      },
    ]);
  });

  test("is kept without anything that could be a secret", async () => {
    const hook = await newHook(peal);
    const secrets = {
      authorization: "Bearer s3cret",
      cookie: "a=s3cret",
      "x-gotify-key": hook.gotify_token,
      "x-hub-signature-256": "sha256=s3cret",
      "x-gitlab-token": "s3cret",
      "x-api-key": "s3cret",
      "x-password": "s3cret",
      "x-auth": "s3cret",
      "x-forwarded-for": "192.0.2.1",
      referer: hook.url,
      "x-apprise-config-id": tokenOf(hook),
      "x-config": tokenOf(hook),
      "x-app": hook.gotify_token,
      title: "shown",
    };
    await post(peal, `/message?token=${hook.gotify_token}&apikey=s3cret&level=error`, { message: "m" }, secrets);
    await post(peal, `${hook.url}?secret=s3cret`, { message: "m" }, secrets);
    await post(peal, `/v1/apprise/notify?app=${hook.gotify_token}&id=${tokenOf(hook)}`, { body: "m" }, secrets);
    const kept = await requestsOf(peal, hook.id);
    expect(kept).toMatchObject([
      { query: "app=%E2%80%A6&id=%E2%80%A6" },
      { query: "secret=%E2%80%A6" },
      { query: "apikey=%E2%80%A6&level=error" },
    ]);
    expect(kept.map(({ headers }) => headers)).toEqual(Array(3).fill({ title: "shown" }));
    const text = JSON.stringify(kept);
    for (const secret of ["s3cret", hook.gotify_token, tokenOf(hook)]) expect(text).not.toContain(secret);
  });

  test("is kept up to 64 KiB of its body, cut between characters; bytes are kept as bytes", async () => {
    const hook = await newHook(peal);
    await post(peal, hook.url, `x${"ü".repeat(40_000)}`);
    const headers = { "content-type": "text/plain" }; // bytes without a type would be a file
    await peal.request(hook.url, { method: "PUT", body: new Uint8Array([0xff, 0xd8, 0xff]), headers });
    const [bytes, text] = await requestsOf(peal, hook.id);
    expect(text).toMatchObject({ body_bytes: 80_001, body_cut: true, body: `x${"ü".repeat(32_767)}` });
    expect(bytes).toMatchObject({ method: "PUT", body_bytes: 3, body_base64: "/9j/" });
  });

  test("that is delayed gets its message when that is sent", async () => {
    const clock = heldClock();
    await using held = await inProcess({ clock });
    const hook = await newHook(held);
    await post(held, `${hook.url}?in=1h`, "later");
    await post(held, hook.url, "now");
    const kept = async () => (await requestsOf(held, hook.id)).map(({ n, message_id }) => [n, message_id]);
    expect(await kept()).toEqual([
      [2, 1],
      [1, undefined],
    ]);
    clock.advance(HOUR);
    await eventually("the message", async () => (await messagesBy(held, hook)).length === 2);
    expect(await kept()).toEqual([
      [2, 1],
      [1, 2],
    ]);
    expect(JSON.stringify(await requestsOf(held, hook.id))).not.toContain("scheduled");
  });
});

test("the latest 20 are kept, each with its own number", async () => {
  const hook = await newHook(peal, { topic: "many" });
  for (let n = 1; n <= 45; n++) await post(peal, hook.url, `request ${n}`);
  const kept = await requestsOf(peal, hook.id);
  expect(kept.map(({ n, body, message_id }) => [n, body, message_id])).toEqual(
    Array.from({ length: 20 }, (_, index) => 45 - index).map((n) => [n, `request ${n}`, n]),
  );
});

test("switched off, kept requests are deleted and no more are kept; deleted, they are gone and keeping continues", async () => {
  const hook = await newHook(peal, { topic: "forgetful" });
  await post(peal, hook.url, "first");
  expect((await peal.api("DELETE", `/v1/home/hooks/${hook.id}/requests`)).status).toBe(204);
  expect(await requestsOf(peal, hook.id)).toEqual([]);
  await post(peal, hook.url, "second");
  expect(await requestsOf(peal, hook.id)).toMatchObject([{ n: 2, body: "second" }]);

  expect(await patchedHook(peal, hook.id, { keep_requests: false })).toMatchObject({ keep_requests: false });
  expect(await requestsOf(peal, hook.id)).toEqual([]);
  await post(peal, hook.url, "third");
  expect(await requestsOf(peal, hook.id)).toEqual([]);
  expect(await hookOf(peal, hook.id)).toMatchObject({ requests: 3, last_source: "hook" });
  expect(await messagesBy(peal, hook)).toHaveLength(3);

  await patchedHook(peal, hook.id, { keep_requests: true });
  await post(peal, hook.url, "fourth");
  expect(await requestsOf(peal, hook.id)).toMatchObject([{ n: 4, body: "fourth" }]);
});

test("only keys with scope full may read them, and they are not cached", async () => {
  const hook = await newHook(peal);
  const { key } = await peal.mint("publish");
  const path = `/v1/home/hooks/${hook.id}/requests`;
  expect((await peal.request(path, { headers: { authorization: `Bearer ${key}` } })).status).toBe(403);
  expect((await peal.request(path)).status).toBe(401);
  expect((await peal.api("GET", path)).headers.get("cache-control")).toBe("no-store");
});

test("they are deleted after 7 days, and with their topic or namespace the hooks are too", async () => {
  const clock = heldClock();
  await using held = await inProcess({ clock });
  const sweep = async () => {
    while (await held.running.deps.store.sweep({ days: 90, messages: 0 }, 100));
  };
  const hook = await newHook(held);
  await post(held, hook.url, "old");
  clock.advance(7 * DAY - HOUR);
  await post(held, hook.url, "new");
  await sweep();
  expect(await requestsOf(held, hook.id)).toMatchObject([{ n: 2 }, { n: 1 }]);
  clock.advance(2 * HOUR);
  await sweep();
  expect(await requestsOf(held, hook.id)).toMatchObject([{ n: 2, body: "new" }]);

  const local = async (path: string, body: object) =>
    held.local(path, { method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json" } });
  expect((await local("/-/local/namespaces", { name: "media" })).status).toBe(201);
  const other = await answer<{ url: string }>(201, await local("/v1/media/hooks", { topic: "second" }));
  const { pathname } = new URL(other.url);
  expect((await post(held, pathname)).status).toBe(201);
  expect((await held.api("DELETE", `/v1/home/${hook.topic}`)).status).toBe(204);
  await sweep();
  expect(await held.running.deps.store.hooks.exist()).toBe(true);
  expect((await held.local("/-/local/namespaces/media", { method: "DELETE" })).status).toBe(200);
  expect((await post(held, pathname)).status).toBe(404);
  await sweep();
  expect(await held.running.deps.store.hooks.exist()).toBe(false);
});

test("a page that shows hooks learns at once that a request came", async () => {
  const events: string[] = [];
  const { bus } = peal.running.deps;
  const hook = await newHook(peal);
  const stop = bus.onAll((committed) => {
    for (const event of committed) if (event.kind === "hint") events.push(event.of);
  });
  await post(peal, hook.url);
  await eventually("the hint", () => events.includes("hook"));
  stop();
});

test("hooks keep working when the server's secret is lost; their URLs are shown again once rotated", async () => {
  const { log, lines } = keptLog();
  await using own = await inProcess({ log });
  const hook = await newHook(own);
  await own.running.stop();
  await rm(join(own.dataDir, "secret"));
  await own.restart();
  for (const url of [hook.url, `/message?token=${hook.gotify_token}`]) expect((await post(own, url)).ok).toBe(true);
  const shown = await hookOf(own, hook.id);
  for (const name of ["url", "discord_url", "apprise_url", "gotify_token"]) expect(shown).not.toHaveProperty(name);
  expect(lines.join("\n")).toContain("are shown again once rotated");
  const rotated = await rotatedHook(own, hook.id);
  for (const url of [hook.url, rotated.url]) expect((await post(own, url)).status).toBe(201);
});

test("no token is in a log, a metric or an error, nor in any file of the server", async () => {
  await using own = await startPeal({ env: { PEAL_LOG: "debug" } });
  const hook = await newHook(own);
  const unknown = "h_7777777777aaaaaaaaaabbbbbb";
  own.secrets.add(unknown);
  const urls = [hook.url, hook.discord_url, hook.apprise_url, `/v1/hook/${unknown}`].flatMap((url) =>
    ["", "/slack", "/discord", "/gotify", "/nothing", "/slack/x", "/%E0", "/", "?in=soon"].map(
      (suffix) => url + suffix,
    ),
  );
  urls.push(`/message?token=${hook.gotify_token}`, `/v1/gotify/message?token=${hook.gotify_token}&in=soon`);
  const answers = await Promise.all(
    urls.flatMap((url) =>
      ["GET", "POST", "PUT", "DELETE", "OPTIONS"].map(async (method) => {
        const headers = { referer: own.url + url, "x-gotify-key": hook.gotify_token };
        return (await own.request(url, { method, headers })).text();
      }),
    ),
  );
  const metrics = await (await own.request("/metrics")).text();
  const messages = JSON.stringify(await messagesBy(own, hook));
  const kept = JSON.stringify(await requestsOf(own, hook.id));
  await own.kill("SIGTERM");
  const files = await Promise.all(
    (await readdir(own.dataDir, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map(async ({ name, parentPath }) => readFile(join(parentPath, name), "latin1")),
  );
  expect(own.logs()).toContain("route=/v1/hook/:token/:dialect");
  expect(files.join("").includes(hook.id)).toBe(true); // the hook's id shows that the files were read
  expect(JSON.parse(kept)).not.toEqual([]);
  const written = [own.logs(), own.output(), metrics, messages, kept, ...answers, ...files].join("\n");
  expect([tokenOf(hook), hook.gotify_token, unknown].filter((token) => written.includes(token))).toEqual([]);
});

test("a long list of a hook's requests is sent like other large answers", async () => {
  const hook = await newHook(peal, { topic: "heavy" });
  await Promise.all(Array.from({ length: 20 }, async () => post(peal, hook.url, "\u0001".repeat(70_000))));
  const response = await peal.api("GET", `/v1/home/hooks/${hook.id}/requests`);
  // as the reader takes it: an answer that is sent in one piece has a length
  expect(response.headers.get("content-length")).toBeNull();
  const { requests } = await answer<{ requests: { body: string }[] }>(200, response);
  expect(requests.map(({ body }) => body.length)).toEqual(Array<number>(20).fill(65_536));
});
