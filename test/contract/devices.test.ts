/** Registering devices, black-box (API.md §5): anonymously, once per token, with what each platform requires. */
import { afterAll, describe, expect, test } from "bun:test";
import { answer, TIME } from "../support/client.ts";
import {
  apnsToken,
  DEVICE_ID,
  deviceOf,
  endpoint,
  fcmToken,
  NEW_DEVICES,
  pushKeys,
  register,
  send,
  type TestDevice,
} from "../support/devices.ts";
import { inProcess, startPeal } from "../support/server.ts";

const peal = await startPeal({ env: { PEAL_PUSH_HOSTS: "push.example:8443,distributor.example" } });
afterAll(async () => peal[Symbol.asyncDispose]());

const post = async (body: object | string) => send(peal, "POST", "/v1/devices", body);
const time = expect.stringMatching(TIME) as unknown;
const UNKNOWN = "x-0123456789abcdefghjkmnpqrs";

test.each(NEW_DEVICES)("a device of each platform is registered, and no answer contains its token", async (of) => {
  const topic = await peal.topic(`of ${of().platform}`.replace(" ", "-"));
  const body = of();
  const made = await register(peal, body, [topic]);
  expect(made.id).toMatch(DEVICE_ID);
  expect(made).toEqual({
    id: made.id,
    ref: made.ref,
    platform: body.platform,
    topics: [{ namespace: "home", topic: topic.key, name: topic.name, url: topic.url, subscribed_at: time as string }],
    status: "active",
    created_at: time,
  });
  expect(await deviceOf(peal, made.id)).toEqual(made);
});

test("with everything that a device can say about itself", async () => {
  const quiet = { from: "22:00", to: "07:00", timezone: "europe/berlin" };
  const body = { name: " My\nphone ", locale: "de-at", quiet_hours: quiet, min_priority: "high", unknown: 1 };
  const made = await register(peal, { platform: "ios", token: apnsToken(), ...body });
  const told = { name: "My phone", locale: "de-AT", min_priority: "high" };
  expect(made).toMatchObject({ ...told, quiet_hours: { ...quiet, timezone: "Europe/Berlin" }, topics: [] });
});

describe("the same token", () => {
  test("is the same device, updated, with the new topics added", async () => {
    const [one, two] = [await peal.topic("one"), await peal.topic("two")];
    const token = apnsToken(80);
    const made = await register(peal, { platform: "ios", token, name: "phone", min_priority: "low" }, [one]);
    const again = await answer<TestDevice>(
      200,
      await post({
        platform: "ios",
        token: token.toUpperCase(),
        name: "my phone",
        topics: [one, two].map(({ namespace, key }) => ({ namespace, topic: key })),
      }),
    );
    expect(again).toMatchObject({ id: made.id, name: "my phone", min_priority: "low" });
    expect(again.topics.map(({ name }) => name)).toEqual(["one", "two"]);
    expect(again.topics[0]).toEqual(made.topics[0] as TestDevice["topics"][0]);
  });

  test("on another platform is another device", async () => {
    const token = apnsToken();
    const ids = [
      await register(peal, { platform: "ios", token }),
      await register(peal, { platform: "android", token }),
    ];
    expect(new Set(ids.map(({ id }) => id)).size).toBe(2);
  });

  test("twice at the same time is registered once", async () => {
    const body = { platform: "android", token: fcmToken() };
    const answers = await Promise.all(Array.from({ length: 8 }, async () => post(body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(7).fill(200), 201]);
    const ids = await Promise.all(answers.map(async (one) => ((await one.json()) as TestDevice).id));
    expect(new Set(ids).size).toBe(1);
  });
});

test("someone who knows a browser's endpoint but not its keys learns nothing about its device", async () => {
  const topic = await peal.topic("sealed");
  const token = endpoint();
  const made = await register(peal, { platform: "web", token, keys: pushKeys() }, [topic]);
  const refused = await (await post({ platform: "web", token, keys: pushKeys(), name: "thief" })).text();
  expect(refused).toContain('"code":"token_taken"');
  for (const secret of [made.id, topic.key]) expect(refused).not.toContain(secret);
  expect(await deviceOf(peal, made.id)).toEqual(made);
});

test("an unknown topic refuses the whole request, each one named, and nothing is stored", async () => {
  const topic = await peal.topic("known");
  const body = { platform: "ios", token: apnsToken() };
  const known = { namespace: "home", topic: topic.key };
  const topics = [{ namespace: "home", topic: UNKNOWN }, known, { namespace: "nowhere", topic: topic.key }];
  const refused = await answer<{ code: string; errors: { path: string }[] }>(404, await post({ ...body, topics }));
  expect(refused.code).toBe("unknown_topic");
  expect(refused.errors.map(({ path }) => path)).toEqual(["/topics/0", "/topics/2"]);
  expect((await register(peal, body)).topics).toEqual([]);
});

const ios = (token: string) => ({ platform: "ios", token });
const android = (token: string) => ({ platform: "android", token });
const web = (token: unknown, keys: unknown = pushKeys()) => ({ platform: "web", token, keys });
const { p256dh, auth } = pushKeys();
const compressed = Buffer.from(p256dh, "base64url").subarray(0, 33);
compressed[0] = 2;
const offCurve = Buffer.alloc(65, 7);
offCurve[0] = 4;
const quiet = (hours: object) => ({ ...ios(apnsToken()), quiet_hours: { from: "22:00", to: "07:00", timezone: "UTC", ...hours } }); // prettier-ignore

describe("accepted values", () => {
  // prettier-ignore
  const fits: [what: string, body: object][] = [
    ["the shortest token of Apple",      ios(apnsToken(32))],
    ["the longest token of Apple",       ios(apnsToken(100))],
    ["the longest token of Google",      android("x".repeat(4_096))],
    ["a host below a push service's",    web(`https://eu.notify.windows.com/w/?token=${apnsToken()}`)],
    ["Mozilla's push service",           web(`https://updates.push.services.mozilla.com/wpush/v2/${apnsToken()}`)],
    ["Apple's push service",             web(`https://web.push.apple.com/${apnsToken()}`)],
    ["a host that the operator named",   web(`https://distributor.example/${apnsToken()}`)],
    ["with a port that he named",        web(`https://push.example:8443/${apnsToken()}`)],
    ["keys with padding",                web(endpoint(), { p256dh: `${p256dh}=`, auth: `${auth}==` })],
    ["a name at its limit",              { ...ios(apnsToken()), name: "n".repeat(100) }],
    ["quiet hours within a day",         quiet({ from: "00:00", to: "23:59" })],
  ];
  test.each(fits)("%s", async (_, body) => {
    expect((await post(body)).status).toBe(201);
  });
});

describe("refused values", () => {
  // prettier-ignore
  const refused: [what: string, body: object, path: string][] = [
    ["no platform",                       { token: apnsToken() },                                    "/platform"],
    ["an unknown platform",               { platform: "windows", token: apnsToken() },               "/platform"],
    ["no token",                          { platform: "ios" },                                       "/token"],
    ["an empty token",                    ios(""),                                                   "/token"],
    ["a token of Apple that is no hex",   ios("g".repeat(64)),                                       "/token"],
    ["an odd number of digits",           ios("a".repeat(65)),                                       "/token"],
    ["a token of Apple that is short",    ios(apnsToken(31)),                                        "/token"],
    ["a token of Apple that is long",     ios(apnsToken(101)),                                       "/token"],
    ["a token of Google with a space",    android("abc def ghi"),                                    "/token"],
    ["a token of Google with a line",     android("abcdefgh\n"),                                     "/token"],
    ["a token of Google that is short",   android("abcdefg"),                                        "/token"],
    ["a token of Google that is long",    android("x".repeat(4_097)),                                "/token"],
    ["an endpoint that is no URL",        web("fcm.googleapis.com/x"),                               "/token"],
    ["plain http",                        web("http://fcm.googleapis.com/x"),                        "/token"],
    ["a host of nobody's",                web("https://push.elsewhere.example/x"),                   "/token"],
    ["a host that only ends alike",       web("https://evilfcm.googleapis.com.elsewhere.example/x"), "/token"],
    ["a host that begins otherwise",      web("https://evil-fcm.googleapis.com/x"),                  "/token"],
    ["an address",                        web("https://127.0.0.1/x"),                                "/token"],
    ["an address in one number",          web("https://2130706433/x"),                               "/token"],
    ["an address of IPv6",                web("https://[::1]/x"),                                    "/token"],
    ["a user name",                       web("https://fcm.googleapis.com@elsewhere.example/x"),     "/token"],
    ["another port",                      web("https://fcm.googleapis.com:8443/x"),                  "/token"],
    ["another port than he named",        web("https://push.example/x"),                             "/token"],
    ["an endpoint that is long",          web(`https://fcm.googleapis.com/${"x".repeat(2_000)}`),    "/token"],
    ["no keys",                           { platform: "web", token: endpoint() },                    "/keys"],
    ["half of the keys",                  web(endpoint(), { p256dh }),                               "/keys/auth"],
    ["a point that is compressed",        web(endpoint(), { p256dh: compressed.toString("base64url"), auth }), "/keys"],
    ["a point that is not on the curve",  web(endpoint(), { p256dh: offCurve.toString("base64url"), auth }),   "/keys"],
    ["a secret that is short",            web(endpoint(), { p256dh, auth: "AAAA" }),                 "/keys"],
    ["keys that are no base64url",        web(endpoint(), { p256dh: "a/b+", auth }),                 "/keys"],
    ["keys of a phone",                   { ...ios(apnsToken()), keys: pushKeys() },                 "/keys"],
    ["a name that is long",               { ...ios(apnsToken()), name: "n".repeat(101) },            "/name"],
    ["a name that shows nothing",         { ...ios(apnsToken()), name: "\u0007 " },                  "/name"],
    ["a locale that is none",             { ...ios(apnsToken()), locale: "german, please" },         "/locale"],
    ["an unknown priority",               { ...ios(apnsToken()), min_priority: "loud" },             "/min_priority"],
    ["quiet hours without a zone",        { ...ios(apnsToken()), quiet_hours: { from: "22:00", to: "07:00" } }, "/quiet_hours/timezone"],
    ["quiet hours at 24:00",              quiet({ to: "24:00" }),                                    "/quiet_hours/to"],
    ["quiet hours in words",              quiet({ from: "10pm" }),                                   "/quiet_hours/from"],
    ["quiet hours that never end",        quiet({ to: "22:00" }),                                    "/quiet_hours/to"],
    ["a zone that is none",               quiet({ timezone: "Mars/Base" }),                          "/quiet_hours/timezone"],
    ["a zone that is an offset",          quiet({ timezone: "+02:00" }),                             "/quiet_hours/timezone"],
    ["topics that are no list",           { ...ios(apnsToken()), topics: "all" },                    "/topics"],
    ["a topic without a namespace",       { ...ios(apnsToken()), topics: [{ topic: UNKNOWN }] },     "/topics/0/namespace"],
    ["too many topics at once",           { ...ios(apnsToken()), topics: Array(1_001).fill({ namespace: "h", topic: "x" }) }, "/topics"],
  ];
  test.each(refused)("%s", async (_, body, path) => {
    const text = await (await post(body)).text();
    const { code, errors } = JSON.parse(text) as { code: string; errors: { path: string }[] };
    expect([code, errors.map((error) => error.path)]).toEqual(["validation_failed", [path]]);
    const { token } = body as { token?: string };
    if (typeof token === "string" && token.length > 8) expect(text).not.toContain(token);
  });

  test("a body that is not JSON, and one that is too large", async () => {
    expect(await answer(400, await post("{"))).toMatchObject({ code: "malformed_json" });
    expect(await answer(413, await post({ platform: "ios", token: "a".repeat(70_000) }))).toMatchObject({
      code: "too_large",
    });
    const form = await peal.request("/v1/devices", { method: "POST", body: "token=x", headers: { "content-type": "text/plain" } }); // prettier-ignore
    expect(await answer(415, form)).toMatchObject({ code: "unsupported_media_type" });
  });

  test("any other method", async () => {
    for (const method of ["GET", "PUT", "PATCH", "DELETE"]) {
      const refusal = await peal.request("/v1/devices", { method });
      expect([refusal.status, refusal.headers.get("allow")]).toEqual([405, "POST, OPTIONS"]);
    }
  });
});

test("registrations and tests are limited per address, but not the operator's", async () => {
  await using limited = await inProcess({ env: { PEAL_LIMITS_REGISTER: "1/h:2" } });
  const { id } = await register(limited, { platform: "ios", token: apnsToken() });
  expect((await send(limited, "POST", `/v1/devices/${id}/test`)).status).toBe(202);
  for (const path of ["/v1/devices", `/v1/devices/${id}/test`]) {
    const refused = await send(limited, "POST", path, { platform: "ios", token: apnsToken() });
    expect(refused.headers.get("retry-after")).not.toBeNull();
    expect(await answer(429, refused)).toMatchObject({ code: "rate_limited" });
  }
  expect((await deviceOf(limited, id)).id).toBe(id);
  expect((await limited.local(`/v1/devices/${id}/test`, { method: "POST" })).status).toBe(202);
});

test("browsers of any origin may send requests, and the answers are not cached", async () => {
  const options = await peal.request("/v1/devices", {
    method: "OPTIONS",
    headers: { origin: "https://app.example", "access-control-request-method": "POST" },
  });
  expect([options.status, options.headers.get("access-control-allow-origin")]).toEqual([204, "*"]);
  const made = await post({ platform: "ios", token: apnsToken() });
  expect(made.headers.get("access-control-allow-origin")).toBe("*");
  expect(made.headers.get("cache-control")).toBe("no-store");
});

test("web clients get the key to subscribe with, the same after a restart", async () => {
  await using own = await startPeal();
  const key = async () =>
    (await answer<{ vapid_public_key: string }>(200, await own.request("/v1/webpush"))).vapid_public_key;
  const before = await key();
  const point = Buffer.from(before, "base64url");
  expect([point.length, point[0]]).toEqual([65, 4]);
  await own.kill("SIGKILL");
  await own.start();
  expect(await key()).toBe(before);
});

test("links begin with the address under which the server was asked", async () => {
  const topic = await peal.topic("linked");
  const { id } = await register(peal, { platform: "ios", token: apnsToken() }, [topic]);
  const asked = await peal.request(`/v1/devices/${id}`, { headers: { host: "peal.example" } });
  const { topics } = await answer<TestDevice>(200, asked);
  expect(topics[0]?.url).toBe(`http://peal.example/home/linked/${topic.key}`);
});
