/** Only pages without a secret are compressed (WEB.md §1; src/pages/dashboard/secretless.ts). */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { newCheck, type TestCheck } from "../support/checks.ts";
import type { TestTopic } from "../support/client.ts";
import { deskAs } from "../support/desk.ts";
import { iphone, type TestDevice } from "../support/devices.ts";
import { newHook, type TestHook } from "../support/hooks.ts";
import { inProcess, type InProcess } from "../support/server.ts";
import { cookieOf, login, person } from "../support/signin.ts";

interface House {
  topic: TestTopic;
  check: TestCheck;
  hook: TestHook;
  device: TestDevice;
  personId: string;
}
let peal: InProcess;
let house: House;
let cookie: string;
beforeAll(async () => {
  peal = await inProcess();
  const personId = await person(peal);
  cookie = cookieOf(await login(peal));
  const topic = await peal.topic("hooked");
  const check = await newCheck(peal, { topic: "hooked", every: 3_600 });
  const hook = await newHook(peal);
  const device = await iphone(peal, [topic]);
  house = { topic, check, hook, device, personId };
  await peal.request(check.ping_url, { method: "POST", body: "what a job printed" });
  await peal.request(`${check.ping_url}/fail`, { method: "POST" });
  await peal.publish(topic, { message: "what a publisher wrote" });
  const { store } = peal.running.deps;
  peal.secrets.add((await store.setup.ensureFirst()).key);
});
afterAll(async () => peal[Symbol.asyncDispose]());

const GZIP = { "accept-encoding": "gzip" };
/** Requests the page, without decompressing the answer. */
async function wire(path: string, headers: Record<string, string> = GZIP) {
  const asked = { accept: "text/html", cookie, "accept-encoding": "identity", ...headers };
  const answer = await fetch(peal.url + path, { headers: asked, decompress: false });
  const bytes = new Uint8Array(await answer.arrayBuffer());
  const encoding = answer.headers.get("content-encoding");
  const text = new TextDecoder().decode(encoding === "gzip" ? Bun.gunzipSync(bytes) : bytes);
  return { status: answer.status, encoding, varies: answer.headers.get("vary"), text, length: bytes.length };
}
/** The server's secrets that a text contains. */
const secretsIn = (text: string): string[] => [...peal.secrets].filter((secret) => text.includes(secret));

// prettier-ignore
const COMPRESSED: [string, (house: House) => string][] = [
  ["the list of checks",         () => "/-/checks"],
  ["… filtered by an address",   () => "/-/checks?state=down&q=h_0"],
  ["the form of a new check",    () => "/-/checks/new"],
  ["the form of a check",        ({ check }) => `/-/checks/${check.id}/edit`],
  ["the list of devices",        () => "/-/devices"],
  ["the settings",               () => "/-/settings"],
  ["the question before muting", () => "/-/settings/mute"],
  ["the form of a password",     () => "/-/settings/password"],
  ["the form of a new person",   () => "/-/settings/people/new"],
  ["the form of a person",       ({ personId }) => `/-/settings/people/${personId}`],
  ["the reference",              () => "/docs"],
];
test.each(COMPRESSED)("%s contains no secret, and is compressed", async (_, pathOf) => {
  const path = pathOf(house);
  const plain = await wire(path, {});
  const packed = await wire(path);
  expect([plain.status, plain.encoding, packed.status, packed.encoding]).toEqual([200, null, 200, "gzip"]);
  expect(packed.varies).toContain("accept-encoding");
  expect(packed.text).toEndWith("</html>");
  expect(packed.length).toBeLessThan(plain.length / 2);
  expect(secretsIn(packed.text)).toEqual([]);
  expect((await wire(path, { ...GZIP, "peal-again": "1" })).encoding).toBe("gzip"); // as its script requests its regions
});

// prettier-ignore
const PLAIN: [string, (house: House) => string][] = [
  ["the overview",                     () => "/-/"],
  ["… of a namespace",                 () => "/-/?ns=home"],
  ["the list of topics",               () => "/-/topics"],
  ["a topic",                          ({ topic }) => `/-/topics/${topic.key}`],
  ["how to publish to a topic",        ({ topic }) => `/-/topics/${topic.key}/publish`],
  ["the share link of a topic",        ({ topic }) => `/-/topics/${topic.key}/share`],
  ["the devices of a topic",           ({ topic }) => `/-/topics/${topic.key}/devices`],
  ["the settings of a topic",          ({ topic }) => `/-/topics/${topic.key}/settings`],
  ["a hook",                           ({ topic, hook }) => `/-/topics/${topic.key}/hooks/${hook.id}`],
  ["the map of a hook",                ({ topic, hook }) => `/-/topics/${topic.key}/hooks/${hook.id}/map`],
  ["a check",                          ({ check }) => `/-/checks/${check.id}`],
  ["a device",                         ({ device }) => `/-/devices/${device.ref}`],
  ["the form of a new forward",        () => "/-/devices/new?kind=ntfy"],
  ["deliveries",                       () => "/-/deliveries"],
  ["the first message of the set-up",  () => "/-/setup/message"],
  ["the first phone of the set-up",    () => "/-/setup/phone"],
];
test.each(PLAIN)("%s contains a secret, and is not compressed", async (_, pathOf) => {
  const path = pathOf(house);
  for (const headers of [GZIP, { ...GZIP, "peal-again": "1" }]) {
    const { status, encoding, text } = await wire(path, headers);
    expect([status, encoding]).toEqual([200, null]);
    expect(secretsIn(text)).not.toEqual([]);
  }
});

test("a key that is shown once is not compressed, nor is the page that shows it", async () => {
  const { location } = await deskAs(peal, cookie).post("/-/keys", { label: "nas", ns: "home", scope: "publish" });
  expect(location).toContain("made=");
  const { encoding, text } = await wire(new URL(location ?? "", peal.url).href.slice(peal.url.length));
  expect(text).toMatch(/svc_[0-9a-f]{64}/);
  expect(encoding).toBeNull();
  expect((await wire("/-/keys")).encoding).toBeNull();
});

test("a feed is compressed: its only secret is its key, which the requester knows", async () => {
  const { pathname } = new URL(house.topic.url);
  for (const path of [pathname, `${pathname}?since=0`]) {
    const { encoding, text } = await wire(path, { ...GZIP, cookie: "" });
    expect(encoding).toBe("gzip");
    expect(secretsIn(text).filter((secret) => secret !== house.topic.key)).toEqual([]);
  }
});

test.each(["/-/checks/no-such-check", "/-/settings/people/nobody"])("an error is not compressed: %s", async (path) => {
  const { status, encoding } = await wire(path);
  expect([status, encoding]).toEqual([404, null]);
});
