/** `peal checks`: through the running server, and without one (OPERATIONS.md §2). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { checkOf, eventsOf, newCheck, ping } from "../support/checks.ts";
import { peal as run } from "../support/command.ts";
import { cleanEnv, COMMAND, startPeal, type Peal } from "../support/server.ts";

let peal: Peal;
beforeAll(async () => (peal = await startPeal()));
afterAll(async () => peal[Symbol.asyncDispose]());

const on = (server: Peal) => ({ PEAL_DATA_DIR: server.dataDir });
/** Runs a command that has to succeed, and returns what it prints. */
async function told(args: string[], env: Record<string, string> = on(peal)): Promise<string> {
  const { code, stdout, stderr } = await run(["checks", ...args], env);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout.trimEnd();
}
const refused = async (...args: string[]) => run(["checks", ...args], on(peal));
const json = async (...args: string[]): Promise<Record<string, unknown>> =>
  JSON.parse(await told([...args, "--json"])) as Record<string, unknown>;

test("with and without a server a check is made, its ping URL alone on standard output, then listed, shown, paused and deleted", async () => {
  await using server = await startPeal({ env: { PEAL_LISTEN: "[::]:0" } });
  const { port } = new URL(server.url);
  let settings: Record<string, string> = on(server); // a running server knows by itself where it listens
  const admin = async (...args: string[]) => told(args, settings);
  /** All steps but the last, which needs the server to run. */
  const steps = async () => {
    const url = await admin("create", "NAS backup", "--slug", "nas", "--every", "1d");
    expect(url).toMatch(new RegExp(`^http://localhost:${port}/v1/ping/[0-9a-z]{26}$`));
    expect(await admin("list")).toMatch(
      /^CHECK +SLUG +.*\nNAS backup +nas +new, no success yet +every 1 d +– +– +[0-9a-z]{26}$/,
    );
    expect(await admin("show", "nas")).toContain(`ping url     ${url}`);
    expect(await admin("pause", "nas")).toBe("NAS backup: paused");
    return url;
  };
  for (const isOffline of [false, true]) {
    if (isOffline) {
      await server.kill("SIGTERM");
      settings = { ...settings, PEAL_LISTEN: `[::]:${port}` };
    }
    const url = await steps();
    if (isOffline) await server.start();
    expect(await ping(server, url)).toEqual([200, "ok"]);
    expect(await admin("delete", "nas")).toBe("deleted nas");
    expect(await ping(server, url)).toEqual([404, "not found"]);
  }
});

// prettier-ignore
test.each([
  ["on one address",           { PEAL_LISTEN: "[::1]:0" },                         "http://[::1]:PORT"],
  ["with a URL of its own",    { PEAL_BASE_URL: "https://peal.example/in" },       "https://peal.example/in"],
])("ping URLs are those of a server %s, although the command does not know its settings", async (_, env, base) => {
  await using server = await startPeal({ env });
  const url = await told(["create", "somewhere"], on(server));
  expect(url.slice(0, -26)).toBe(`${base.replace("PORT", new URL(server.url).port)}/v1/ping/`);
  expect((await told(["ping-key"], on(server))).slice(0, -29)).toBe(url.slice(0, -26));
});

describe("settings", () => {
  // prettier-ignore
  const flags: [flag: string, given: string, field: string, value: unknown][] = [
    ["slug",           "a-slug",        "slug",           "a-slug"],
    ["topic",          "backups",       "topic_name",     "backups"],
    ["tags",           "nas, home",     "tags",           ["nas", "home"]],
    ["every",          "26h",           "every",          93_600],
    ["grace",          "2h",            "grace",          7_200],
    ["early",          "30s",           "early",          30],
    ["max-run",        "15m",           "max_run",        900],
    ["fail-after",     "3",             "fail_after",     3],
    ["recover-after",  "2",             "recover_after",  2],
    ["remind-every",   "6h",            "remind_every",   21_600],
    ["remind-max",     "5",             "remind_max",     5],
    ["notify-late",    "yes",           "notify_late",    true],
    ["notify-success", "yes",           "notify_success", true],
    ["post-only",      "yes",           "post_only",      true],
    ["armed",          "yes",           "armed",          true],
    ["description",    "off-site copy", "description",    "off-site copy"],
    ["resume-by-ping", "yes",           "resume_by_ping", true],
    ["level",          "warning",       "level",          "warning"],
    ["priority",       "urgent",        "priority",       "urgent"],
  ];
  test("each is set by its flag, for a new check and for one that is changed", async () => {
    const given = flags.flatMap(([flag, value]) => [`--${flag}`, value]);
    const expected = Object.fromEntries(flags.map(([, , field, value]) => [field, value]));
    const made = await json("create", "new", ...given);
    expect(made).toMatchObject(expected);
    await told(["delete", String(made["id"])]);
    const { id } = await newCheck(peal);
    expect(await json("update", id, ...given)).toMatchObject(expected);
    expect(await checkOf(peal, id)).toMatchObject(expected);
    await told(["delete", id]);
  });

  test("times may be given in seconds, with a cron line too", async () => {
    const seconds = { flags: ["--every", "90", "--max-run", "0"], fields: { every: 90, max_run: 0 } };
    const cron = { flags: ["--cron", "30 2 * * *"], fields: { cron: "30 2 * * *" } };
    for (const { flags, fields } of [seconds, cron]) {
      expect(await json("create", "new", ...flags)).toMatchObject(fields);
      const { id } = await newCheck(peal);
      expect(await json("update", id, ...flags)).toMatchObject(fields);
      expect(await checkOf(peal, id)).toMatchObject(fields);
    }
  });

  test("a zone needs a cron schedule", async () => {
    const made = await json("create", "zoned", "--cron", "@daily", "--timezone", "Europe/Berlin");
    expect(made).toMatchObject({ cron: "@daily", timezone: "Europe/Berlin" });
  });

  test("an existing slug changes its check", async () => {
    const made = await json("create", "one", "--slug", "same");
    const again = await json("create", "other", "--slug", "same", "--every", "1h");
    expect(again).toMatchObject({ id: made["id"], name: "other", every: 3600, ping_url: made["ping_url"] });
  });

  test("are changed one at a time, and an empty value removes one", async () => {
    const { id } = await newCheck(peal, { name: "changed", every: "1d", max_run: "10m", notify_late: true });
    expect(await json("update", id, "--name", "changed again")).toMatchObject({ name: "changed again", max_run: 600 });
    expect(await told(["update", id, "--max-run", "", "--notify-late", "no"])).toContain("longest run  1 h");
    expect(await checkOf(peal, id)).toMatchObject({ name: "changed again", max_run: 3600, notify_late: false });
  });
});

describe("a check is found", () => {
  test("by id, slug or name; a slug goes before a name", async () => {
    const [byName, bySlug] = [
      await newCheck(peal, { name: "both" }),
      await newCheck(peal, { name: "x", slug: "both" }),
    ];
    const unique = await newCheck(peal, { name: "A name, with spaces" });
    expect((await json("show", byName.id))["id"]).toBe(byName.id);
    expect((await json("show", "both"))["id"]).toBe(bySlug.id);
    expect((await json("show", "A name, with spaces"))["id"]).toBe(unique.id);
  });

  test("never by a name that two checks have", async () => {
    const two = [await newCheck(peal, { name: "twice" }), await newCheck(peal, { name: "twice" })];
    const { code, stderr } = await refused("delete", "twice");
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: "peal: 2 checks are named twice: use the id\n",
    });
    const listed = (await told(["list"])).split("\n").filter((row) => row.startsWith("twice "));
    expect(listed).toHaveLength(2);
    for (const { id } of two) expect(await checkOf(peal, id)).toMatchObject({ name: "twice" });
  });

  test.each(["no-such", "0123456789abcdefghjkmnpqrs"])("%s is not there", async (name) => {
    expect(await refused("show", name)).toMatchObject({ code: 1, stdout: "" });
  });
});

test("the list has all checks, page by page", async () => {
  await Promise.all(
    Array.from({ length: 201 }, async (_, n) =>
      newCheck(peal, { name: `of many ${n}`, tags: n % 3 === 0 ? ["many", "third"] : ["many"] }),
    ),
  );
  const listed = async (...args: string[]) =>
    (JSON.parse(await told(["list", "--json", ...args])) as { name: string }[]).filter(({ name }) =>
      name.startsWith("of many "),
    ).length;
  expect([await listed(), await listed("--tag", "many"), await listed("--tag", "third")]).toEqual([201, 201, 67]);
  expect(await json("show", "of many 99")).toMatchObject({ name: "of many 99" }); // on the last page, because the list is sorted by name
});

describe("its owner", () => {
  test("pauses and resumes it", async () => {
    const { id } = await newCheck(peal, { name: "resting", every: "1d" });
    expect(await told(["pause", id])).toBe("resting: paused");
    expect(await told(["resume", id])).toBe("resting: new, no success yet");
    expect(await checkOf(peal, id)).toMatchObject({ state: "new" });
  });

  test("acknowledges its incident, and snoozes its alerts for a while", async () => {
    const { id, ping_url } = await newCheck(peal, { name: "broken" });
    await ping(peal, `${ping_url}/7`);
    expect(await told(["ack", id])).toMatch(/^broken: down for .+: failed \(exit 7\), acknowledged$/);
    expect(await told(["snooze", id, "2h"])).toMatch(/, acknowledged; no alerts for (2 h|1 h 59 min)$/);
    const until = new Date(Date.now() + 5 * 3_600_000).toISOString();
    expect((await json("snooze", id, until))["muted_until"]).toBe(until);
    expect(await told(["snooze", id, "3600"])).toMatch(/, acknowledged; no alerts for (1 h|59 min \d+ s)$/);
    expect(await told(["snooze", id, "off"])).toEndWith(", acknowledged");
    const [head, latest] = (await told(["events", id, "--limit", "1"])).split("\n");
    expect(latest?.slice(head?.indexOf("WHAT"))).toBe("unsnoozed");
  });

  test("sends a test alert", async () => {
    const { id } = await newCheck(peal, { name: "tried", topic: "tries" });
    expect(await told(["test", id])).toBe("tried: test alert sent to topic tries");
    expect((await eventsOf(peal, id)).map(({ kind }) => kind)).toEqual(["tested"]);
  });

  test("gives it another ping URL, printed alone, and keeps the old one for a time or not", async () => {
    const { id, ping_url } = await newCheck(peal);
    const second = await told(["rotate", id]);
    expect([await ping(peal, ping_url), await ping(peal, second)]).toEqual([[200, "ok"], [200, "ok"]]); // prettier-ignore
    const third = await told(["rotate", id, "--overlap", "0"]);
    expect([await ping(peal, second), await ping(peal, third)]).toEqual([[404, "not found"], [200, "ok"]]); // prettier-ignore
  });

  test("pings by slug", async () => {
    await newCheck(peal, { name: "slugged", slug: "slugged" });
    const url = await told(["ping-key"]);
    expect(url).toMatch(/\/v1\/ping\/pk_[0-9a-z]{26}$/);
    expect(await told(["ping-key"])).toBe(url);
    expect(await ping(peal, `${url}/slugged`)).toEqual([200, "ok"]);
    const other = await told(["ping-key", "--rotate"]);
    expect([await ping(peal, `${url}/slugged`), await ping(peal, `${other}/slugged/log`)]).toEqual([
      [404, "not found"],
      [200, "ok"],
    ]);
  });
});

describe("its history", () => {
  test("is listed, newest first, and the job's output is printed as it is", async () => {
    const { id, ping_url } = await newCheck(peal, { name: "told", every: "1d" });
    const body = new Uint8Array([0x66, 0xff, 0x00, 0x0a]);
    await ping(peal, `${ping_url}/start?rid=r1`);
    await ping(peal, `${ping_url}/3?rid=r1`, { method: "POST", body });
    const [head, down, fail, start] = (await told(["events", id])).split("\n");
    expect(head).toMatch(/^N +TIME +WHAT +DETAILS$/);
    expect(down).toMatch(/^3 .+ down +failed$/);
    expect(fail).toMatch(/^2 .+ fail +exit 3, took (under 1|\d+) s, 4 bytes of output, from 127\.0\.0\.1, run r1$/);
    expect(start).toMatch(/^1 .+ start +from 127\.0\.0\.1, run r1$/);
    expect(JSON.parse(await told(["events", id, "--limit", "1", "--json"]))).toMatchObject([{ n: 3, kind: "down" }]);

    const child = Bun.spawn([...COMMAND, "checks", "events", id, "--body", "2"], { env: cleanEnv(on(peal)) });
    expect(await child.stdout.bytes()).toEqual(body);
    expect(await refused("events", id, "--body", "1")).toMatchObject({ code: 1, stdout: "" });
  });

  test("says in a recovery what it was down for", async () => {
    const { id, ping_url } = await newCheck(peal);
    for (const outcome of ["1", "0"]) await ping(peal, `${ping_url}/${outcome}`);
    expect(await told(["events", id])).toMatch(/^4 .+ up +was down: failed$/m);
  });

  test("shows how long each incident lasted", async () => {
    const { id, ping_url } = await newCheck(peal, { name: "down twice" });
    for (const outcome of ["1", "0", "2"]) await ping(peal, `${ping_url}/${outcome}`);
    const [, second, first] = (await told(["incidents", id])).split("\n");
    expect(first).toMatch(/^1 .+Z +(under 1|\d+) s +failed \(exit 1\) +0$/);
    expect(second).toMatch(/^2 .+Z +.+, still +failed \(exit 2\) +0$/);
    expect(JSON.parse(await told(["incidents", id, "--json"]))).toMatchObject([{ n: 2 }, { n: 1 }]);
  });

  test("shows when a schedule expects it", async () => {
    const slots = (await told(["preview", "30 2 * * *", "--timezone", "Asia/Kolkata"])).split("\n");
    expect(slots).toHaveLength(5);
    for (const slot of slots) expect(slot).toMatch(/^\d{4}-\d\d-\d\d 02:30:00 GMT\+5:30$/);
    expect(await json("preview", "@hourly", "--timezone", "UTC")).toMatchObject({ cron: "@hourly", timezone: "UTC" });
  });
});

// prettier-ignore
const REFUSED: [what: string, args: string[], code: number, told: string][] = [
  ["a schedule that never comes",  ["create", "x", "--cron", "0 0 30 2 *"],               1,  "never runs"],
  ["a schedule that is none",      ["preview", "daily"],                                  1,  "five fields"],
  ["a duration that is none",      ["create", "x", "--every", "often"],                   1,  "peal: --every: must be 10 to"],
  ["a name that is none",          ["create", ""],                                        1,  "peal: <name>: "],
  ["another name that is none",    ["update", "refusing", "--name", "x".repeat(101)],     1,  "peal: --name: "],
  ["a tag that is none",           ["update", "refusing", "--tags", "a,,b"],              1,  "peal: --tags: "],
  ["a time that is none",          ["snooze", "refusing", "soon"],                        1,  "peal: <duration|time|off>: "],
  ["a time that has passed",       ["snooze", "refusing", "2020-01-01T00:00:00Z"],        1,  "peal: <duration|time|off>: "],
  ["an overlap that is none",      ["rotate", "refusing", "--overlap", "long"],           1,  "peal: --overlap: "],
  ["a word for yes or no",         ["create", "x", "--armed", "maybe"],                   64, "--armed maybe: must be yes or no"],
  ["no change",                    ["update", "x"],                                       64, "nothing to change"],
  ["a namespace that is not there", ["list", "--namespace", "media"],                     1,  "peal namespaces create media"],
];
beforeAll(async () => newCheck(peal, { name: "refusing" }));
test.each(REFUSED)("%s is refused", async (_, args, code, why) => {
  const ran = await refused(...args);
  expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code, stdout: "" });
  expect(ran.stderr).toContain(why);
});

test("the help lists every command", async () => {
  const { stdout } = await run(["help", "checks"]);
  for (const word of "list show create update delete pause resume snooze ack rotate test ping-key events incidents preview".split(
    " ",
  ))
    expect(stdout).toContain(`peal checks ${word}`);
});
