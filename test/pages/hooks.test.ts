/** Hooks on the dashboard over HTTP, as a browser without a script requests them: made, viewed, mapped, rotated, deleted. */
import { afterAll, describe, expect, test } from "bun:test";
import { previewOf } from "../../src/hooks/preview.ts";
import { draftOf } from "../../src/messages/message.ts";
import { answer, type TestTopic } from "../support/client.ts";
import { heldClock } from "../support/clock.ts";
import { deskAs, markIn, type Shown } from "../support/desk.ts";
import { eventually } from "../support/eventually.ts";
import { newHook as madeHook, post as postTo, requestsOf, tokenOf, type TestHook as Made } from "../support/hooks.ts";
import { CORPUS } from "../support/hostile.ts";
import { inProcess } from "../support/server.ts";
import { signedIn } from "../support/signin.ts";

const clock = heldClock(Date.UTC(2026, 10, 21, 12));
const peal = await inProcess({ clock });
afterAll(async () => peal[Symbol.asyncDispose]());
const cookie = await signedIn(peal);
const { get, post, done } = deskAs(peal, cookie);

interface TestHook extends Made {
  /** The path of its page. */
  path: string;
}

async function newHook(topic: TestTopic, body: object = {}): Promise<TestHook> {
  const hook = await madeHook(peal, { topic: topic.key, ...body });
  return { ...hook, path: `/-/topics/${topic.key}/hooks/${hook.id}` };
}

const send = async ({ url }: Pick<TestHook, "url">, body: object | string, headers: Record<string, string> = {}) =>
  postTo(peal, url, body, headers);
const urlIn = ({ html }: Shown): string => /<code>(http:[^<]+\/v1\/hook\/h_[0-9a-z]{26})<\/code>/.exec(html)?.[1] ?? "";

describe("on the page about publishing", () => {
  test("the URL for a tool that takes only a URL comes first, is made by one button, and accepts anything", async () => {
    const topic = await peal.topic("first");
    const before = await get(`/-/topics/${topic.key}/publish`);
    expect(before.html.indexOf('id="hooks"')).toBeGreaterThan(0);
    expect(before.html.indexOf('id="hooks"')).toBeLessThan(before.html.indexOf('id="publish"'));
    const page = await done(`/-/topics/${topic.key}/hooks`, { name: "" });
    expect(page.text).toContain("Paste it into the tool");
    expect(page.text).toContain("Waiting for the first request");
    expect((await send({ url: urlIn(page) }, "hello", { "content-type": "text/plain" })).status).toBe(201);
    expect((await peal.history(topic)).map(({ message }) => message)).toEqual(["hello"]);
    expect(urlIn(await get(`/-/topics/${topic.key}/publish`))).toBe(urlIn(page));
  });

  test("each hook shows when, from where and as what it was used last, and the newest one's other forms are listed", async () => {
    const topic = await peal.topic("many");
    const older = await newHook(topic, { name: "Older <b>" });
    const newest = await newHook(topic, { name: "Newest" });
    await send(older, { text: "from a chat" });
    const { text, html } = await get(`/-/topics/${topic.key}/publish`);
    expect(text).toContain("Newest never used");
    expect(html).toContain("Older &lt;b&gt;");
    expect(text).toMatch(/Older &lt;b&gt; last used just now from 127\.0\.0\.1, \w+/);
    const token = tokenOf(newest);
    for (const form of [`${newest.url}/slack`, `${newest.url}/github`, `/v1/apprise/notify/${token}`])
      expect(html).toContain(form);
    expect(html).toMatch(new RegExp(`/api/webhooks/\\d+/${token}`));
    expect(html).toMatch(/<code>A[\w-]{14}<\/code>/);
    expect(html).not.toContain(older.url);
    expect(html).toContain(`<code>${newest.url.replace("http:", "generic:")}?template=json`); // as it is to be pasted
  });

  test("a name without visible characters is refused at its field", async () => {
    const topic = await peal.topic("named");
    const { status, text } = await post(`/-/topics/${topic.key}/hooks`, { name: "a\u202eb" });
    expect(status).toBe(422);
    expect(text).toContain("Enter one line of at most 100 characters.");
  });

  test("so is one hook too many", async () => {
    const topic = await peal.topic("full");
    for (let n = 0; n < 20; n++) await newHook(topic);
    const { status, text } = await post(`/-/topics/${topic.key}/hooks`, { name: "" });
    expect([status, text.includes("A topic can have at most 20 hooks")]).toEqual([422, true]);
  });
});

test("someone who cannot see the namespace can neither see nor change its hooks", async () => {
  const topic = await peal.topic("private");
  const hook = await newHook(topic);
  await send(hook, { message: "secret" });
  const guest = deskAs(peal, await signedIn(peal, { name: "guest", namespaces: [] }));
  for (const tab of ["", "/map", "/edit", "/rotate", "/delete"]) {
    const { status, html } = await guest.get(hook.path + tab);
    expect([tab, status, html.includes("h_"), html.includes("secret")]).toEqual([tab, 404, false, false]);
  }
  expect((await guest.post(`/-/topics/${topic.key}/hooks`, { name: "" })).status).toBe(404);
  for (const tab of ["/map", "/edit", "/rotate", "/delete"])
    expect([tab, (await guest.post(hook.path + tab)).status]).toEqual([tab, 404]);
  expect((await send(hook, { message: "works on" })).status).toBe(201);
  const other = await peal.topic("other");
  expect((await get(`/-/topics/${other.key}/hooks/${hook.id}`)).status).toBe(404);
  expect((await deskAs(peal, "").get(hook.path)).status).toBe(303);
});

describe("the page of a hook", () => {
  test("shows a request beside the message that it made, and each earlier one by its address", async () => {
    const topic = await peal.topic("shown");
    const hook = await newHook(topic);
    await send({ url: `${hook.url}?level=error` }, { message: "first", extra: { deep: [1, null, true, "", {}] } });
    await send(hook, { message: "second" }, { "user-agent": "Doorbell/2.1" });
    const { text, html } = await get(hook.path);
    expect(text).toContain("Last 2 requests");
    expect(text).toContain("Sent by Doorbell/2.1");
    expect(html).toMatch(/data-path="message"[^>]*>second</);
    expect(html).toMatch(/<article class="msg info/);
    const first = await get(`${hook.path}?r=1`);
    expect(first.html).toMatch(/<article class="msg error/);
    expect(first.text).toContain("level=error");
    expect(first.text).toMatch(
      /extra 1 entry .*deep 5 entries .*0 : 1 .*1 : null .*2 : true .*3 : &quot;&quot; .*4 empty/,
    );
    expect(first.html).toContain("{extra.deep.0}"); // as it is to be typed
    await peal.api("DELETE", `/v1/home/${topic.key}/messages/1`);
    expect((await get(`${hook.path}?r=1`)).text).toContain("The message no longer exists.");
  });

  test("says until when a delayed message waits, and shows the message then", async () => {
    const topic = await peal.topic("delayed");
    const hook = await newHook(topic);
    await send({ url: `${hook.url}?in=1m` }, { message: "later" });
    await send({ url: `${hook.url}?in=1m` }, { message: "never" });
    const { scheduled } = await answer<{ scheduled: { scheduled: { id: string } }[] }>(
      200,
      await peal.api("GET", "/v1/home/scheduled"),
    );
    const waits = /Scheduled for [^.]*\d:\d\d/g;
    expect((await get(`${hook.path}?r=1`)).text.match(waits)).toHaveLength(3); // one of them beside the request
    expect((await peal.api("DELETE", `/v1/home/scheduled/${scheduled[1]?.scheduled.id}`)).status).toBe(204);
    expect((await get(`${hook.path}?r=2`)).text).toMatch(/What it became The message no longer exists\./);
    clock.advance(60_000);
    await eventually("the message", async () => (await peal.history(topic)).length === 1);
    const { text, html } = await get(`${hook.path}?r=1`);
    expect(text).not.toContain("waits until");
    expect(html).toMatch(/<article class="msg info/);
  });

  test("keeps nothing where that is turned off, and deletes what was kept", async () => {
    const hook = await newHook(await peal.topic("forgetful"));
    await send(hook, { message: "before it" });
    expect((await get(hook.path)).text).toContain("before it");
    const form = { mark: markIn(await get(`${hook.path}/edit`)) };
    const page = await done(`${hook.path}/edit`, { ...form, name: "Quiet", as: "slack", get: "on" });
    expect(page.text).toContain("Saved.");
    expect(page.text).toContain("Requests aren’t kept.");
    expect(page.text).toContain("Reads it as Slack");
    expect(page.text).toContain("GET publishes too");
    expect((await send(hook, { text: "after it" })).status).toBe(200);
    const { text } = await get(hook.path);
    expect([text.includes("before it"), text.includes("after it")]).toEqual([false, false]);
    expect(await requestsOf(peal, hook.id)).toEqual([]);
    const stale = await post(`${hook.path}/edit`, { ...form, name: "Other", capture: "on" });
    expect(stale.status).toBe(409);
    expect((await get(hook.path)).html).toContain('<h1 dir="auto">Quiet</h1>');
    expect((await peal.request(`${hook.url}?message=got`)).status).toBe(200);
  });

  test("makes a new URL after a confirmation: the old one works for a day, or ends at once", async () => {
    const hook = await newHook(await peal.topic("rotated"));
    const kept = await done(`${hook.path}/rotate`, { old: "" });
    expect(kept.text).toContain("The old URL keeps working for 24 hours.");
    expect(urlIn(kept)).not.toBe(hook.url);
    for (const url of [hook.url, urlIn(kept)]) expect((await send({ url }, { message: "m" })).status).toBe(201);
    const ended = await done(`${hook.path}/rotate`, { old: "now" });
    const states = [hook.url, urlIn(kept), urlIn(ended)].map(
      async (url) => (await send({ url }, { message: "m" })).status,
    );
    expect(await Promise.all(states)).toEqual([404, 404, 201]);
  });

  test("deletes it after a confirmation, with what was kept; its messages stay", async () => {
    const topic = await peal.topic("deleted");
    const hook = await newHook(topic, { name: "Old tool" });
    await send(hook, { message: "m" });
    const { text } = await get(`${hook.path}/delete`);
    expect(text).toContain("Delete Old tool?");
    expect(text).toContain("1 request kept from it is deleted.");
    expect((await done(`${hook.path}/delete`)).text).toContain("Old tool deleted.");
    expect((await send(hook, { message: "m" })).status).toBe(404);
    expect(await peal.history(topic)).toHaveLength(1);
    expect((await get(hook.path)).status).toBe(404);
  });
});

describe("with hostile and large bodies", () => {
  test.each(CORPUS)("%j is shown as it is", async (text) => {
    const hook = await newHook(await peal.topic(`hostile${Bun.hash(text) % 1_000_000n}`));
    await send(hook, { [text]: text, list: [text] }, { "user-agent": text.replaceAll(/[^ -~]/g, "") });
    for (const path of [hook.path, `${hook.path}/map`]) {
      const { status, html } = await get(path);
      expect([path, status]).toEqual([path, 200]);
      expect(html.match(/<script/g)).toHaveLength(1); // the page's own
      const bare = html.replaceAll(/"[^"]*"/g, '""'); // a path is also in an attribute
      expect(bare.match(/<(?:img|iframe|style|base|math)|<[^>]+ on\w+=/)?.[0]).toBeUndefined();
      expect(html).toContain(Bun.escapeHTML(text).replaceAll("\r", "&#13;").slice(0, 30));
    }
  });

  // prettier-ignore
  const large: [what: string, body: object][] = [
    ["64 levels",            Array.from({ length: 62 }).reduce<object>((inner) => ({ deep: inner }), { end: "x" })],
    ["thousands of values",  { list: Array.from({ length: 20_000 }, (_, n) => n) }],
    ["thousands of names",   Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`name${n}`, n]))],
    ["one long value",       { text: "x".repeat(65_000) }],
    ["one long name",        { ["n".repeat(60_000)]: 1 }],
    ["more than is kept",    { text: "x".repeat(200_000) }],
    ["a list of lists",      Array.from({ length: 200 }, () => Array.from({ length: 50 }, () => [1]))],
  ];
  test.each(large)("%s make a page of limited size", async (what, body) => {
    const hook = await newHook(await peal.topic(`large-${what.replaceAll(" ", "-")}`));
    expect((await send(hook, body)).status).toBe(201);
    for (const path of [hook.path, `${hook.path}/map`]) {
      const { status, html } = await get(path);
      expect(status).toBe(200);
      expect(html.match(/<li/g)?.length).toBeLessThan(700);
      expect(html.length).toBeLessThan(400_000);
    }
  });

  test("JSON is a tree whatever its type is called, as the map reads it", async () => {
    const hook = await newHook(await peal.topic("vague"), { map: { title: "{a.b}" } });
    await send(hook, { a: { b: "named" } }, { "content-type": "text/plain" });
    const { html } = await get(hook.path);
    expect(html).toMatch(/data-path="a\.b"[^>]*>named</);
    expect(html).toMatch(/<h3 [^>]*>named</);
  });

  test("bytes that are not text, and an empty body, are shown too", async () => {
    const hook = await newHook(await peal.topic("bytes"));
    await peal.request(hook.url, { method: "POST", body: new Uint8Array([0, 255, 254, 1, 7]) });
    expect((await get(hook.path)).text).toMatch(/What arrived .* ÿþ .*What it became .* ÿþ /);
    await peal.request(`${hook.url}?message=only`, { method: "POST" });
    expect((await get(hook.path)).text).toContain("No body.");
  });
});

describe("the map", () => {
  const BODY = { eventType: "MyEvent", series: { id: 7, title: "Severance" }, status: "new", note: "some words" };
  const fieldsIn = (page: Shown) => ({ mark: markIn(page) });
  /** The titles of the cards, and of the notifications. */
  const cards = ({ html }: Shown) => [...html.matchAll(/<h3 [^>]*>([^<]*)/g)].map(([, title]) => title);
  const phones = ({ html }: Shown) =>
    [...html.matchAll(/<strong dir="auto">([^<]*)<\/strong><p class="body/g)].map(([, title]) => title);

  test("is tried out on all kept requests without saving; once saved, the next request uses it", async () => {
    const topic = await peal.topic("mapped");
    const hook = await newHook(topic);
    await send(hook, BODY);
    await send(hook, { ...BODY, series: { id: 8, title: "Andor" }, status: "ok" });
    const page = await get(`${hook.path}/map`);
    const form = {
      ...fieldsIn(page),
      ...{ title: "{series.title}!", text: "{note}", level: "{eventType}", level_is: "MyEvent = critical" },
      ...{ key: "s{series.id}", resolved: "{status}", resolved_in: "ok" },
    };
    const preview = await post(`${hook.path}/map`, { ...form, preview: "1" });
    expect(preview.status).toBe(200);
    expect(cards(preview)).toEqual(["Andor!", "Severance!"]);
    expect(phones(preview)).toEqual(["Andor!", "Severance!"]);
    expect(preview.text).toContain("Resolved");
    expect(preview.html).toMatch(/<article class="msg error open"/);
    expect((await peal.history(topic)).map(({ title }) => title)).not.toContain("Andor!");
    expect((await get(`${hook.path}/map`)).html).not.toContain("{series.title}!");

    expect((await done(`${hook.path}/map`, form)).text).toContain("Saved. The next request uses it.");
    await send(hook, { ...BODY, series: { id: 9, title: "Foundation" } });
    const [newest] = (await peal.history(topic)).toReversed().sort((a, b) => b.id - a.id);
    expect(newest).toMatchObject({
      title: "Foundation!",
      message: "some words",
      level: "error",
      dedup_key: "s9",
      status: "firing",
    });
    const again = await get(`${hook.path}/map`);
    expect(again.html).toContain('value="{series.title}!"');
    expect(again.html).toContain("MyEvent = error");
    expect((await done(`${hook.path}/map`, fieldsIn(again))).status).toBe(200);
    expect((await get(hook.path)).text).toContain("Fields found by peal");
  });

  test("has its mistakes reported at their fields, and nothing is saved", async () => {
    const hook = await newHook(await peal.topic("wrong"));
    await send(hook, BODY);
    const { status, html, text } = await post(`${hook.path}/map`, { title: "{series", resolved: "{status}" });
    expect(status).toBe(422);
    expect(text).toContain("A brace isn’t closed");
    expect(html).toMatch(/id="resolved_in"[^>]*aria-invalid="true"/);
    expect(text).toContain("No preview. Check the highlighted fields.");
    expect((await get(hook.path)).text).toContain("Fields found by peal");
  });

  test("is not overwritten when someone else changed it, unless sent again", async () => {
    const hook = await newHook(await peal.topic("both"));
    const form = fieldsIn(await get(`${hook.path}/map`));
    await done(`${hook.path}/map`, { ...form, title: "mine" });
    const late = await post(`${hook.path}/map`, { ...form, title: "theirs" });
    expect(late.status).toBe(409);
    expect((await get(`${hook.path}/map`)).html).toContain('value="mine"');
    await done(`${hook.path}/map`, { ...fieldsIn(late), title: "theirs" });
    expect((await get(`${hook.path}/map`)).html).toContain('value="theirs"');
  });

  test("has a preview of what a request becomes, including dialect, query, headers and defaults", async () => {
    const topic = await peal.topic("same");
    const hook = await newHook(topic, { defaults: { tags: ["nas"] }, map: { title: "{a.b}" } });
    const sent: [object | string, string, Record<string, string>][] = [
      [{ text: "*bold* <https://e.org|link>", a: { b: "chat" } }, "/slack", {}],
      [{ content: "**x**", a: { b: "disc" } }, "/discord", {}],
      [{ message: "m", a: { b: "query" } }, "?priority=urgent&level=warning", {}],
      [{ message: "m", a: { b: "header" } }, "", { "x-title": "by header", "x-tags": "one,two" }],
      [{ anything: ["goes"], a: { b: "shape" } }, "", { "user-agent": "Tool/1" }],
      ["just text", "", { "content-type": "text/plain" }],
      ["<p>some <b>html</b></p>", "", { "content-type": "text/html" }],
      ["a=1&b=2", "", { "content-type": "application/x-www-form-urlencoded" }],
      [{ title: "mapped by the URL", who: "apprise" }, "?:who=title", {}],
    ];
    for (const [body, at, headers] of sent) expect((await send({ url: hook.url + at }, body, headers)).ok).toBe(true);
    const { hooks, messages, topics } = peal.running.deps.store;
    const found = await topics.byKeyAnywhere(topic.key);
    const [own] = found === undefined ? [] : await hooks.list(found.namespaceId, found.id);
    if (found === undefined || own === undefined) throw new Error("there is no such hook");
    const kept = await hooks.requests(own);
    expect(kept).toHaveLength(sent.length);
    for (const request of kept) {
      const message = await messages.find(found.id, request.messageId ?? 0);
      const preview: unknown = await previewOf(own, request);
      expect(preview).toEqual({ request, draft: message && draftOf(message) });
    }
  });
});
