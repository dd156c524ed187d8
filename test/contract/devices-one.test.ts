/** A single device, black-box (API.md §5): anyone who knows its id can read, change and remove it, and set its subscriptions. */
import { afterAll, describe, expect, test } from "bun:test";
import { answer, TIME } from "../support/client.ts";
import { apnsToken, deviceOf, endpoint, fcmToken, iphone, pushKeys, register, send, type TestDevice, UNKNOWN_DEVICE } from "../support/devices.ts"; // prettier-ignore
import { eventually } from "../support/eventually.ts";
import { startPeal } from "../support/server.ts";

const peal = await startPeal();
afterAll(async () => peal[Symbol.asyncDispose]());

const one = (id: string) => `/v1/devices/${id}`;
const patch = async (id: string, body: object, status = 200) =>
  answer<TestDevice>(status, await send(peal, "PATCH", one(id), body));
/** The record without some of its fields. */
const without = <T extends object>(record: T, ...fields: string[]): T =>
  Object.fromEntries(Object.entries(record).filter(([field]) => !fields.includes(field))) as T;
const time = expect.stringMatching(TIME) as unknown;
const topic = await peal.topic("heard");
const ref = { namespace: "home", topic: topic.key };

describe("a device", () => {
  test("is changed field by field; null removes a value", async () => {
    const quiet_hours = { from: "23:30", to: "06:00", timezone: "Asia/Kolkata" };
    const before = await iphone(peal, [topic], { name: "old", min_priority: "high" });
    const changed = await patch(before.id, { name: "new", quiet_hours, locale: "en" });
    expect(changed).toEqual({ ...before, name: "new", quiet_hours, locale: "en" });
    const freed = without(changed, "locale", "min_priority");
    expect(await patch(before.id, { locale: null, min_priority: null })).toEqual(freed);
    expect(await patch(before.id, {})).toEqual(freed);
    expect(await deviceOf(peal, before.id)).toEqual(freed);
  });

  test("gets another token: registering with that token finds the same device", async () => {
    const device = await iphone(peal, [topic]);
    const token = apnsToken();
    expect(await patch(device.id, { token: token.toUpperCase() })).toEqual(device);
    const again = await answer<TestDevice>(200, await send(peal, "POST", "/v1/devices", { platform: "ios", token }));
    expect(again).toEqual(device);
  });

  test("cannot get a token that another device has", async () => {
    const [token, body] = [apnsToken(), { platform: "ios" }];
    const [taken, { id }] = [await register(peal, { ...body, token }), await iphone(peal)];
    expect(await patch(id, { token, name: "thief" }, 409)).toMatchObject({ code: "token_taken" });
    expect(await deviceOf(peal, id)).not.toHaveProperty("name");
    expect(await patch(taken.id, { token })).toMatchObject({ id: taken.id });
  });

  test("is deleted with its subscriptions", async () => {
    const token = fcmToken();
    const { id } = await register(peal, { platform: "android", token }, [topic]);
    expect((await send(peal, "DELETE", one(id))).status).toBe(204);
    for (const method of ["GET", "DELETE"])
      expect(await answer(404, await send(peal, method, one(id)))).toMatchObject({ code: "unknown_device" });
    const anew = await register(peal, { platform: "android", token });
    expect(anew.id).not.toBe(id);
    expect(anew.topics).toEqual([]);
  });
});

describe("a change is refused", () => {
  // prettier-ignore
  const refused: [what: string, platform: string, body: object, path: string][] = [
    ["with a token of another form",   "ios",     { token: fcmToken() },                        "/token"],
    ["without keys of a new endpoint", "web",     { token: endpoint() },                        "/keys"],
    ["with keys of no endpoint",       "web",     { keys: pushKeys() },                         "/keys"],
    ["with keys of a phone",           "android", { token: fcmToken(), keys: pushKeys() },      "/keys"],
    ["to an endpoint of nobody's",     "web",     { token: "https://elsewhere.example/x", keys: pushKeys() }, "/token"],
    ["without a name",                 "ios",     { name: "" },                                 "/name"],
    ["to hours of another form",       "ios",     { quiet_hours: { from: "1:00", to: "02:00", timezone: "UTC" } }, "/quiet_hours/from"],
    ["to no token at all",             "ios",     { token: null },                              "/token"],
  ];
  test.each(refused)("%s", async (_, platform, body, path) => {
    const token = { ios: apnsToken(), android: fcmToken(), web: endpoint() }[platform] ?? "";
    const made = await register(peal, { platform, token, ...(platform === "web" && { keys: pushKeys() }) });
    const problem = (await patch(made.id, body, 422)) as unknown as { errors: { path: string }[] };
    expect(problem.errors.map((error) => error.path)).toEqual([path]);
    expect(await deviceOf(peal, made.id)).toEqual(made);
  });
});

describe("a subscription", () => {
  const subscribe = async (id: string, body: object) => send(peal, "POST", `${one(id)}/subscriptions`, body);
  const at = (id: string, key = topic.key, ns = "home") => `${one(id)}/subscriptions/${ns}/${key}`;

  test("is made once, listed, and removed, even when it does not exist", async () => {
    const { id } = await iphone(peal);
    const made = await answer<object>(201, await subscribe(id, ref));
    expect(made).toEqual({ ...ref, name: topic.name, url: topic.url, subscribed_at: time });
    expect(await answer<object>(200, await subscribe(id, ref))).toEqual(made);
    expect((await deviceOf(peal, id)).topics as object[]).toEqual([made]);
    for (let times = 0; times < 2; times++) expect((await send(peal, "DELETE", at(id))).status).toBe(204);
    expect((await deviceOf(peal, id)).topics).toEqual([]);
  });

  test("can be muted for a while, and has its own lowest priority", async () => {
    const { id } = await iphone(peal, [topic], { min_priority: "low" });
    const set = { muted_until: "2099-01-31T08:00:00.000Z", min_priority: "urgent" };
    const muted = await answer<object>(200, await send(peal, "PATCH", at(id), set));
    expect(muted).toEqual({ ...ref, name: topic.name, url: topic.url, subscribed_at: time, ...set });
    expect((await deviceOf(peal, id)).topics as object[]).toEqual([muted]);
    const unmuted = await answer<object>(200, await send(peal, "PATCH", at(id), { muted_until: null }));
    expect(unmuted).toEqual(without(muted, "muted_until"));
  });

  test("is refused", async () => {
    const { id } = await iphone(peal, [topic]);
    const other = await peal.topic("unheard");
    // prettier-ignore
    const refused: [method: string, path: string, body: object | undefined, status: number, code: string][] = [
      ["POST",   `${one(id)}/subscriptions`, { namespace: "home", topic: UNKNOWN_DEVICE },     404, "unknown_topic"],
      ["POST",   `${one(id)}/subscriptions`, { namespace: "nowhere", topic: topic.key },       404, "unknown_topic"],
      ["POST",   `${one(id)}/subscriptions`, { namespace: "home" },                            422, "validation_failed"],
      ["POST",   `${one(UNKNOWN_DEVICE)}/subscriptions`, ref,                                  404, "unknown_device"],
      ["PATCH",  at(id),                     { muted_until: "tomorrow" },                      422, "validation_failed"],
      ["PATCH",  at(id),                     { min_priority: "loud" },                         422, "validation_failed"],
      ["PATCH",  at(id, other.key),          { muted_until: null },                            404, "unknown_subscription"],
      ["PATCH",  at(id, topic.key, "media"), { muted_until: null },                            404, "unknown_subscription"],
      ["PATCH",  at(UNKNOWN_DEVICE),         { muted_until: null },                            404, "unknown_device"],
      ["DELETE", at(UNKNOWN_DEVICE),         undefined,                                        404, "unknown_device"],
    ];
    for (const [method, path, body, status, code] of refused)
      expect([path, await answer(status, await send(peal, method, path, body))]).toMatchObject([path, { code }]);
  });

  test("ends with its topic, and follows a rename", async () => {
    const moved = await peal.topic("before");
    const { id } = await iphone(peal, [moved]);
    await answer(200, await peal.api("PATCH", `/v1/home/${moved.key}`, { name: "after" }));
    expect((await deviceOf(peal, id)).topics).toMatchObject([{ name: "after" }]);
    expect((await peal.api("DELETE", `/v1/home/${moved.key}`)).status).toBe(204);
    expect((await deviceOf(peal, id)).topics).toEqual([]);
  });
});

describe("a test", () => {
  test("waits where its platform is not configured, and says so", async () => {
    const { id } = await iphone(peal);
    const last_test = { at: time, state: "pending", waits_for: "paused: not configured" };
    expect(await answer<TestDevice>(202, await send(peal, "POST", `${one(id)}/test`))).toMatchObject({ last_test });
    expect(await deviceOf(peal, id)).toMatchObject({ last_test });
  });

  test("for an unknown device is refused", async () => {
    const refused = await send(peal, "POST", `${one(UNKNOWN_DEVICE)}/test`);
    expect(await answer(404, refused)).toMatchObject({ code: "unknown_device" });
  });
});

// prettier-ignore
const PATHS: [path: string, methods: string][] = [
  ["",                          "GET, HEAD, PATCH, DELETE, OPTIONS"],
  ["/test",                     "POST, OPTIONS"],
  ["/shown",                    "POST, OPTIONS"],
  ["/subscriptions",            "POST, OPTIONS"],
  ["/subscriptions/home/x",     "PATCH, DELETE, OPTIONS"],
];
test.each(PATHS)("of %s no other method is accepted, and a GET does nothing", async (path, allowed) => {
  const { id } = await iphone(peal, [topic]);
  for (const method of ["GET", "PUT", "POST", "PATCH", "DELETE"].filter((each) => !allowed.includes(each))) {
    const refused = await send(peal, method, one(id) + path);
    expect([method, refused.status, refused.headers.get("allow")]).toEqual([method, 405, allowed]);
  }
  expect(await deviceOf(peal, id)).not.toHaveProperty("last_test");
});

test("an id of any form is simply unknown", async () => {
  for (const id of ["x", "topics", "%E0", "..%20", "a".repeat(5_000), UNKNOWN_DEVICE.toUpperCase()])
    expect(await answer(404, await send(peal, "GET", one(id)))).toMatchObject({ code: "unknown_device" });
});

test("receipts are kept only where the operator asked for them", async () => {
  const { id } = await iphone(peal, [topic]);
  const sent = await peal.publish(topic, { message: "m" });
  expect(await answer(404, await send(peal, "POST", `${one(id)}/shown`, { ...ref, id: sent?.id }))).toMatchObject({
    code: "not_found",
  });
});

test("everything survives a restart", async () => {
  await using own = await startPeal();
  const heard = await own.topic("heard");
  const { id } = await iphone(own, [heard], { name: "phone" });
  const before = await eventually("the device", async () => deviceOf(own, id));
  await own.kill("SIGKILL");
  await own.start();
  expect(await deviceOf(own, id)).toEqual(before);
});
