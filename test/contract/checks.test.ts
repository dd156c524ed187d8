/** The settings of checks over HTTP, black-box: making, refusing and changing them (CHECKINS.md §3). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { actOn, alertsOf, checkOf, kindsOf, newCheck, patched, type TestCheck } from "../support/checks.ts";
import { answer, TIME } from "../support/client.ts";
import { startPeal, type Peal } from "../support/server.ts";

let peal: Peal;
beforeAll(async () => (peal = await startPeal()));
afterAll(async () => peal[Symbol.asyncDispose]());

const TOKEN = "[0-9a-hjkmnp-tv-z]{26}";
const NOBODY = "0123456789abcdefghjkmnpqrs";
const DAY = 86_400;

const post = async (body: object) => peal.api("POST", "/v1/home/checks", body);
const patch = async (id: string, body: object, status?: number) => patched(peal, id, body, status);

describe("a new check", () => {
  test("of a name alone: every default, and a ping URL", async () => {
    const made = await answer<TestCheck>(201, await post({ name: "the backup" }));
    expect(made).toEqual({
      id: expect.stringMatching(new RegExp(`^${TOKEN}$`)) as string,
      namespace: "home",
      name: "the backup",
      topic: expect.stringMatching(new RegExp(`^checks-${TOKEN}$`)) as string,
      topic_name: "checks",
      tags: [],
      ...{ grace: 0, early: 0, max_run: 0 },
      ...{ fail_after: 1, recover_after: 1, remind_every: DAY },
      ...{ notify_late: false, notify_success: false, post_only: false, armed: false, resume_by_ping: false },
      paused: false,
      ...{ state: "new", late: false, running: false },
      ping_url: expect.stringMatching(new RegExp(`^${peal.url}/v1/ping/${TOKEN}$`)) as string,
      badge_url: expect.stringMatching(new RegExp(`^${peal.url}/v1/home/badges/${TOKEN}\\.svg$`)) as string,
      pings: 0,
      created_at: expect.stringMatching(TIME) as string,
    });
    expect(new Set([made.id, made.ping_url.slice(-26), made.badge_url.slice(-30, -4)]).size).toBe(3);
    expect(await checkOf(peal, made.id)).toEqual(made);
  });

  test("with everything", async () => {
    const settings = {
      ...{ name: "nas", slug: "nas-backup_1", tags: ["nas", "nightly"] },
      ...{ cron: "30 2 * * *", timezone: "Europe/Berlin" },
      ...{ grace: 7_200, early: 60, max_run: 3_600, fail_after: 2, recover_after: 3 },
      ...{ remind_every: 3_600, remind_max: 5, notify_late: true, notify_success: true },
      ...{ post_only: true, armed: true, level: "warning", priority: "urgent" },
    };
    const until = new Date(Date.now() + 3_600_000).toISOString();
    const made = await answer(201, await post({ ...settings, topic: "nightly", paused: true, muted_until: until }));
    expect(made).toMatchObject({
      ...settings,
      topic_name: "nightly",
      paused: true,
      state: "paused",
      muted_until: until,
    });
  });

  // prettier-ignore
  const durations: [given: string | number, seconds: number][] = [
    [90, 90], ["90s", 90], ["15m", 900], ["26h", 93_600], ["1d", 86_400], ["1h30m", 5_400], ["2 days", 172_800], [10, 10], ["365d", 365 * DAY],
  ];
  test.each(durations)("every %p is %d seconds, and the defaults follow from it", async (given, every) => {
    const quarter = every / 4;
    expect(await newCheck(peal, { every: given })).toMatchObject({
      every,
      grace: Math.min(Math.max(quarter, 60), 3_600),
      early: Math.round(Math.min(quarter, 120)),
      max_run: Math.min(Math.max(quarter, 60), 3_600),
    });
  });

  test("with a cron schedule that names no zone has the server's", async () => {
    expect(await newCheck(peal, { cron: "@daily" })).toMatchObject({
      cron: "@daily",
      timezone: process.env["TZ"] ?? "UTC",
    });
    await using berlin = await startPeal({ env: { TZ: "Europe/Berlin" } });
    expect(await newCheck(berlin, { cron: " 5 4 * * sun " })).toMatchObject({
      cron: "5 4 * * sun",
      timezone: "Europe/Berlin",
    });
  });

  test("that is armed waits for its first slot", async () => {
    const before = Date.now();
    const { next_slot_at, deadline_at } = await newCheck(peal, { every: "1h", grace: "10m", armed: true });
    const slot = Date.parse(String(next_slot_at));
    expect(slot - before).toBeWithin(3_599_000, 3_660_000);
    expect(Date.parse(String(deadline_at)) - slot).toBe(600_000);
  });

  test("alerts to a topic by its key, and not by an unknown key", async () => {
    const { key } = await peal.topic("by-key");
    expect(await newCheck(peal, { topic: key })).toMatchObject({ topic: key, topic_name: "by-key" });
    expect(await answer(404, await post({ name: "n", topic: `x-${NOBODY}` }))).toMatchObject({ code: "unknown_topic" });
  });
});

// prettier-ignore
const refused: [body: object, ...paths: string[]][] = [
  [{ name: "" },                                      "/name"],
  [{ name: "\u0007" },                                "/name"],
  [{ name: "x".repeat(101) },                         "/name"],
  [{ name: 1 },                                       "/name"],
  [{ slug: "" },                                      "/slug"],
  [{ slug: "Upper" },                                 "/slug"],
  [{ slug: "-a" },                                    "/slug"],
  [{ slug: "a".repeat(65) },                          "/slug"],
  [{ slug: "start" },                                 "/slug"],
  [{ slug: "fail" },                                  "/slug"],
  [{ slug: "log" },                                   "/slug"],
  [{ slug: "007" },                                   "/slug"],
  [{ topic: "a b" },                                  "/topic"],
  [{ topic: ".a" },                                   "/topic"],
  [{ topic: `${"x".repeat(33)}-${NOBODY}` },          "/topic"],
  [{ topic: null },                                   "/topic"],
  [{ tags: ["x".repeat(33)] },                        "/tags/0"],
  [{ tags: Array(17).fill("x") },                     "/tags"],
  [{ every: 9 },                                      "/every"],
  [{ every: 365 * DAY + 1 },                          "/every"],
  [{ every: "366d" },                                 "/every"],
  [{ every: 10.5 },                                   "/every"],
  [{ every: "90" },                                   "/every"],
  [{ every: "soon" },                                 "/every"],
  [{ every: true },                                   "/every"],
  [{ every: 60, cron: "@daily" },                     "/cron"],
  [{ every: 60, timezone: "Europe/Berlin" },          "/timezone"],
  [{ timezone: "Europe/Berlin" },                     "/timezone"],
  [{ cron: "@daily", timezone: "Mars/Olympus" },      "/timezone"],
  [{ cron: "@daily", timezone: "+02:00" },            "/timezone"],
  [{ cron: "" },                                      "/cron"],
  [{ cron: "* * * *" },                               "/cron"],
  [{ cron: "60 * * * *" },                            "/cron"],
  [{ cron: "0 0 30 2 *" },                            "/cron"],
  [{ cron: `0 ${"0,".repeat(50)}0 * * *` },           "/cron"],
  [{ grace: -1 },                                     "/grace"],
  [{ grace: "366d" },                                 "/grace"],
  [{ early: -1 },                                     "/early"],
  [{ max_run: "long" },                               "/max_run"],
  [{ fail_after: 0 },                                 "/fail_after"],
  [{ fail_after: 1.5 },                               "/fail_after"],
  [{ recover_after: 101 },                            "/recover_after"],
  [{ remind_every: 59 },                              "/remind_every"],
  [{ remind_every: -1 },                              "/remind_every"],
  [{ remind_max: -1 },                                "/remind_max"],
  [{ notify_late: "yes" },                            "/notify_late"],
  [{ post_only: 1 },                                  "/post_only"],
  [{ level: "loud" },                                 "/level"],
  [{ priority: 5 },                                   "/priority"],
  [{ paused: "no" },                                  "/paused"],
  [{ muted_until: "tomorrow" },                       "/muted_until"],
  [{ every: 9, grace: -1, slug: "log", topic: "a b", muted_until: "x" }, "/every", "/grace", "/muted_until", "/slug", "/topic"],
];
test.each(refused)("%j is refused, by POST and by PATCH", async (body, ...paths) => {
  const { id } = await newCheck(peal);
  const before = await checkOf(peal, id);
  const given = { name: "n", ...body };
  for (const response of [await post(given), await peal.api("PATCH", `/v1/home/checks/${id}`, given)]) {
    const problem = await answer<{ code: string; errors: { path: string; message: string }[] }>(422, response);
    expect([problem.code, problem.errors.map(({ path }) => path).sort()]).toEqual(["validation_failed", paths]);
    expect(problem.errors.every(({ message }) => message !== "")).toBe(true);
  }
  expect(await checkOf(peal, id)).toEqual(before);
});

test.each([
  [{ slug: "Upper" }, "must be a string that matches ^[a-z0-9][a-z0-9_-]{0,63}$"],
  [{ level: "loud" }, "must be one of info, success, warning, error"],
  [{ remind_max: 10_001 }, "must be an integer from 0 to 10000"],
])("a value that may also be null is refused with what is wrong with it: %j", async (body, message) => {
  expect(await answer(422, await post({ name: "n", ...body }))).toMatchObject({ errors: [{ message }] });
});

test("a check without a name and a slug is refused", async () => {
  expect(await answer(422, await post({}))).toMatchObject({ errors: [{ path: "/name" }] });
  expect(await answer(201, await post({ slug: "nameless" }))).toMatchObject({ name: "nameless" });
});

test("a body that is not JSON", async () => {
  const { id } = await newCheck(peal);
  for (const [method, path] of [
    ["POST", "/v1/home/checks"],
    ["PATCH", `/v1/home/checks/${id}`],
    ["POST", `/v1/home/checks/${id}/snooze`],
    ["POST", `/v1/home/checks/${id}/rotate`],
  ] as const) {
    const json = { "content-type": "application/json" };
    expect(await answer(400, await peal.api(method, path, "{", json))).toMatchObject({ code: "malformed_json" });
    expect(await answer(415, await peal.api(method, path, "a=b", { "content-type": "text/plain" }))).toMatchObject({
      code: "unsupported_media_type",
    });
  }
});

describe("a slug that exists", () => {
  test("changes its check, and keeps what the request does not mention", async () => {
    const made = await newCheck(peal, { slug: "upserted", name: "one", every: "1h", tags: ["a"], paused: true });
    const now = await answer<TestCheck>(200, await post({ slug: "upserted", every: "2h" }));
    expect(now).toMatchObject({
      id: made.id,
      ping_url: made.ping_url,
      name: "one",
      every: 7_200,
      tags: ["a"],
      paused: true,
    });
    expect(await answer<object>(200, await post({ slug: "upserted", cron: "@daily" }))).not.toHaveProperty("every");
    const { errors } = await answer<{ errors: { path: string }[] }>(422, await post({ slug: "upserted", every: 1 }));
    expect(errors.map(({ path }) => path)).toEqual(["/every"]);
    expect(await kindsOf(peal, made.id)).toEqual(["paused", "edited", "edited"]);
  });

  test("of two simultaneous requests one makes it", async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, async (_, n) => post({ slug: "raced", tags: [`${n}`] })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(9).fill(200), 201]);
    const ids = await Promise.all(answers.map(async (each) => ((await each.json()) as TestCheck).id));
    expect(new Set(ids).size).toBe(1);
  });

  test("cannot belong to another check, and is free again once it is removed", async () => {
    const { id } = await newCheck(peal, { slug: "taken" });
    const other = await newCheck(peal, { name: "other" });
    expect(await patch(other.id, { slug: "taken" }, 409)).toMatchObject({ code: "check_exists" });
    expect(await patch(id, { slug: "taken" })).toMatchObject({ slug: "taken" });
    expect(await patch(id, { slug: null })).not.toHaveProperty("slug");
    expect(await patch(other.id, { slug: "taken" })).toMatchObject({ slug: "taken", name: "other" });
  });
});

describe("a change", () => {
  test("sets what it contains, and removes what is null", async () => {
    const { id } = await newCheck(peal, {
      every: "1h",
      grace: 5,
      early: 5,
      max_run: 5,
      remind_max: 3,
      level: "info",
      priority: "low",
    });
    expect(await patch(id, { name: "renamed", tags: ["new"], fail_after: 3 })).toMatchObject({
      ...{ name: "renamed", tags: ["new"], fail_after: 3, every: 3_600, grace: 5, remind_max: 3 },
    });
    const freed = await patch(id, {
      grace: null,
      early: null,
      max_run: null,
      remind_max: null,
      level: null,
      priority: null,
    });
    expect(freed).toMatchObject({ grace: 900, early: 120, max_run: 900 });
    for (const field of ["remind_max", "level", "priority"]) expect(freed).not.toHaveProperty(field);
    expect(await patch(id, {})).toEqual(freed);
    expect(await patch(id, { unknown: 1 })).toEqual(freed);
  });

  // prettier-ignore
  const schedules: [from: object, patch: object, to: object, not: string[]][] = [
    [{ every: "1h" },                                   { cron: "@daily" },              { cron: "@daily", timezone: "UTC" },              ["every"]],
    [{ every: "1h" },                                   { every: null },                 { grace: 0 },                                     ["every", "cron"]],
    [{ every: "1h" },                                   { cron: null },                  { every: 3_600 },                                 ["cron"]],
    [{ cron: "@daily", timezone: "Europe/Berlin" },     { every: 60 },                   { every: 60 },                                    ["cron", "timezone"]],
    [{ cron: "@daily", timezone: "Europe/Berlin" },     { cron: "@hourly" },             { cron: "@hourly", timezone: "Europe/Berlin" },   ["every"]],
    [{ cron: "@daily", timezone: "Europe/Berlin" },     { timezone: "Asia/Kolkata" },    { cron: "@daily", timezone: "Asia/Kolkata" },     ["every"]],
    [{ cron: "@daily", timezone: "Europe/Berlin" },     { timezone: null },              { cron: "@daily", timezone: "UTC" },              ["every"]],
    [{ cron: "@daily", timezone: "Europe/Berlin" },     { cron: null },                  { grace: 0 },                                     ["every", "cron", "timezone"]],
    [{ cron: "@daily", timezone: "Europe/Berlin" },     { every: null },                 { cron: "@daily" },                               ["every"]],
  ];
  let utc: Peal;
  beforeAll(async () => (utc = await startPeal({ env: { TZ: "UTC" } })));
  afterAll(async () => utc[Symbol.asyncDispose]());
  test.each(schedules)("of %j by %j", async (from, change, to, not) => {
    const { id } = await newCheck(utc, from);
    const changed = await answer<object>(200, await utc.api("PATCH", `/v1/home/checks/${id}`, change));
    expect(changed).toMatchObject(to);
    for (const field of not) expect(changed).not.toHaveProperty(field);
  });

  test("of the topic sends its alerts there, and a topic that checks use stays", async () => {
    const check = await newCheck(peal, { topic: "first-topic" });
    const { topic: first } = check;
    expect(await answer(409, await peal.api("DELETE", `/v1/home/${first}`))).toMatchObject({ code: "topic_in_use" });
    const moved = await patch(check.id, { topic: "second-topic" });
    expect(moved).toMatchObject({ topic_name: "second-topic" });
    await actOn(peal, check.id, "test");
    expect(await alertsOf(peal, moved)).toHaveLength(1);
    expect((await peal.api("DELETE", `/v1/home/${first}`)).status).toBe(204);
    expect(await patch(check.id, { topic: first }, 404)).toMatchObject({ code: "unknown_topic" });
    expect((await peal.api("DELETE", `/v1/home/checks/${check.id}`)).status).toBe(204);
    expect((await peal.api("DELETE", `/v1/home/${moved.topic}`)).status).toBe(204);
  });

  test("strips from a name what moves a cursor", async () => {
    const { id } = await newCheck(peal, { name: "a\u0007b\nc", tags: ["d\ne"] });
    expect(await checkOf(peal, id)).toMatchObject({ name: "ab c", tags: ["d e"] });
  });
});
