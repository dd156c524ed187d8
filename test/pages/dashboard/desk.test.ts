/** Every page of the dashboard: its frame, who may see it, what it says about the last form (WEB.md §1, §3). */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { cookieOf, SAME_SITE, signedIn } from "../../support/signin.ts";
import { answer, type TestMessage } from "../../support/client.ts";
import { eventually } from "../../support/eventually.ts";
import { houseHeaders } from "../../support/house.ts";
import { startPeal, type Peal } from "../../support/server.ts";

let peal: Peal;
let cookie: string;
beforeAll(async () => {
  peal = await startPeal();
  await peal.local("/-/local/namespaces", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name: "lab" }),
  });
  cookie = await signedIn(peal, { name: "jonas" });
});
afterAll(async () => peal[Symbol.asyncDispose]());

const HTML = { accept: "text/html" };
const get = async (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  peal.request(path, { headers: { ...HTML, cookie, ...headers } });
const post = async (path: string, headers: Record<string, string> = { cookie }): Promise<Response> =>
  peal.request(path, { method: "POST", headers: { ...HTML, ...SAME_SITE, ...headers }, body: new URLSearchParams() });
/** Publishes an urgent message; returns its path in links of pages, and its place in the feed. */
async function published(namespace: string, message: string): Promise<{ path: string; feed: string }> {
  const made = await peal.local(`/${namespace}/desk`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ message, priority: "urgent", ack: true }),
  });
  const { topic, id } = await answer<TestMessage>(201, made);
  return { path: `/-/messages/${topic}/${id}`, feed: `/v1/${namespace}/${topic}/messages/${id}` };
}

test("someone who is not signed in is redirected to the login and back", async () => {
  const answer = await peal.request("/-/?ns=lab", { headers: HTML });
  expect([answer.status, answer.headers.get("location")]).toEqual([303, "/-/login?to=%2F-%2F%3Fns%3Dlab"]);
  expect((await peal.request("/-/events", { headers: { accept: "text/event-stream" } })).status).toBe(401);
});

test.each([
  ["/-/", true],
  ["/-/checks/nothing-of-this-name", false],
])("%s has the usual headers and the frame; an error page has no live updates", async (path, isFollowing) => {
  const answer = await get(path);
  expect(Object.fromEntries(answer.headers)).toMatchObject(houseHeaders());
  const page = await answer.text();
  expect(page.match(/<h1/g)).toHaveLength(1);
  expect(page.includes("data-connection")).toBe(isFollowing);
  for (const part of [
    'class="skip" href="#main"',
    '<nav class="rail" aria-label="Main"',
    '<main id="main"',
    "jonas, admin",
  ])
    expect(page).toContain(part);
  for (const entry of ["", "topics", "checks", "devices", "keys", "deliveries", "settings"])
    expect(page).toContain(`href="/-/${entry}"`);
});

test("the filter is kept in the links of the side bar", async () => {
  const page = await (await get("/-/?ns=lab")).text();
  expect(page).toContain('href="/-/checks?ns=lab"');
  expect(page).toMatch(/<a href="\/-\/\?ns=lab" aria-current="true">lab<\/a>/);
  expect(await (await get("/-/?ns=nobody")).text()).not.toContain('href="/-/checks?ns=nobody"');
});

test("a person sees their own namespaces and nothing of others", async () => {
  const hers = await signedIn(peal, { name: "mara", namespaces: ["home"] });
  const shown = await published("home", "seen by mara");
  const hidden = await published("lab", "hidden from mara");
  const page = await (await get("/-/", { cookie: hers })).text();
  expect(page).toContain("seen by mara");
  for (const secret of ["hidden from mara", ">lab<", "lab / "]) expect(page).not.toContain(secret);
  for (const act of ["acknowledge", "delete", "undo"])
    expect([act, (await post(`${hidden.path}/${act}`, { cookie: hers })).status]).toEqual([act, 404]);
  expect((await peal.request(hidden.feed)).status).toBe(200);
  expect((await post(`${shown.path}/delete`, { cookie: hers })).status).toBe(303);
});

test("a form of another site is refused", async () => {
  const { path, feed } = await published("home", "stays");
  for (const headers of [{ "sec-fetch-site": "cross-site" }, { origin: "https://evil.example" }, {}]) {
    const answer = await peal.request(`${path}/delete`, { method: "POST", headers: { ...HTML, cookie, ...headers } });
    expect(answer.status).toBe(403);
  }
  expect((await peal.request(feed)).status).toBe(200);
});

test("the result of a form is shown once, and a deletion can be undone, also after a crash", async () => {
  const { path, feed } = await published("home", "deleted by mistake");
  const deleted = await post(`${path}/delete`);
  expect(deleted.status).toBe(303);
  expect((await peal.request(feed)).status).toBe(404);
  const flash = cookieOf(deleted);
  const shown = await get("/-/", { cookie: `${cookie}; ${flash}` });
  const page = await shown.text();
  expect(page).toMatch(/Message \d+ deleted\./);
  expect(page).toContain(`action="${path}/undo-delete"`);
  expect(shown.headers.get("set-cookie")).toStartWith("flash=; Path=/-/; Max-Age=0");
  const again = await get("/-/", { cookie: `${cookie}; ${flash}`, "peal-again": "1" }); // the script's own request
  expect(await again.text()).not.toContain("is deleted");
  expect(again.headers.get("set-cookie")).toBeNull();

  await peal.kill("SIGKILL");
  await peal.start();
  expect((await post(`${path}/undo-delete`)).status).toBe(303);
  expect((await (await peal.request(feed)).json()) as object).toMatchObject({
    message: "deleted by mistake",
    ack: true,
  });
  const late = await post(`${path}/undo-delete`);
  expect(decodeURIComponent(cookieOf(late))).toContain("desk.messageGone");
});

test("an acknowledgement can be undone for a while", async () => {
  const { path, feed } = await published("home", "tapped by mistake");
  const acknowledged = await post(`${path}/acknowledge`);
  const page = await (await get("/-/", { cookie: `${cookie}; ${cookieOf(acknowledged)}` })).text();
  expect(page).toContain(`action="${path}/undo-acknowledge"`);
  const deliveries = async () => (await peal.api("GET", `${feed}/deliveries`)).json() as Promise<object>;
  expect(await deliveries()).toHaveProperty("acknowledged_at");
  const back = await post(`${path}/undo-acknowledge`);
  expect(decodeURIComponent(cookieOf(back))).toContain("desk.unacknowledged");
  expect(await deliveries()).not.toHaveProperty("acknowledged_at");
  expect(decodeURIComponent(cookieOf(await post(`${path}/undo-acknowledge`)))).toContain("desk.stillAcknowledged");
});

const flashed = (value: unknown): string =>
  `flash=${encodeURIComponent(typeof value === "string" ? value : JSON.stringify(value))}`;

test("a flash that the browser invented shows none of its own text", async () => {
  const evil = "<img src=x onerror=alert(1)>";
  const shown = await get("/-/", { cookie: `${cookie}; ${flashed({ say: "desk.messageDeleted", values: [evil] })}` });
  expect(await shown.text()).not.toContain("<img");
  for (const value of [
    "{",
    { say: evil },
    { say: "desk.constructor" },
    { say: "__proto__.flash" },
    { say: "desk.messageDeleted", values: { length: 1 } },
    { say: "desk.messageDeleted", values: [1], undo: { topic: "../../../evil", id: 1, of: "delete" } },
  ]) {
    const answer = await get("/-/", { cookie: `${cookie}; ${flashed(value)}` });
    expect(answer.status).toBe(200);
    const page = await answer.text();
    for (const part of ["<img", "evil", "[native code]"]) expect(page).not.toContain(part);
  }
});

test("an urgent message is on the overview until someone acknowledges it", async () => {
  const { path } = await published("home", "the cellar is under water");
  expect(await (await get("/-/")).text()).toContain(`action="${path}/acknowledge"`);
  expect((await post(`${path}/acknowledge`)).status).toBe(303);
  expect(await (await get("/-/")).text()).not.toContain(`action="${path}/acknowledge"`);
});

test("the list of remaining steps is hidden for a person who hides it", async () => {
  expect(await (await get("/-/")).text()).toContain("Get started");
  const hidden = await post("/-/started");
  expect(await (await get("/-/", { cookie: `${cookie}; ${cookieOf(hidden)}` })).text()).not.toContain("Get started");
});

test("hints say that something changed in a namespace that the person sees, never what or where; they end with the session", async () => {
  const hers = await signedIn(peal, { name: "nina", namespaces: ["home"] });
  const stream = await peal.request("/-/events", { headers: { accept: "text/event-stream", cookie: hers } });
  expect(stream.headers.get("content-type")).toBe("text/event-stream");
  let text = "";
  const ended = (async () => {
    for await (const chunk of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) text += chunk;
  })();
  await eventually("the stream is open", () => text.includes("event: ready"));
  await published("lab", "nothing of hers");
  await published("home", "of hers");
  await eventually("a hint", () => text.includes("event: changed"));
  expect(text).toContain('data: ["message"]');
  for (const secret of ["lab", "of hers"]) expect(text).not.toContain(secret);
  await post("/-/logout", { cookie: hers });
  await ended;
  expect((await peal.request("/-/events", { headers: { accept: "text/event-stream", cookie: hers } })).status).toBe(
    401,
  );
});

test("before anyone has claimed the server, its start page leads to the set-up", async () => {
  await using fresh = await startPeal({ unclaimed: true });
  const answer = await fresh.request("/-/", { headers: HTML });
  expect([answer.status, answer.headers.get("location")]).toEqual([303, "/-/setup"]);
});
