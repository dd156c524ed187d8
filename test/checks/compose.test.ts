/** What alerts say, and how loudly (CHECKINS.md §7). */
import { describe, expect, test } from "bun:test";
import type { CheckEvent, CheckSettings } from "../../src/checks/check.ts";
import type { Draft } from "../../src/drafts/draft.ts";
import { characters } from "../../src/util/schema.ts";
import { at, exit, ok, snoozed, start } from "./rows.ts";
import { HOUR, MINUTE, nightly, type Step } from "./story.ts";
import { composedOf, ID } from "./told.ts";

/** The only message for the last step, composed at its time. */
function draftOf(given: Partial<CheckSettings>, ...steps: Step[]): Draft {
  const [minutes = 0] = steps.at(-1) ?? [];
  const composed = composedOf(given, steps, at(minutes));
  expect(composed).toHaveLength(1);
  return composed[0]?.draft as Draft;
}

const failed = (tail?: string): CheckEvent => ({ kind: "fail", exit: 2, ...(tail !== undefined && { tail }) });
const gap: CheckEvent = { kind: "tick", gap: { from: at(70), to: at(90) } };
const inUtc: Partial<CheckSettings> = {
  schedule: { kind: "cron", expression: "30 2 * * *", timezone: "UTC" },
  graceMs: HOUR,
};
const once: Partial<CheckSettings> = { failAfter: 2 };
/** A day, in minutes. */
const daily = 1440;

describe("words", () => {
  // prettier-ignore
  const table: Record<string, { given?: Partial<CheckSettings>; steps: Step[]; title: string; message: string; look: string }> = {
    "missed": {
      given: nightly,
      steps: [[0, start()], [12, ok()], [daily + 60, "tick"]],
      title: "nas-backup missed its check-in", message: "expected 02:30 (Europe/Berlin), grace 1 h, last ok 1 d earlier (took 12 min)", look: "error high firing",
    },
    "missed yesterday": {
      given: nightly,
      steps: [[0, ok()], [daily * 2 + 600, "tick"]],
      title: "nas-backup missed its check-in", message: "expected Sat 21 Nov 02:30 (Europe/Berlin), grace 1 h, last ok 2 d 10 h earlier", look: "error high firing",
    },
    "missed, never seen": {
      given: { armed: true },
      steps: [[75, "tick"]],
      title: "nas-backup missed its check-in", message: "never checked in: expected every 1 h, grace 15 min", look: "error high firing",
    },
    "missed, without grace": {
      given: { graceMs: 0 },
      steps: [[0, ok()], [60, "tick"]],
      title: "nas-backup missed its check-in", message: "expected every 1 h, no grace, last ok 1 h earlier", look: "error high firing",
    },
    "failed": { steps: [[0, start()], [4, failed()]], title: "nas-backup failed", message: "exit 2 after 4 min", look: "error high firing" },
    "failed, with output": { steps: [[0, failed("line 1\n\nline 2\n")]], title: "nas-backup failed", message: "exit 2\n\nline 1\n\nline 2", look: "error high firing" },
    "failed without a code": { steps: [[0, "fail"]], title: "nas-backup failed", message: "reported a failure", look: "error high firing" },
    "failed in a row": { given: once, steps: [[0, exit(1)], [1, exit(2)]], title: "nas-backup failed", message: "exit 2, 2 failures in a row", look: "error high firing" },
    "overrun": { given: { ...nightly, maxRunMs: 2 * HOUR }, steps: [[1, start()], [121, "tick"]], title: "nas-backup runs too long", message: "started 02:31 (Europe/Berlin), not finished within 2 h", look: "error high firing" },
    "another reason": { steps: [[0, ok()], [75, "tick"], [90, exit(3)]], title: "nas-backup failed", message: "exit 3\nit was down already", look: "error high firing" },
    "up": { steps: [[0, ok()], [75, "tick"], [196, start()], [208, ok()]], title: "nas-backup is back", message: "back after 2 h 13 min, 3 check-ins missed, run took 12 min", look: "success normal resolved" },
    "up, nothing missed": { steps: [[0, exit(1)], [1, ok()]], title: "nas-backup is back", message: "back after 1 min", look: "success normal resolved" },
    "up, one missed": { steps: [[0, ok()], [75, "tick"], [80, ok()]], title: "nas-backup is back", message: "back after 5 min, 1 check-in missed", look: "success normal resolved" },
    "up, missed beyond counting": { given: { schedule: { kind: "every", everyMs: MINUTE } }, steps: [[0, ok()], [5000, "tick"], [5001, ok()]], title: "nas-backup is back", message: "back after 3 d 11 h, at least 1000 check-ins missed", look: "success normal resolved" },
    "up in a snooze, softly": { steps: [[0, exit(1)], [1, snoozed(90)], [2, ok()]], title: "nas-backup is back", message: "back after 2 min", look: "success low resolved" },
    "paused while it is down": { steps: [[0, exit(1)], [60, "pause"]], title: "nas-backup is paused", message: "was down for 1 h", look: "info low resolved" },
    "deleted while it is down": { steps: [[0, exit(1)], [60, "delete"]], title: "nas-backup was deleted", message: "was down for 1 h", look: "info low resolved" },
    "reminder": { given: { ...nightly, remindEveryMs: 6 * HOUR }, steps: [[0, ok()], [daily + 60, "tick"], [daily + 420, "tick"]], title: "nas-backup is still down", message: "expected 02:30 (Europe/Berlin), grace 1 h, last ok 1 d 7 h earlier", look: "warning normal firing" },
    "reminder of a fail": { steps: [[0, exit(2)], [daily, "tick"]], title: "nas-backup is still down", message: "exit 2", look: "warning normal firing" },
    "missed, by cron in UTC": { given: inUtc, steps: [[60, ok()], [daily + 120, "tick"]], title: "nas-backup missed its check-in", message: "expected 1 h earlier, grace 1 h, last ok 1 d 1 h earlier", look: "error high firing" },
    "late, by cron in UTC": { given: { ...inUtc, notifyLate: true }, steps: [[60, ok()], [daily + 60, "tick"]], title: "nas-backup is late", message: "expected a moment earlier, counts as missed 1 h later", look: "warning low" },
    "missed, with a grace of seconds": { given: { graceMs: 30_000 }, steps: [[0.25, ok()], [61, "tick"]], title: "nas-backup missed its check-in", message: "expected every 1 h, grace 30 s, last ok 1 h earlier", look: "error high firing" },
    "late, with a grace of seconds": { given: { graceMs: 30_000, notifyLate: true }, steps: [[0.25, ok()], [60.25, "tick"]], title: "nas-backup is late", message: "expected every 1 h, counts as missed 30 s later", look: "warning low" },
    "overrun of seconds": { given: { maxRunMs: 30_000 }, steps: [[0.25, start()], [1, "tick"]], title: "nas-backup runs too long", message: "not finished within 30 s", look: "error high firing" },
    "up after a gap of the server": { steps: [[0, ok()], [90, gap], [95, "tick"], [600, start()], [612, ok()]], title: "nas-backup is back", message: "back; the server was offline for 20 min, run took 12 min", look: "success normal resolved" },
    "paused after a gap of the server": { steps: [[0, ok()], [90, gap], [95, "tick"], [600, "pause"]], title: "nas-backup is paused", message: "the server was offline for 20 min", look: "info low resolved" },
    "deleted after a gap of the server": { steps: [[0, ok()], [90, gap], [95, "tick"], [600, "delete"]], title: "nas-backup was deleted", message: "the server was offline for 20 min", look: "info low resolved" },
    "late": { given: { ...nightly, notifyLate: true }, steps: [[1, ok()], [daily, "tick"]], title: "nas-backup is late", message: "expected 02:30 (Europe/Berlin), counts as missed at 03:30", look: "warning low" },
    "warning": { given: once, steps: [[0, start()], [4, failed("oops")]], title: "nas-backup failed", message: "exit 2 after 4 min\n1 of 2 failures in a row until it is down\n\noops", look: "warning low" },
    "success": { given: { notifySuccess: true }, steps: [[0, start()], [4, ok()]], title: "nas-backup succeeded", message: "took 4 min", look: "success low" },
    "success of unknown length": { given: { notifySuccess: true }, steps: [[0, ok()]], title: "nas-backup succeeded", message: "checked in", look: "success low" },
    "test": { steps: [[0, "test"]], title: "Test of nas-backup", message: "Alerts of this check arrive here.", look: "info normal" },
    "the end of a snooze": { steps: [[0, ok()], [1, snoozed(135)], [135, "tick"]], title: "nas-backup missed its check-in", message: "expected every 1 h, grace 15 min, last ok 2 h 15 min earlier", look: "error high firing" },
  };
  test.each(Object.entries(table))("%s", (_, { given = {}, steps, title, message, look }) => {
    const draft = draftOf(given, ...steps);
    expect(draft).toMatchObject({ title, message, source: "check", format: "text" });
    expect([draft.level, draft.priority, draft.status].filter((each) => each !== undefined).join(" ")).toBe(look);
    expect(draft.dedup_key).toBe(draft.status === undefined ? undefined : `check:${ID}:1`);
  });

  // the page shows the text below the reader's own time, and often hours later
  test.each(Object.entries(table))(
    "%s: no time in UTC, and nothing that becomes wrong with age",
    (_, { given = {}, steps }) => {
      const { title = "", message } = draftOf(given, ...steps);
      expect(`${title} ${message}`).not.toMatch(/UTC|\bago\b|\bsince\b|already down for/);
      expect(message.replaceAll(/[^,;]* \(Europe\/Berlin\)|counts as missed at 03:30/g, "")).not.toMatch(/\d\d:\d\d/);
    },
  );

  test.each(["UTC", "Etc/UTC", "GMT", "Etc/GMT", "Etc/GMT+0", "Zulu"])(
    "in zone %s no time of day is written",
    (zone) => {
      const [{ draft } = {}] = composedOf({}, [[0, ok()], [75, "tick"]], at(75), zone); // prettier-ignore
      expect(draft?.message).toBe("expected every 1 h, grace 15 min, last ok 1 h 15 min earlier");
    },
  );

  test("in the zone of the server, where a schedule has none", () => {
    const steps: Step[] = [[0, ok()], [75, "tick"]]; // prettier-ignore
    const [{ draft } = {}] = composedOf({}, steps, at(75), "Asia/Kolkata");
    expect(draft?.message).toBe("expected 08:00 (Asia/Kolkata), grace 15 min, last ok 1 h 15 min earlier");
    expect(composedOf(nightly, [[0, ok()], [daily + 60, "tick"]], at(daily + 60), "Asia/Kolkata")[0]?.draft.message).toContain("expected 02:30 (Europe/Berlin)"); // prettier-ignore
  });

  test("a different year is written out", () => {
    const { message } = draftOf(nightly, [0, ok()], [daily * 60, "tick"]);
    expect(message).toStartWith("expected Sat 21 Nov 2026 02:30 (Europe/Berlin)");
  });
});

describe("the owner's level and priority", () => {
  const loud: Partial<CheckSettings> = { level: "warning", priority: "urgent" };
  const soft: Partial<CheckSettings> = { level: "info", priority: "low" };
  // prettier-ignore
  test.each<[string, Partial<CheckSettings>, Step[], string]>([
    ["down",                    loud,                            [[0, exit(1)]],                        "warning urgent"],
    ["another reason",          loud,                            [[0, ok()], [75, "tick"], [90, exit(3)]], "warning urgent"],
    ["test",                    loud,                            [[0, "test"]],                         "warning urgent"],
    ["a recovery stays normal", loud,                            [[0, exit(1)], [1, ok()]],             "success normal"],
    ["so does a reminder",      loud,                            [[0, exit(1)], [daily, "tick"]],       "warning normal"],
    ["down, softly",            soft,                            [[0, exit(1)]],                        "info low"],
    ["no louder than that",     soft,                            [[0, exit(1)], [1, ok()]],             "success low"],
    ["nor a reminder",          soft,                            [[0, exit(1)], [daily, "tick"]],       "warning low"],
  ])("%s", (_, given, steps, look) => {
    const { level, priority } = draftOf(given, ...steps);
    expect(`${level} ${priority}`).toBe(look);
  });
});

describe("data", () => {
  test("of an incident", () => {
    const { data, timestamp, tags } = draftOf({ slug: "nas", tags: ["a", "b"] }, [0, ok()], [80, "tick"]);
    const time = (minutes: number) => new Date(at(minutes)).toISOString();
    expect(data).toEqual({
      check: ID,
      slug: "nas",
      incident: 1,
      reason: "missed",
      expected_at: time(60),
      deadline_at: time(75),
      last_ok_at: time(0),
      missed: 1,
      server_gap: false,
    });
    expect([timestamp, tags]).toEqual([time(75), ["a", "b"]]);
  });

  // prettier-ignore
  test.each<[string, Step[], minutes: number | undefined]>([
    ["a reminder",      [[0, ok()], [75, "tick"], [75 + daily, "tick"]], 75],
    ["another reason",  [[0, ok()], [75, "tick"], [90, exit(3)]],        75],
    ["a recovery",      [[0, ok()], [75, "tick"], [90, ok()]],           undefined],
  ])("the timestamp of %s is the time since which its card is down", (_, steps, minutes) => {
    expect(draftOf({}, ...steps).timestamp).toBe(minutes === undefined ? undefined : new Date(at(minutes)).toISOString());
  });

  test("of a failure", () => {
    const draft = draftOf({}, [0, exit(2)]);
    expect(draft.data).toEqual({ check: ID, incident: 1, reason: "failed", missed: 0, exit: 2, server_gap: false });
    expect(draft).not.toHaveProperty("timestamp");
    expect(draft).not.toHaveProperty("tags");
  });

  test("has the exit code also in a reminder and a warning", () => {
    expect(draftOf({}, [0, exit(2)], [daily, "tick"]).data).toMatchObject({ exit: 2 });
    expect(draftOf(once, [0, exit(2)]).data).toEqual({ check: ID, exit: 2 });
  });

  test("of what is not an incident", () => {
    const late = draftOf({ notifyLate: true }, [0, ok()], [60, "tick"]).data;
    expect(late).toMatchObject({
      expected_at: new Date(at(60)).toISOString(),
      deadline_at: new Date(at(75)).toISOString(),
    });
    expect(draftOf({}, [0, "test"]).data).toEqual({ check: ID });
  });
});

describe("output", () => {
  const shown = (tail: string) => draftOf({}, [0, failed(tail)]).message.replace(/^exit 2\n?\n?/, "");

  test("is its last 500 characters", () => {
    const message = shown(`first ${"x".repeat(600)} last`);
    expect(message).toStartWith("…x");
    expect(message).toEndWith("x last");
    expect(characters(message)).toBe(500);
  });
  test("is whole when it has no more", () => {
    expect(shown("x".repeat(500))).toBe("x".repeat(500));
  });
  test("counts a character of two UTF-16 units once", () => {
    expect(shown("😀".repeat(600))).toBe(`…${"😀".repeat(499)}`);
  });
  test("is cut between two graphemes", () => {
    const family = "👨‍👩‍👧‍👦";
    expect(shown(family.repeat(100))).toBe(`…${family.repeat(71)}`);
  });
  // prettier-ignore
  test.each([
    ["colours and controls",  "\x1b[31mdisk\x1b[0m full\x07\u202e", "disk full"],
    ["half a character",      "\ud800x",                             "\ufffdx"],
    ["nothing",               " \n\n ",                              ""],
    ["passwords in URLs",     "at https://u:p@h.example/",           "at https://h.example/"],
    ["ping URLs",             `+ curl https://h.example/v1/ping/${ID}/start?rid=a`, "+ curl https://h.example/v1/ping/…/start?rid=a"],
    ["ping URLs in JSON",     `"https:\\/\\/h.example\\/v1\\/ping\\/${ID}\\/start"`, '"https:\\/\\/h.example\\/v1\\/ping\\/…\\/start"'],
    ["push URLs",             `GET /api/push/${ID}?status=up`,       "GET /api/push/…?status=up"],
    ["ping keys",             `PING_KEY=pk_${ID}`,                   "PING_KEY=pk_…"],
    ["tokens",                `TOKEN=${ID}, '${ID}'`,                "TOKEN=…, '…'"],
    ["tokens with escapes",   `a\\n${ID}\\n ping%2F${ID}%3Frid`,     "a\\n…\\n ping%2F…%3Frid"],
    ["the keys of topics",    `/home/nas-backups-${ID}/messages`,    "/home/nas-backups-…/messages"],
  ])("without %s", (_, sent, message) => {
    expect(shown(sent)).toBe(message);
  });
  // prettier-ignore
  test.each([
    ["longer words",     `${ID}0`],
    ["shorter ones",     ID.slice(1)],
    ["other letters",    `${ID.slice(1)}o`],
    ["capital letters",  ID.toUpperCase()],
    ["checksums",        "0123456789abcdef".repeat(4)],
  ])("with %s", (_, said) => {
    expect(shown(said)).toBe(said);
  });
});

test("a name that hides text is shown as it reads", () => {
  expect(draftOf({ name: "a\u202eb https://u:p@h.example" }, [0, exit(1)]).title).toBe("ab https://h.example failed");
  expect(draftOf({ name: "\u200b" }, [0, exit(1)]).title).toBe("A check failed");
  expect(draftOf({ name: `job ${ID}` }, [0, exit(1)]).title).toBe("job … failed");
});
