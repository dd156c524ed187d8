/** Pings, black-box: Healthchecks' URLs, with any method and from any client (CHECKINS.md §2). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { actOn, checkOf, eventsOf, kindsOf, newCheck, ping, pingKeyUrl, type TestCheck } from "../support/checks.ts";
import { answer } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { answers, converse, rawRequest, statuses } from "../support/raw.ts";
import { inProcess, startPeal, type Peal } from "../support/server.ts";

let peal: Peal;
beforeAll(async () => (peal = await startPeal()));
afterAll(async () => peal[Symbol.asyncDispose]());

const UNKNOWN = "0123456789abcdefghjkmnpqrs";
const OK: [number, string] = [200, "ok"];
const NOT_FOUND: [number, string] = [404, "not found"];

describe("by each method", () => {
  test.each(["GET", "HEAD", "POST", "PUT"])("%s is a ping", async (method) => {
    const { id, ping_url } = await newCheck(peal, { every: "1d" });
    const response = await peal.request(ping_url, { method });
    expect([response.status, await response.text()]).toEqual([200, method === "HEAD" ? "" : "ok"]);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "text/plain",
      "cache-control": "no-store",
      "access-control-allow-origin": "*",
      "ping-body-limit": "10240",
      "x-robots-tag": "noindex",
    });
    expect(await eventsOf(peal, id)).toMatchObject([{ n: 1, kind: "ok", method, address: "127.0.0.1" }]);
    expect(await checkOf(peal, id)).toMatchObject({ state: "up", pings: 1 });
  });

  test("OPTIONS is sent by browsers and is not a ping", async () => {
    const { id, ping_url } = await newCheck(peal);
    const headers = { origin: "https://x.example", "access-control-request-method": "POST" };
    for (const url of [ping_url, `${ping_url}/start`]) {
      const response = await peal.request(url, { method: "OPTIONS", headers });
      expect([response.status, response.headers.get("allow")]).toEqual([204, "GET, HEAD, POST, PUT, OPTIONS"]);
    }
    expect(await kindsOf(peal, id)).toEqual([]);
  });

  test.each(["DELETE", "PATCH"])("%s is refused and is not a ping", async (method) => {
    const { id, ping_url } = await newCheck(peal);
    for (const suffix of ["", "/fail"]) {
      const response = await peal.request(ping_url + suffix, { method });
      expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD, POST, PUT, OPTIONS"]);
    }
    expect(await kindsOf(peal, id)).toEqual([]);
  });
});

// prettier-ignore
const suffixes: [suffix: string, events: object[]][] = [
  ["",       [{ kind: "ok" }]],
  ["/start", [{ kind: "start" }]],
  ["/log",   [{ kind: "log" }]],
  ["/fail",  [{ kind: "fail" }, { kind: "down", reason: "failed" }]],
  ["/0",     [{ kind: "ok", exit: 0 }]],
  ["/1",     [{ kind: "fail", exit: 1 }, { kind: "down", reason: "failed" }]],
  ["/255",   [{ kind: "fail", exit: 255 }, { kind: "down", reason: "failed" }]],
];
describe.each(suffixes)("the suffix %j", (suffix, events) => {
  test("of a token", async () => {
    const { id, ping_url } = await newCheck(peal, { every: "1d" });
    expect(await ping(peal, ping_url + suffix, { method: "POST" })).toEqual(OK);
    expect(await eventsOf(peal, id)).toMatchObject(events);
  });
  test("of a slug", async () => {
    const slug = `slug-${suffix.slice(1)}-`;
    const { id } = await newCheck(peal, { slug, every: "1d" });
    expect(await ping(peal, `${await pingKeyUrl(peal)}/${slug}${suffix}`)).toEqual(OK);
    expect(await eventsOf(peal, id)).toMatchObject(events);
  });
});

describe("what is not the URL of a check", () => {
  const strange = [
    ...["/256", "/999", "/0000", "/-1", "/1.5", "/Start", "/stop", "/%00", "/%ff", "/start/x", "/x/start", "/log/log"],
    ...["/", "/start/", "//start", "/start/x/y", "/0x1"],
  ];
  test.each(strange)("the suffix %s", async (suffix) => {
    const { id, ping_url } = await newCheck(peal);
    for (const method of ["GET", "POST"])
      expect([method, (await peal.request(ping_url + suffix, { method })).status]).toEqual([method, 404]);
    expect(await kindsOf(peal, id)).toEqual([]);
  });

  // prettier-ignore
  test.each([
    ["an unknown token",     UNKNOWN],
    ["one with a suffix",    `${UNKNOWN}/start`],
    ["a short one",          UNKNOWN.slice(1)],
    ["upper case",           UNKNOWN.toUpperCase()],
    ["broken escapes",       "%E0%A4%A"],
    ["a key without a slug", `pk_${UNKNOWN}`],
    ["an unknown key",       `pk_${UNKNOWN}/job`],
    ["a word of the API",    "topics"],
    ["its words",            "checks/preview"],
  ])("%s", async (_, path) => {
    for (const method of ["GET", "POST", "PUT"])
      expect(await ping(peal, `/v1/ping/${path}`, { method })).toEqual(NOT_FOUND);
  });

  test("a slug that is invalid or unknown", async () => {
    const url = await pingKeyUrl(peal);
    for (const slug of ["nobody", "Upper", "a.b", "-a", "start", "fail", "log", "12", "a".repeat(65), "%E0%A4%A"])
      expect([slug, await ping(peal, `${url}/${slug}`)]).toEqual([slug, NOT_FOUND]);
  });

  test("a namespace's routes: nothing below /v1/ping requires a key, and nothing else changes", async () => {
    const { ping_url } = await newCheck(peal);
    const token = new URL(ping_url).pathname.split("/").at(-1) ?? "";
    for (const path of [`/v1/ping/${token}/rotate`, `/v1/ping/${token}/publish`, `/v1/ping/${token}/messages/1`])
      expect([path, await ping(peal, path, { method: "POST", body: "x" })]).toEqual([path, NOT_FOUND]);
    expect((await peal.request(`/ping/${token}`, { method: "POST" })).status).toBe(404);
    expect((await peal.request(`/api/${token}`, { method: "POST" })).status).toBe(404);
  });
});

describe("a run", () => {
  // prettier-ignore
  test.each([
    ["cfae7d5c-5a1f-4a50-a2f4-0b2fc1e2a7e5", true],
    ["A.b_c-9",                              true],
    ["x".repeat(64),                         true],
    ["x".repeat(65),                         false],
    ["a b",                                  false],
    ["ü",                                    false],
    ["",                                     false],
  ])("%s is its name: %p, and a ping in any case", async (rid, isName) => {
    const { id, ping_url } = await newCheck(peal, { every: "1d" });
    const query = `?rid=${encodeURIComponent(rid)}`;
    expect(await ping(peal, `${ping_url}/start${query}`)).toEqual(OK);
    expect(await checkOf(peal, id)).toMatchObject({ running: true });
    expect(await ping(peal, ping_url + query)).toEqual(OK);
    const [started, ended] = await eventsOf(peal, id);
    expect([started?.["rid"], ended?.["rid"]]).toEqual(isName ? [rid, rid] : [undefined, undefined]);
    expect(ended?.["duration"]).toBeNumber();
    expect(await checkOf(peal, id)).toMatchObject({ state: "up", running: false });
  });

  test("the end of another one leaves it open; the same ping twice counts once", async () => {
    const { id, ping_url } = await newCheck(peal, { every: "1d" });
    for (const path of ["/start?rid=a", "/start?rid=b", "?rid=b", "?rid=b", "/start?rid=b"])
      expect(await ping(peal, ping_url + path)).toEqual(OK);
    expect(await eventsOf(peal, id)).toMatchObject([
      { kind: "start", rid: "a" },
      { kind: "start", rid: "b" },
      { kind: "ok", rid: "b" },
    ]);
    expect(await checkOf(peal, id)).toMatchObject({ running: true });
  });

  test.each([
    ["10m", 600],
    ["900", 900],
    ["1h", 3600],
    ["soon", 60],
    ["-5", 60],
    ["", 60],
    ["999999999999", 60],
    ["400d", 60],
  ])("that sends `extend=%s` gets %d seconds", async (extend, seconds) => {
    const { id, ping_url } = await newCheck(peal, { every: "10s", grace: 0, max_run: 60 });
    await ping(peal, ping_url);
    const before = Date.now();
    await ping(peal, `${ping_url}/start`);
    expect(await ping(peal, `${ping_url}/log?extend=${extend}`, { method: "POST" })).toEqual(OK);
    const deadline = Date.parse(String((await checkOf(peal, id))["deadline_at"]));
    expect(Math.abs(deadline - before - seconds * 1000)).toBeLessThan(5_000);
  });
});

describe("a request that no job sent", () => {
  // prettier-ignore
  const previews: Record<string, string>[] = [
    { purpose: "prefetch" }, { purpose: "preview" }, { "sec-purpose": "prefetch;prerender" }, { "x-purpose": "preview" }, { "x-moz": "prefetch" },
    { "user-agent": "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)" },
    { "user-agent": "Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)" },
    { "user-agent": "TelegramBot (like TwitterBot)" },
    { "user-agent": "WhatsApp/2.23.20.0" },
    { "user-agent": "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)" },
    { "user-agent": "Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5" },
    { "user-agent": "Synapse (bot; +https://github.com/matrix-org/synapse)" },
    { "user-agent": "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)" },
  ];
  test.each(previews)("%j: recorded, and the job still counts as not heard", async (headers) => {
    const { id, ping_url } = await newCheck(peal, { every: "1d" });
    for (const method of ["GET", "HEAD"]) expect((await peal.request(ping_url, { method, headers })).status).toBe(200);
    expect(await ping(peal, `${ping_url}/fail`, { headers })).toEqual(OK);
    expect(await kindsOf(peal, id)).toEqual(["ignored", "ignored", "ignored"]);
    expect(await checkOf(peal, id)).toMatchObject({ state: "new" });
    expect(await ping(peal, ping_url, { method: "POST", headers })).toEqual(OK); // previews never use POST
    expect(await checkOf(peal, id)).toMatchObject({ state: "up" });
  });

  test.each([
    "curl/8.5.0",
    "Wget/1.21.4",
    "python-requests/2.32.3",
    "Go-http-client/1.1",
    "restic",
    "rclone/v1.68",
    "",
  ])("does not include %j", async (agent) => {
    const { id, ping_url } = await newCheck(peal);
    const request = rawRequest("GET", new URL(ping_url).pathname, agent === "" ? {} : { "user-agent": agent });
    expect(statuses(await converse(peal.url, request, answers(1)))).toEqual([200]);
    expect(await eventsOf(peal, id)).toMatchObject([{ kind: "ok" }]);
  });

  test("includes GETs to a check that takes POST only", async () => {
    const { id, ping_url } = await newCheck(peal, { post_only: true });
    for (const method of ["GET", "HEAD", "PUT"]) expect((await peal.request(ping_url, { method })).status).toBe(200);
    expect(await kindsOf(peal, id)).toEqual(["ignored", "ignored", "ignored"]);
    expect(await ping(peal, ping_url, { method: "POST" })).toEqual(OK);
    expect(await kindsOf(peal, id)).toEqual(["ignored", "ignored", "ignored", "ok"]);
  });
});

describe("a URL whose token was replaced", () => {
  const tokenOf = ({ ping_url }: TestCheck) => ping_url.split("/").at(-1);

  test("works for a while beside the new one, and with `overlap: 0` no longer", async () => {
    const first = await newCheck(peal, { every: "1d" });
    const second = await actOn(peal, first.id, "rotate");
    expect(tokenOf(second)).not.toBe(tokenOf(first));
    for (const { ping_url } of [first, second]) expect(await ping(peal, `${ping_url}/log`)).toEqual(OK);
    const third = await actOn(peal, first.id, "rotate", { overlap: 0 });
    expect(await ping(peal, first.ping_url)).toEqual(NOT_FOUND);
    expect(await ping(peal, second.ping_url)).toEqual(NOT_FOUND);
    expect(await ping(peal, third.ping_url)).toEqual(OK);
    expect(await checkOf(peal, first.id)).toMatchObject({ ping_url: third.ping_url });
  });

  test("ends at the end of its overlap", async () => {
    const { id, ping_url } = await newCheck(peal);
    await actOn(peal, id, "rotate", { overlap: "3s" });
    expect(await ping(peal, `${ping_url}/log`)).toEqual(OK);
    await eventually("its end", async () => (await ping(peal, `${ping_url}/log`))[0] === 404);
  });

  test("of a whole namespace stops working at once", async () => {
    const { id } = await newCheck(peal, { slug: "rotated" });
    const before = await pingKeyUrl(peal);
    const { ping_url } = await answer<{ ping_url: string }>(200, await peal.api("POST", "/v1/home/ping-key/rotate"));
    expect(await ping(peal, `${before}/rotated`)).toEqual(NOT_FOUND);
    expect(await ping(peal, `${ping_url}/rotated`)).toEqual(OK);
    expect(await pingKeyUrl(peal)).toBe(ping_url);
    expect(await kindsOf(peal, id)).toEqual(["ok"]);
  });
});

test("a ping is refused before the server is claimed", async () => {
  await using unclaimed = await inProcess({ unclaimed: true });
  for (const path of [`/v1/ping/${UNKNOWN}`, `/api/push/${UNKNOWN}`])
    expect(await answer(503, await unclaimed.request(path))).toMatchObject({ code: "not_set_up" });
});

test("below a base path a ping works with it and without", async () => {
  await using based = await inProcess({ env: { PEAL_BASE_URL: "https://example.test/peal" } });
  const { id, ping_url } = await newCheck(based);
  expect(ping_url).toStartWith("https://example.test/peal/v1/ping/");
  const { pathname } = new URL(ping_url);
  for (const path of [pathname, pathname.slice("/peal".length)]) expect(await ping(based, `${path}/log`)).toEqual(OK);
  expect(await kindsOf(based, id)).toEqual(["log", "log"]);
});

test("an answered ping survives kill -9", async () => {
  await using own = await startPeal();
  const { id, ping_url } = await newCheck(own, { every: "1d" });
  expect(await ping(own, `${ping_url}/3`, { method: "POST", body: "broken" })).toEqual(OK);
  await own.kill("SIGKILL");
  await own.start();
  expect(await eventsOf(own, id)).toMatchObject([{ kind: "fail", exit: 3, body_bytes: 6 }, { kind: "down" }]);
  expect(await checkOf(own, id)).toMatchObject({ state: "down", ping_url });
});
