/** Healthchecks' API as its own tests have it (hc/api/tests of https://github.com/healthchecks/healthchecks; CHECKINS.md §10). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { alertsOf, checkOf, eventsOf, newCheck, ping } from "../../support/checks.ts";
import { answer } from "../../support/client.ts";
import { heldClock, type HeldClock } from "../../support/clock.ts";
import { eventually } from "../../support/eventually.ts";
import { inProcess, type InProcess } from "../../support/server.ts";
import { type Answered, asker, CheckDict, decoded, ReadOnlyDict } from "./asking.ts";

let clock: HeldClock;
let peal: InProcess;
let full: string;
let read: string;
beforeAll(async () => {
  clock = heldClock();
  peal = await inProcess({ clock });
  full = (await peal.mint("full")).key;
  read = (await peal.mint("read")).key;
});
afterAll(async () => peal[Symbol.asyncDispose]());

const ask = async (method: string, path: string, body?: object | string, version = "v3") =>
  asker(peal, full, version)(method, path, body);
/** Makes a check by Healthchecks' API. */
const made = async (body: object, version = "v3"): Promise<Answered & { uuid: string; ping_url: string }> => {
  const [status, check] = await ask("POST", "/checks/", body, version);
  expect([status, check]).toEqual([201, check]);
  return check as Answered & { uuid: string; ping_url: string };
};
const one = async (uuid: string, version = "v3") => (await ask("GET", `/checks/${uuid}`, undefined, version))[1];

describe("a check", () => {
  test("has all fields of Healthchecks and no other, with times and URLs in its form", async () => {
    const check = decoded(
      CheckDict,
      await made({ name: "Alice 1", slug: "alice-1", tags: "a1 more", desc: "text", timeout: 3600, grace: 900 }),
    );
    expect(Object.keys(check)).toHaveLength(29);
    expect(check).toMatchObject({
      ...{ name: "Alice 1", slug: "alice-1", tags: "a1 more", desc: "text", timeout: 3600, grace: 900 },
      ...{ status: "new", started: false, last_ping: null, next_ping: null, n_pings: 0, manual_resume: false },
      update_url: `${peal.url}/api/v3/checks/${check.uuid}`,
      pause_url: `${peal.url}/api/v3/checks/${check.uuid}/pause`,
      resume_url: `${peal.url}/api/v3/checks/${check.uuid}/resume`,
    });
    expect(await ping(peal, check.ping_url)).toEqual([200, "ok"]);
    const now = new Date(clock.now()).toISOString().slice(0, 19);
    expect(decoded(CheckDict, await one(check.uuid))).toMatchObject({
      ...{ status: "up", n_pings: 1, last_ping: `${now}+00:00` },
      next_ping: `${new Date(clock.now() + 3_600_000).toISOString().slice(0, 19)}+00:00`,
    });
  });

  test("is new, up, in grace, down and paused in turn", async () => {
    const { uuid, ping_url } = await made({ name: "turns", timeout: 60, grace: 60 });
    const status = async (version = "v3") => (await one(uuid, version)).status;
    expect(await status()).toBe("new");
    await ping(peal, ping_url);
    expect(await status()).toBe("up");
    clock.advance(61_000);
    expect(await status()).toBe("grace");
    clock.advance(90_000);
    await eventually("an alert", async () => (await status()) === "down");
    expect(await one(uuid)).toMatchObject({ next_ping: null });
    expect(await ask("POST", `/checks/${uuid}/pause`)).toMatchObject([200, { status: "paused" }]);
  });

  test("that runs is `started` in version 1, and says so separately in the later ones", async () => {
    const { uuid, ping_url } = await made({ name: "runs", timeout: 3600 });
    await ping(peal, `${ping_url}/start`);
    expect(await one(uuid, "v1")).toMatchObject({ status: "started", started: true });
    expect(await one(uuid, "v2")).toMatchObject({ status: "new", started: true });
    clock.advance(4_500);
    await ping(peal, ping_url);
    expect(await one(uuid, "v1")).toMatchObject({ status: "up", started: false, last_duration: 4 });
  });

  test("shows as its last ping a failure too, but no start", async () => {
    const { uuid, ping_url } = await made({ name: "failing", timeout: 3600 });
    await ping(peal, `${ping_url}/fail`);
    const failed = (await one(uuid))["last_ping"];
    expect(failed).toBe(`${new Date(clock.now()).toISOString().slice(0, 19)}+00:00`);
    clock.advance(5_000);
    await ping(peal, `${ping_url}/start`);
    expect((await one(uuid))["last_ping"]).toBe(failed);
  });

  test("with a cron schedule has it and its zone instead of a timeout", async () => {
    const check = decoded(CheckDict, await made({ name: "cron", schedule: "5 * * * *", tz: "Europe/Riga", grace: 60 }));
    expect(check).toMatchObject({ schedule: "5 * * * *", tz: "Europe/Riga", grace: 60 });
    expect(check).not.toHaveProperty("timeout");
    expect(await made({ name: "utc", schedule: "5 * * * *" })).toMatchObject({ tz: "UTC" });
  });

  test("is found by its UUID, its id in peal, its unique key and, to change it, by the end of its ping URL", async () => {
    const check = await newCheck(peal, { name: "names", every: 60 });
    const { checks = [] } = (await ask("GET", "/checks/"))[1];
    const { uuid = "" } = checks.find(({ name }) => name === "names") ?? {};
    const [, ofReader] = await asker(peal, read)("GET", `/checks/${uuid}`);
    const token = check.ping_url.split("/").at(-1) ?? "";
    for (const name of [uuid, check.id, String(ofReader.unique_key), token])
      expect(await ask("GET", `/checks/${name}`)).toMatchObject([200, { uuid }]);
    expect((await asker(peal, read)("GET", `/checks/${token}`))[0]).toBe(404);
    expect(await ask("POST", `/checks/${token}`, { timeout: 120 })).toMatchObject([200, { uuid, timeout: 120 }]);
    for (const name of ["not-an-uuid", "07c2f548-9850-4b27-af5d-6c9dc157ec02", uuid.replace(/.$/, "x"), "X".repeat(40)])
      expect((await ask("GET", `/checks/${name}`))[0]).toBe(404);
  });
});

describe("a list", () => {
  test("is filtered by tags, all of which a check must have, and by slug", async () => {
    await made({ name: "Bob 1", slug: "bob-1", tags: "b-tag b-additional" });
    await made({ name: "Bob 2", tags: "b-tag" });
    const names = async (query: string) =>
      ((await ask("GET", `/checks/${query}`))[1].checks ?? []).map(({ name }) => name);
    expect(await names("?tag=b-tag")).toEqual(["Bob 1", "Bob 2"]);
    expect(await names("?tag=b-tag&tag=b-additional")).toEqual(["Bob 1"]);
    expect(await names("?tag=tag")).toEqual([]);
    expect(await names("?slug=bob-1")).toEqual(["Bob 1"]);
    expect(await names("?slug=bob-1&tag=other")).toEqual([]);
    expect((await names("")).length).toBeGreaterThan(2);
  });

  test("has every check of a large namespace, each once", async () => {
    await using large = await inProcess();
    const { key } = await large.mint("full");
    const wanted = Array.from({ length: 230 }, (_, n) => `check ${n}`);
    for (const name of wanted) await newCheck(large, { name, every: 60, tags: [`t${name.length}`] });
    const [, { checks = [] }] = await asker(large, key)("GET", "/checks/");
    expect(checks.map(({ name }) => String(name)).toSorted()).toEqual(wanted.toSorted());
    for (const check of checks) decoded(CheckDict, check);
    const [, { checks: some = [] }] = await asker(large, key)("GET", "/checks/?tag=t9");
    expect(some).toHaveLength(wanted.filter((name) => name.length === 9).length);
  });
});

describe("what Healthchecks refuses is refused in its words:", () => {
  // prettier-ignore
  const rows: [body: object, error: string][] = [
    ...["channels", "timeout", "grace", "name", "schedule", "subject", "subject_fail", "unique"]
      .map((field): [object, string] => [{ [field]: null }, `${field} is not a`]),
    [{ channels: 123 },                          "channels is not a string"],
    [{ channels: "abc" },                        "invalid channel identifier: abc"],
    [{ channels: "," },                          "empty channel identifier"],
    [{ timeout: 0 },                             "timeout is too small"],
    [{ timeout: 31_536_001 },                    "timeout is too large"],
    [{ timeout: "oops" },                        "timeout is not a number"],
    [{ grace: 59 },                              "grace is too small"],
    [{ name: false },                            "name is not a string"],
    [{ name: "01234567890".repeat(20) },         "name is too long"],
    [{ unique: ["status"] },                     "an item in 'unique' has unexpected value"],
    [{ unique: "not a list" },                   "unique is not an array"],
    [{ schedule: "bad-expression * * * *" },     "schedule is not a valid cron or OnCalendar expression"],
    [{ schedule: "0 0 31 2 *" },                 "schedule is not a valid cron or OnCalendar expression"],
    [{ schedule: `0 ${"0,".repeat(60)}0 * * *` }, "schedule is too long"],
    [{ schedule: "0 0 * * *", tz: "not-a-timezone" }, "tz is not a valid timezone"],
    [{ methods: "bad-value" },                   "methods has unexpected value"],
    [{ manual_resume: 0 },                       "manual_resume is not a boolean"],
    [{ slug: "Uppercase" },                      "slug does not match pattern"],
    [{ slug: "a".repeat(101) },                  "slug is too long"],
    // and what only peal refuses
    [{ schedule: "Mon..Fri 12:34" },             "OnCalendar"],
    [{ filter_http_body: true, failure_kw: "E" }, "/fail"],
    [{ slug: "start" },                          "slug is not possible here"],
    [{ tags: "x".repeat(33) },                   "tags"],
  ];
  test.each(rows)("%j", async (body, error) => {
    const before = (await ask("GET", "/checks/"))[1].checks?.length;
    const [status, answered] = await ask("POST", "/checks/", body);
    expect([status, Object.keys(answered)]).toEqual([400, ["error"]]);
    expect(answered.error).toContain(error);
    expect((await ask("GET", "/checks/"))[1].checks).toHaveLength(before ?? -1);
  });

  test("JSON that is none, or no object", async () => {
    expect(await ask("POST", "/checks/", "surprise")).toEqual([400, { error: "could not parse request body" }]);
    expect(await ask("POST", "/checks/", "[1,2,3]")).toEqual([
      400,
      { error: "json validation error: value is not an object" },
    ]);
  });

  test("a request without a key, and with a wrong one; a key in the body is one", async () => {
    for (const [path, method] of [
      ["/checks/", "GET"],
      ["/checks/", "POST"],
      ["/badges/", "GET"],
    ] as const) {
      const without = await peal.request(`/api/v3${path}`, { method });
      expect(await answer<object>(401, without)).toEqual({ error: "missing api key" });
      const wrong = await peal.request(`/api/v3${path}`, { method, headers: { "x-api-key": "X".repeat(32) } });
      expect(await answer<object>(401, wrong)).toEqual({ error: "wrong api key" });
    }
    const post = async (body: object) =>
      (await peal.request("/api/v1/checks/", { method: "POST", body: JSON.stringify(body) })).status;
    expect(await post({ api_key: full, name: "by body" })).toBe(201);
    expect(await post({ api_key: "Y".repeat(32), name: "by body" })).toBe(401);
    expect(await post({ name: "by body" })).toBe(401);
  });

  test("a check of another namespace, with 403 and without a word of it", async () => {
    await peal.local("/-/local/namespaces", { method: "POST", body: '{"name":"quokka"}' });
    const minted = await peal.local("/v1/keys?namespace=quokka", { method: "POST", body: '{"scope":"full"}' });
    const { key } = await answer<{ key: string }>(201, minted);
    const { uuid } = await made({ name: "mine" });
    for (const [method, path] of [
      ["GET", ""],
      ["POST", ""],
      ["DELETE", ""],
      ["POST", "/pause"],
      ["GET", "/pings/"],
    ] as const) {
      const [status, { error = "" }] = await asker(peal, key)(method, `/checks/${uuid}${path}`);
      expect([method, path, status]).toEqual([method, path, 403]);
      expect(error).not.toContain("home");
    }
  });
});

describe("what has no counterpart is done as far as it can be, and told:", () => {
  const paths = (check: Answered) => check.ignored?.map(({ path }) => path);

  test("words for mails and bodies", async () => {
    const check = await made({ name: "words", subject: "OK", failure_kw: "ERROR", filter_subject: true });
    expect(paths(check)).toEqual(["/filter_subject", "/subject", "/failure_kw"]);
    expect(decoded(CheckDict, await one(check.uuid))).toMatchObject({ subject: "", filter_subject: false });
  });

  test("no channel: alerts go to the topic all the same", async () => {
    const check = await made({ name: "no channel", channels: "" });
    expect(paths(check)).toEqual(["/channels"]);
    expect(await made({ name: "all channels", channels: "*" })).not.toHaveProperty("ignored");
  });

  test("a time zone without a schedule", async () => {
    expect(paths(await made({ name: "zone", timeout: 60, tz: "Europe/Riga" }))).toEqual(["/tz"]);
  });

  test("a slug of a name that another check has, in versions 1 and 2", async () => {
    expect(await made({ name: "Same Name" }, "v1")).toMatchObject({ slug: "same-name" });
    const second = await made({ name: "Same  name!" }, "v2");
    expect([second["slug"], paths(second)]).toEqual(["", ["/slug"]]);
    expect((await ask("POST", "/checks/", { name: "x", slug: "same-name" }))[0]).toBe(409);
    expect(await made({ name: "No slug of its own" })).toMatchObject({ slug: "" });
  });
});

describe("channels", () => {
  test("are topics, by name or id; one of them takes the alerts of a check", async () => {
    await peal.topic("ops");
    const [, { channels }] = await ask("GET", "/channels/");
    const found = channels as { id: string; name: string; kind: string }[];
    const { id = "" } = found.find(({ name }) => name === "ops") ?? {};
    const { uuid, channels: own } = await made({ name: "by name", channels: "ops" });
    expect(own).toBe(id);
    const other = await made({ name: "by id" });
    expect(await ask("POST", `/checks/${other.uuid}`, { channels: id })).toMatchObject([200, { channels: id }]);
    expect(await ask("POST", `/checks/${uuid}`, { channels: "checks" })).toMatchObject([
      200,
      { channels: found.find(({ name }) => name === "checks")?.id },
    ]);
    expect(await ask("POST", `/checks/${uuid}`, { channels: `ops,checks`, name: "not changed" })).toEqual([
      400,
      { error: "peal sends the alerts of a check to one topic: name one channel" },
    ]);
    expect(await one(uuid)).toMatchObject({ name: "by name" });
  });
});

describe("`unique`", () => {
  test.each([
    ["name", { name: "Foo" }, { name: "Bar" }],
    ["slug", { name: "a", slug: "foo" }, { name: "b", slug: "bar" }],
    ["tags", { tags: "u-one u-two" }, { tags: "u-two u-one" }],
    ["timeout", { timeout: 123 }, { timeout: 124 }],
    ["grace", { grace: 321 }, { grace: 322 }],
  ])("by %s updates the check that is the same there, and makes one where none is", async (field, same, other) => {
    const { uuid } = await made(same);
    expect(await ask("POST", "/checks/", { ...same, desc: "again", unique: [field] })).toMatchObject([
      200,
      { uuid, desc: "again" },
    ]);
    const [status, next] = await ask("POST", "/checks/", { ...other, unique: [field] });
    expect([status, next.uuid === uuid]).toEqual([201, false]);
  });

  test("that names what the body leaves out finds none", async () => {
    for (const field of ["name", "tags", "timeout", "grace", "slug"])
      expect((await ask("POST", "/checks/", { unique: [field] }))[0]).toBe(201);
  });

  test("makes one check of two requests at once", async () => {
    const body = { name: "at once", unique: ["name"] };
    const answers = await Promise.all([1, 2, 3].map(async () => ask("POST", "/checks/", body)));
    expect(answers.map(([status]) => status).toSorted()).toEqual([200, 200, 201]);
    expect(new Set(answers.map(([, { uuid }]) => uuid)).size).toBe(1);
  });
});

describe("a change", () => {
  test("leaves what it does not name, and turns a timeout into a schedule and back", async () => {
    const { uuid } = await made({ name: "changing", tags: "one", timeout: 3600, grace: 120, desc: "d" });
    expect(await ask("POST", `/checks/${uuid}`, { schedule: "0 4 * * *", tz: "Europe/Riga" })).toMatchObject([
      200,
      { name: "changing", tags: "one", grace: 120, desc: "d", schedule: "0 4 * * *", tz: "Europe/Riga" },
    ]);
    // the zone stays, as with Healthchecks
    expect(await ask("POST", `/checks/${uuid}`, { schedule: "0 5 * * *" })).toMatchObject([200, { tz: "Europe/Riga" }]);
    expect(await ask("POST", `/checks/${uuid}`, { tz: "UTC" })).toMatchObject([
      200,
      { schedule: "0 5 * * *", tz: "UTC" },
    ]);
    const [, back] = await ask("POST", `/checks/${uuid}`, { timeout: 60, methods: "POST", tags: "", desc: "" });
    expect(back).toMatchObject({ timeout: 60, methods: "POST", tags: "", desc: "" });
    expect(back).not.toHaveProperty("schedule");
    expect(await ask("POST", `/checks/${uuid}`, { methods: "" })).toMatchObject([200, { methods: "", timeout: 60 }]);
  });

  test("of the name changes the slug in versions 1 and 2, and not in 3", async () => {
    const { uuid } = await made({ name: "Renamed", slug: "kept" });
    expect(await ask("POST", `/checks/${uuid}`, { name: "Once Ünique" })).toMatchObject([200, { slug: "kept" }]);
    const [, later] = await ask("POST", `/checks/${uuid}`, { name: "Once Ünique" }, "v1");
    expect(later).toMatchObject({ name: "Once Ünique", slug: "once-unique" });
  });
});

describe("a pause", () => {
  test("ends with the next ping, which alerts if it fails, unless `manual_resume` says otherwise", async () => {
    const check = await newCheck(peal, { name: "sticky", every: 3600 });
    await ping(peal, check.ping_url);
    await ask("POST", `/checks/${check.id}/pause`);
    await ping(peal, check.ping_url);
    expect(await one(check.id)).toMatchObject({ status: "paused", manual_resume: true });
    expect(await ask("POST", `/checks/${check.id}`, { manual_resume: false })).toMatchObject([
      200,
      { manual_resume: false },
    ]);
    await ping(peal, `${check.ping_url}/log`);
    expect((await one(check.id)).status).toBe("paused");
    clock.advance(10_000);
    await ping(peal, `${check.ping_url}?rid=1`);
    expect((await one(check.id)).status).toBe("up");
    await ask("POST", `/checks/${check.id}/pause`);
    const before = (await alertsOf(peal, check)).length;
    await ping(peal, `${check.ping_url}/fail`);
    expect((await one(check.id)).status).toBe("down");
    expect((await alertsOf(peal, check)).length).toBe(before + 1);
    expect((await eventsOf(peal, check.id)).slice(-4).map(({ kind }) => kind)).toEqual([
      "paused",
      "resumed",
      "fail",
      "down",
    ]);
    expect(await checkOf(peal, check.id)).toMatchObject({ resume_by_ping: true });
  });

  test("that is none cannot end: 409", async () => {
    const { uuid } = await made({ name: "pausing" });
    expect(await ask("POST", `/checks/${uuid}/resume`)).toEqual([409, { error: "check is not paused" }]);
    await ask("POST", `/checks/${uuid}/pause`, "null");
    expect(await ask("POST", `/checks/${uuid}/pause`, "{}")).toMatchObject([200, { status: "paused" }]);
    expect(await ask("POST", `/checks/${uuid}/resume`)).toMatchObject([200, { status: "new" }]);
  });
});

test("a deleted check is answered once more, and then unknown", async () => {
  const { uuid, ping_url } = await made({ name: "gone" });
  expect(decoded(CheckDict, (await ask("DELETE", `/checks/${uuid}`))[1]).name).toBe("gone");
  expect((await ask("GET", `/checks/${uuid}`))[0]).toBe(404);
  expect((await ask("DELETE", `/checks/${uuid}`))[0]).toBe(404);
  expect(await ping(peal, ping_url)).toEqual([404, "not found"]);
});

test("pings come newest first, with their bodies at an address of their own", async () => {
  const { uuid, ping_url } = await made({ name: "pinged", timeout: 3600 });
  const rid = "6a2c1c1e-1b1e-4b0e-8a53-0d6b6b7a3f11";
  await ping(peal, `${ping_url}/start?rid=${rid}`);
  clock.advance(1_234);
  await ping(peal, `${ping_url}?rid=${rid}`, { method: "POST", body: "all fine", headers: { "user-agent": "job/1" } });
  await ping(peal, `${ping_url}/3?rid=nightly`);
  const [, { pings }] = await ask("GET", `/checks/${uuid}/pings/`);
  const found = pings as Record<string, unknown>[];
  expect(found.map(({ type }) => type)).toEqual(["fail", "success", "start"]);
  expect(found[1]).toEqual({
    ...{ type: "success", n: 2, scheme: "http", remote_addr: "127.0.0.1", method: "POST", ua: "job/1", rid },
    date: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/),
    ...{ duration: 1.23, body_url: `${peal.url}/api/v3/checks/${uuid}/pings/2/body` },
  });
  expect(found[0]).toMatchObject({ rid: null, body_url: null });
  const body = await peal.request(String(found[1]?.["body_url"]), { headers: { "x-api-key": full } });
  expect([body.status, await body.text()]).toEqual([200, "all fine"]);
  for (const n of ["3", "99", "x"]) expect((await ask("GET", `/checks/${uuid}/pings/${n}/body`))[0]).toBe(404);
});

test("flips say when it went down and came up, and can be asked for by time", async () => {
  const { uuid, ping_url } = await made({ name: "flipping", timeout: 3600 });
  const began = Math.floor(clock.now() / 1000);
  for (const path of ["", "/fail", ""]) {
    await ping(peal, `${ping_url}${path}`);
    clock.advance(60_000);
  }
  const flips = async (query = "", key = full) => {
    const [status, { flips = [] }] = await asker(peal, key)("GET", `/checks/${uuid}/flips/${query}`);
    return [status, (flips as { timestamp: string; up: number }[]).map(({ up }) => up)];
  };
  expect(await flips()).toEqual([200, [1, 0, 1]]);
  expect(await flips("?seconds=61")).toEqual([200, [1]]);
  expect(await flips(`?start=${began + 1}`)).toEqual([200, [1, 0]]);
  expect(await flips(`?start=${began}&end=${began + 60}`)).toEqual([200, [1]]);
  expect(await flips("", read)).toEqual([200, [1, 0, 1]]);
  for (const wrong of ["seconds=-1", "seconds=31536001", "start=surprise", "end=10000000001"])
    expect((await flips(`?${wrong}`))[0]).toBe(400);
  const [, { flips: [first] = [] }] = (await ask("GET", `/checks/${uuid}/flips/`)) as [number, { flips?: object[] }];
  expect(first).toEqual({ timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/), up: 1 });
});

test("badges show the worst state of a tag to anybody, and to nobody who has only guessed its address", async () => {
  const { ping_url } = await made({ name: "badged", tags: "b1 b2", timeout: 60, grace: 600 });
  await ping(peal, ping_url);
  const [, { badges }] = await ask("GET", "/badges/");
  const { b1 = {} } = badges as Record<string, Record<string, string>>;
  expect(Object.keys(b1)).toEqual(["svg", "svg3", "json", "json3", "shields", "shields3"]);
  const get = async (url = "") => (await peal.request(url)).json();
  expect(await get(b1["json"])).toEqual({ status: "up", total: 1, grace: 0, down: 0 });
  clock.advance(61_000);
  expect(await get(b1["json3"])).toEqual({ status: "late", total: 1, grace: 1, down: 0 });
  expect(await get(b1["json"])).toMatchObject({ status: "up", grace: 1 });
  expect(await get(b1["shields3"])).toMatchObject({ schemaVersion: 1, label: "b1", message: "late" });
  await ping(peal, `${ping_url}/fail`);
  expect(await get(b1["shields"])).toMatchObject({ message: "down" });
  const svg = await peal.request(b1["svg"] ?? "");
  expect(svg.headers.get("content-type")).toBe("image/svg+xml");
  expect(await svg.text()).toContain("b1: down");
  expect((await peal.request((b1["json"] ?? "").replace("tag=b1", "tag=b2"))).status).toBe(404);
});

test("the status needs no key", async () => {
  const response = await peal.request("/api/v3/status/");
  expect([response.status, await response.text()]).toEqual([200, "OK"]);
});

test("every address answers with and without a slash at its end, in all versions, and no other", async () => {
  const { uuid } = await made({ name: "slashes" });
  for (const path of [
    "/checks",
    `/checks/${uuid}`,
    `/checks/${uuid}/pings`,
    `/checks/${uuid}/flips`,
    "/channels",
    "/badges",
    "/status",
  ])
    for (const address of ["v1", "v2", "v3"].flatMap((version) => [
      `/api/${version}${path}`,
      `/api/${version}${path}/`,
    ]))
      expect([address, (await peal.request(address, { headers: { "x-api-key": full } })).status]).toEqual([
        address,
        200,
      ]);
  for (const version of ["v0", "v4", "push", "webhooks"])
    expect((await peal.request(`/api/${version}/checks`, { headers: { "x-api-key": full } })).status).toBe(404);
  expect((await peal.request("/api/v3/checks", { method: "POST", headers: { "x-api-key": full } })).status).toBe(201);
  expect((await peal.request("/api/v3/checks/", { method: "PUT", headers: { "x-api-key": full } })).status).toBe(405);
});

test("the addresses of Uptime Kuma's pushes and Discord's webhooks are theirs", async () => {
  const check = await newCheck(peal, { name: "pushed", every: 3600 });
  const token = check.ping_url.split("/").at(-1) ?? "";
  expect(await answer<object>(200, await peal.request(`/api/push/${token}?status=up`))).toEqual({ ok: true });
  for (const name of ["checks", "channels", "badges", "status"])
    expect(await answer<object>(404, await peal.request(`/api/push/${name}`))).toEqual({ ok: false, msg: "not found" });
  for (const path of ["/api/webhooks/1/checks", `/api/webhooks/checks/${token}`])
    expect(await answer<object>(404, await peal.request(path, { method: "POST", body: "{}" }))).toMatchObject({
      code: 10015,
    });
});

test("scripts of any origin may ask", async () => {
  for (const path of ["/api/v1/checks/", "/api/v3/channels"]) {
    const headers = {
      origin: "https://other.example",
      "access-control-request-method": "GET",
      "access-control-request-headers": "x-api-key",
    };
    const preflight = await peal.request(path, { method: "OPTIONS", headers });
    expect([preflight.status, preflight.headers.get("access-control-allow-origin")]).toEqual([204, "*"]);
    expect(preflight.headers.get("access-control-allow-methods")).toContain("GET");
    expect(preflight.headers.get("access-control-allow-headers")).toBe("x-api-key");
    const response = await peal.request(path, { headers: { "x-api-key": full } });
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
  }
  const posted = await peal.request("/api/v3/checks/", { method: "POST", headers: { "x-api-key": full } });
  expect(posted.headers.get("access-control-allow-origin")).toBe("*");
});

test("a key that only reads sees no UUID, no URL and no output, and can change nothing", async () => {
  const { uuid, ping_url } = await made({ name: "read only", timeout: 3600 });
  await ping(peal, ping_url, { method: "POST", body: "out" });
  const reader = asker(peal, read);
  const [, { checks = [] }] = await reader("GET", "/checks/");
  for (const check of checks) decoded(ReadOnlyDict, check);
  expect(JSON.stringify(checks)).not.toContain(uuid);
  expect((await reader("GET", `/checks/${uuid}/pings/1/body`))[0]).toBe(403);
  const [, { pings = [] }] = (await reader("GET", `/checks/${uuid}/pings/`)) as [
    number,
    { pings?: { body_url: null }[] },
  ];
  expect(pings.map(({ body_url }) => body_url)).toEqual([null]);
  for (const [method, path] of [
    ["POST", "/checks/"],
    ["POST", `/checks/${uuid}`],
    ["DELETE", `/checks/${uuid}`],
    ["POST", `/checks/${uuid}/pause`],
  ] as const)
    expect([method, path, (await reader(method, path, "{}"))[0]]).toEqual([method, path, 403]);
  const publisher = (await peal.mint("publish")).key;
  expect((await asker(peal, publisher)("GET", "/checks/"))[0]).toBe(403);
});
