/** The words in which `peal checks` describes the state of a check. */
import { expect, test } from "bun:test";
import type { CheckRecord } from "../../src/checks/schema.ts";
import { factsOf, relative, scheduleOf, stateOf } from "../../src/cli/checks-words.ts";

const NOW = Date.UTC(2026, 10, 21, 12);
const HOUR = 3_600_000;
const at = (ms: number): string => new Date(NOW + ms).toISOString();

// prettier-ignore
const manual: CheckRecord = {
  id: "t2aby59wezbw6f21fyyyzwt14t", namespace: "home", name: "nas", topic: "checks-x", topic_name: "checks", tags: [],
  grace: 3600, early: 120, max_run: 3600, fail_after: 1, recover_after: 1, remind_every: 86_400,
  notify_late: false, notify_success: false, post_only: false, armed: false, resume_by_ping: false, paused: false, state: "up", late: false,
  running: false, badge_url: "https://peal.example/b.svg", pings: 3, created_at: at(0),
};
const check: CheckRecord = { ...manual, every: 86_400, ping_url: "https://peal.example/v1/ping/x" };
const incident = {
  ...({ n: 1, reason: "missed", opened_at: at(-2 * HOUR), missed: 1, server_gap: false, reminders: 0 } as const),
};

// prettier-ignore
const states: [given: Partial<CheckRecord>, words: string][] = [
  [{ state: "new" },                                                      "new, no success yet"],
  [{ state: "up" },                                                       "up"],
  [{ state: "up", running: true },                                        "up; running"],
  [{ state: "up", late: true, next_slot_at: at(-HOUR / 2) },              "late for 30 min"],
  [{ state: "new", late: true, next_slot_at: at(-HOUR / 2) },             "late for 30 min"],
  [{ state: "paused", paused: true },                                     "paused"],
  [{ state: "down", incident },                                           "down for 2 h: missed its check-in"],
  [{ state: "down", incident: { ...incident, reason: "failed", exit: 3 } }, "down for 2 h: failed (exit 3)"],
  [{ state: "down", incident: { ...incident, reason: "overrun" }, running: true }, "down for 2 h: is running too long; running"],
  [{ state: "down", incident: { ...incident, acked_at: at(0) } },         "down for 2 h: missed its check-in, acknowledged"],
  [{ state: "up", muted_until: at(90 * 60_000) },                         "up; no alerts for 1 h 30 min"],
];
test.each(states)("%j", (given, words) => {
  expect(stateOf({ ...check, ...given }, NOW)).toBe(words);
});

test("schedules", () => {
  expect(scheduleOf(check)).toBe("every 1 d");
  expect(scheduleOf({ ...manual, cron: "30 2 * * *", timezone: "Europe/Berlin" })).toBe("30 2 * * * Europe/Berlin");
  expect(scheduleOf(manual)).toBe("none: alerts on failure only");
});

test("times", () => {
  expect([relative(at(-HOUR), NOW), relative(at(HOUR), NOW), relative(undefined, NOW)]).toEqual([
    "1 h ago",
    "in 1 h",
    "–",
  ]);
});

test("what a check does not have is left out", () => {
  const facts = new Map(factsOf(check, NOW));
  expect([...facts.keys()]).toEqual([
    ...[
      "name",
      "state",
      "ping url",
      "schedule",
      "grace",
      "early",
      "longest run",
      "down after",
      "up after",
      "reminders",
    ],
    ...["topic", "badge", "id"],
  ]);
  const more = new Map(
    factsOf({ ...check, max_run: 0, fail_after: 3, remind_max: 2, armed: true, notify_late: true, hint: "odd" }, NOW),
  );
  expect(more.get("longest run")).toBe("any");
  expect(more.get("down after")).toBe("3 failures in a row");
  expect(more.get("reminders")).toBe("every 1 d, 2 at most");
  expect(more.get("also alerts")).toBe("if it never checks in, when it's late");
  expect(more.get("hint")).toBe("odd");
  expect(new Map(factsOf(manual, NOW)).get("ping url")).toContain("peal checks rotate");
});
