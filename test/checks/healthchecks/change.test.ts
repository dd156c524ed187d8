/** Checks that Healthchecks' API makes, changes, pauses and deletes (its own cases: hc/api/tests; CHECKINS.md §10). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { alertsOf, checkOf, eventsOf, newCheck, ping } from "../../support/checks.ts";
import { type Answered, CheckDict, decoded, type Healthchecks, startHealthchecks } from "./asking.ts";

let hc: Healthchecks;
beforeAll(async () => {
  hc = await startHealthchecks();
});
afterAll(async () => hc[Symbol.asyncDispose]());

describe("what has no counterpart is done as far as it can be, and told:", () => {
  const paths = (check: Answered) => check.ignored?.map(({ path }) => path);

  test("words for mails and bodies", async () => {
    const check = await hc.made({ name: "words", subject: "OK", failure_kw: "ERROR", filter_subject: true });
    expect(paths(check)).toEqual(["/filter_subject", "/subject", "/failure_kw"]);
    expect(decoded(CheckDict, await hc.one(check.uuid))).toMatchObject({ subject: "", filter_subject: false });
  });

  test("no channel: alerts go to the topic all the same", async () => {
    const check = await hc.made({ name: "no channel", channels: "" });
    expect(paths(check)).toEqual(["/channels"]);
    expect(await hc.made({ name: "all channels", channels: "*" })).not.toHaveProperty("ignored");
  });

  test("a time zone without a schedule", async () => {
    expect(paths(await hc.made({ name: "zone", timeout: 60, tz: "Europe/Riga" }))).toEqual(["/tz"]);
  });

  test("a slug of a name that another check has, in versions 1 and 2", async () => {
    expect(await hc.made({ name: "Same Name" }, "v1")).toMatchObject({ slug: "same-name" });
    const second = await hc.made({ name: "Same  name!" }, "v2");
    expect([second["slug"], paths(second)]).toEqual(["", ["/slug"]]);
    expect((await hc.ask("POST", "/checks/", { name: "x", slug: "same-name" }))[0]).toBe(409);
    expect(await hc.made({ name: "No slug of its own" })).toMatchObject({ slug: "" });
    const digits = await hc.made({ name: "2026" }, "v1");
    expect([digits["slug"], paths(digits)]).toEqual(["", ["/slug"]]);
  });

  test("a name that is taken away", async () => {
    const { uuid } = await hc.made({ name: "named" });
    const [, check] = await hc.ask("POST", `/checks/${uuid}`, { name: "" });
    expect([check["name"], paths(check)]).toEqual(["named", ["/name"]]);
    expect(await hc.made({ name: "" })).toMatchObject({ name: "unnamed" });
  });
});

describe("channels", () => {
  test("are topics, by name or id; one of them takes the alerts of a check", async () => {
    await hc.peal.topic("ops");
    const other = await hc.made({ name: "by id" });
    const [, { channels }] = await hc.ask("GET", "/channels/");
    const found = channels as { id: string; name: string; kind: string }[];
    const { id = "" } = found.find(({ name }) => name === "ops") ?? {};
    const { uuid, channels: own } = await hc.made({ name: "by name", channels: "ops" });
    expect(own).toBe(id);
    expect(await hc.ask("POST", `/checks/${other.uuid}`, { channels: id })).toMatchObject([200, { channels: id }]);
    expect(await hc.ask("POST", `/checks/${uuid}`, { channels: "checks" })).toMatchObject([
      200,
      { channels: found.find(({ name }) => name === "checks")?.id },
    ]);
    expect(await hc.ask("POST", `/checks/${uuid}`, { channels: `ops,checks`, name: "not changed" })).toEqual([
      400,
      { error: "peal sends the alerts of a check to one topic: name one channel" },
    ]);
    expect(await hc.one(uuid)).toMatchObject({ name: "by name" });
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
    const { uuid } = await hc.made(same);
    expect(await hc.ask("POST", "/checks/", { ...same, desc: "again", unique: [field] })).toMatchObject([
      200,
      { uuid, desc: "again" },
    ]);
    const [status, next] = await hc.ask("POST", "/checks/", { ...other, unique: [field] });
    expect([status, next.uuid === uuid]).toEqual([201, false]);
  });

  test.each([
    ["tags with blanks between them", { tags: " w-one   w-two\tw-one " }, "tags"],
    ["an empty name, beside a slug", { name: "", slug: "slug-alone" }, "name"],
    ["a name of 100 characters that are two units each", { name: "🚀".repeat(100) }, "name"],
  ])("finds again what it has made: %s", async (_, body, field) => {
    const asked = { ...body, unique: [field] };
    const [[first, made], [second, found]] = [
      await hc.ask("POST", "/checks/", asked),
      await hc.ask("POST", "/checks/", asked),
    ];
    expect([first, second, found.uuid === made.uuid]).toEqual([201, 200, true]);
  });

  test("that names what the body leaves out finds none", async () => {
    for (const field of ["name", "tags", "timeout", "grace", "slug"])
      expect((await hc.ask("POST", "/checks/", { unique: [field] }))[0]).toBe(201);
  });

  test("makes one check of two requests at once", async () => {
    const body = { name: "at once", unique: ["name"] };
    const answers = await Promise.all([1, 2, 3].map(async () => hc.ask("POST", "/checks/", body)));
    expect(answers.map(([status]) => status).toSorted()).toEqual([200, 200, 201]);
    expect(new Set(answers.map(([, { uuid }]) => uuid)).size).toBe(1);
  });
});

describe("a change", () => {
  test("leaves what it does not name, and turns a timeout into a schedule and back", async () => {
    const { uuid } = await hc.made({ name: "changing", tags: "one", timeout: 3600, grace: 120, desc: "d" });
    expect(await hc.ask("POST", `/checks/${uuid}`, { schedule: "0 4 * * *", tz: "Europe/Riga" })).toMatchObject([
      200,
      { name: "changing", tags: "one", grace: 120, desc: "d", schedule: "0 4 * * *", tz: "Europe/Riga" },
    ]);
    // the zone stays, as with Healthchecks
    expect(await hc.ask("POST", `/checks/${uuid}`, { schedule: "0 5 * * *" })).toMatchObject([
      200,
      { tz: "Europe/Riga" },
    ]);
    expect(await hc.ask("POST", `/checks/${uuid}`, { tz: "UTC" })).toMatchObject([
      200,
      { schedule: "0 5 * * *", tz: "UTC" },
    ]);
    const [, back] = await hc.ask("POST", `/checks/${uuid}`, { timeout: 60, methods: "POST", tags: "", desc: "" });
    expect(back).toMatchObject({ timeout: 60, methods: "POST", tags: "", desc: "" });
    expect(back).not.toHaveProperty("schedule");
    expect(await hc.ask("POST", `/checks/${uuid}`, { methods: "" })).toMatchObject([200, { methods: "", timeout: 60 }]);
  });

  test("of the name changes the slug in versions 1 and 2, and not in 3", async () => {
    const { uuid } = await hc.made({ name: "Renamed", slug: "kept" });
    expect(await hc.ask("POST", `/checks/${uuid}`, { name: "Once Ünique" })).toMatchObject([200, { slug: "kept" }]);
    const [, later] = await hc.ask("POST", `/checks/${uuid}`, { name: "Once Ünique" }, "v1");
    expect(later).toMatchObject({ name: "Once Ünique", slug: "once-unique" });
  });
});

describe("a pause", () => {
  test("ends with the next ping, which alerts if it fails, unless `manual_resume` says otherwise", async () => {
    const check = await newCheck(hc.peal, { name: "sticky", every: 3600 });
    await ping(hc.peal, check.ping_url);
    await hc.ask("POST", `/checks/${check.id}/pause`);
    await ping(hc.peal, check.ping_url);
    expect(await hc.one(check.id)).toMatchObject({ status: "paused", manual_resume: true });
    expect(await hc.ask("POST", `/checks/${check.id}`, { manual_resume: false })).toMatchObject([
      200,
      { manual_resume: false },
    ]);
    await ping(hc.peal, `${check.ping_url}/log`);
    expect((await hc.one(check.id)).status).toBe("paused");
    hc.clock.advance(10_000);
    await ping(hc.peal, `${check.ping_url}?rid=1`);
    expect((await hc.one(check.id)).status).toBe("up");
    await hc.ask("POST", `/checks/${check.id}/pause`);
    const before = (await alertsOf(hc.peal, check)).length;
    await ping(hc.peal, `${check.ping_url}/fail`);
    expect((await hc.one(check.id)).status).toBe("down");
    expect((await alertsOf(hc.peal, check)).length).toBe(before + 1);
    expect((await eventsOf(hc.peal, check.id)).slice(-4).map(({ kind }) => kind)).toEqual([
      "paused",
      "resumed",
      "fail",
      "down",
    ]);
    expect(await checkOf(hc.peal, check.id)).toMatchObject({ resume_by_ping: true });
  });

  test("that is none cannot end: 409", async () => {
    const { uuid } = await hc.made({ name: "pausing" });
    expect(await hc.ask("POST", `/checks/${uuid}/resume`)).toEqual([409, { error: "check is not paused" }]);
    await hc.ask("POST", `/checks/${uuid}/pause`, "null");
    expect(await hc.ask("POST", `/checks/${uuid}/pause`, "{}")).toMatchObject([200, { status: "paused" }]);
    expect(await hc.ask("POST", `/checks/${uuid}/resume`)).toMatchObject([200, { status: "new" }]);
  });
});

test("a deleted check is answered once more, and then unknown", async () => {
  const { uuid, ping_url } = await hc.made({ name: "gone" });
  expect(decoded(CheckDict, (await hc.ask("DELETE", `/checks/${uuid}`))[1]).name).toBe("gone");
  expect((await hc.ask("GET", `/checks/${uuid}`))[0]).toBe(404);
  expect((await hc.ask("DELETE", `/checks/${uuid}`))[0]).toBe(404);
  expect(await ping(hc.peal, ping_url)).toEqual([404, "not found"]);
});
