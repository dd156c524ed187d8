/** What one message says about many checks (CHECKINS.md §5). */
import { describe, expect, test } from "bun:test";
import type { CheckSettings, Told } from "../../src/checks/check.ts";
import { compose } from "../../src/checks/alerts/compose.ts";
import { at, exit, ok, snoozed, start } from "./rows.ts";
import { nightly, type Step, Story } from "./story.ts";
import { ID, toldOf } from "./told.ts";

/** A day, in minutes. */
const daily = 1440;

describe("many at once", () => {
  const down = (n: number, steps: Step[], given: Partial<CheckSettings> = {}): Told[] => {
    const story = new Story({ name: `job ${n}`, slug: `job-${n}`, tags: ["nas", `t${n}`], ...given });
    return story.play(...steps).alerts.map((alert) => toldOf(story, alert, `${ID.slice(0, 22)}${1000 + n}`));
  };
  const many = (count: number, steps: Step[], given?: Partial<CheckSettings>) =>
    Array.from({ length: count }, (_, n) => down(n + 1, steps, given)).flat();
  const missed: Step[] = [
    [0, ok()],
    [75, "tick"],
  ];
  const away: Step[] = [
    [0, ok()],
    [120, { kind: "tick", gap: { from: at(70), to: at(101) } }],
  ];
  const textsOf = (told: Told[], now = at(75)) =>
    compose(told, { now, zone: "UTC" }).map(({ draft }) => [draft.title, draft.message]);

  test("four are reported one by one", () => {
    const told = [...many(4, missed), ...down(5, [[0, "test"]]), ...many(1, away)];
    expect(compose(told, { now: at(120), zone: "UTC" }).map((one) => one.told.length)).toEqual([1, 1, 1, 1, 1, 1]);
  });

  test("five are reported in one message that names them", () => {
    const told = many(5, missed);
    const [one, ...others] = compose(told, { now: at(75), zone: "UTC" });
    expect(others).toEqual([]);
    expect(one?.told).toEqual(told);
    expect(one?.draft).toEqual({
      title: "5 checks missed their check-in",
      message: [1, 2, 3, 4, 5]
        .map((n) => `• job ${n}: expected every 1 h, grace 15 min, last ok 1 h 15 min earlier`)
        .join("\n"),
      level: "error",
      priority: "high",
      format: "text",
      source: "check",
      tags: ["nas", "t1", "t2", "t3", "t4", "t5"],
      data: {
        count: 5,
        checks: [1, 2, 3, 4, 5].map((n) => ({
          check: `${ID.slice(0, 22)}${1000 + n}`,
          slug: `job-${n}`,
          incident: 1,
          reason: "missed",
        })),
        server_gap: false,
      },
    });
  });

  test("it opens no card: each recovery is a separate message, resolved at once", () => {
    const { draft } = compose(down(1, [...missed, [80, ok()]]), { now: at(80), zone: "UTC" })[0] ?? {};
    expect(draft).toMatchObject({ dedup_key: `check:${ID.slice(0, 22)}1001:1`, status: "resolved" });
  });

  test("of several reasons", () => {
    const told = [
      ...many(4, missed),
      ...down(5, [
        [70, start()],
        [85, "tick"],
      ]),
    ];
    const { draft } = compose(told, { now: at(85), zone: "UTC" })[0] ?? {};
    expect(draft).toMatchObject({ title: "5 checks are down", timestamp: new Date(at(75)).toISOString() });
  });

  test("twenty are named, the others are counted", () => {
    const { draft } = compose(many(23, missed), { now: at(75), zone: "UTC" })[0] ?? {};
    const lines = draft?.message.split("\n") ?? [];
    expect([lines.length, lines.at(-1), draft?.title]).toEqual([21, "… and 3 more", "23 checks missed their check-in"]);
    expect(draft?.data).toMatchObject({ count: 23 });
    expect(compose(many(20, missed), { now: at(75), zone: "UTC" })[0]?.draft.message).not.toContain("more");
  });

  test("as loud as the loudest", () => {
    const told = [...many(4, missed, { level: "info", priority: "low" }), ...down(5, missed, { priority: "urgent" })];
    expect(compose(told, { now: at(75), zone: "UTC" })[0]?.draft).toMatchObject({ level: "error", priority: "urgent" });
  });

  test("other alerts are sent beside it, in their order", () => {
    const told = [
      ...down(9, [
        [0, exit(1)],
        [1, ok()],
      ]),
      ...many(5, missed),
      ...down(8, [[0, "test"]]),
    ];
    expect(textsOf(told).map(([title]) => title)).toEqual([
      "job 9 is back",
      "5 checks missed their check-in",
      "Test of job 8",
    ]);
  });

  test("what the server may have missed goes into one message, however few the checks", () => {
    const told = many(3, away);
    const [one, ...others] = compose(told, { now: at(120), zone: "UTC" });
    expect(others).toEqual([]);
    expect(one?.draft).toMatchObject({
      title: "No check-in seen for 3 checks",
      message: "job 1, job 2, job 3; the server was offline for 31 min, the ping may have been lost",
      level: "warning",
      priority: "normal",
      data: { count: 3, server_gap: true },
    });
    expect(one?.draft).not.toHaveProperty("dedup_key");
  });

  test("twenty of those are named as well, for the whole time", () => {
    const longer: Step[] = [
      [0, ok()],
      [120, { kind: "tick", gap: { from: at(60), to: at(80) } }],
    ];
    const [[, message] = []] = textsOf([...many(22, away), ...down(23, longer)], at(120));
    expect(message).toContain("job 19, job 20 and 3 more; the server was offline for 41 min");
    expect(textsOf(many(20, away), at(120))[0]?.[1]).toContain("job 19, job 20; the server");
  });

  test("even of a single one, as a card that its recovery closes", () => {
    expect(compose(many(1, away), { now: at(120), zone: "UTC" })[0]?.draft).toMatchObject({
      title: "No check-in seen for job 1",
      message: "the server was offline for 31 min, the ping may have been lost",
      dedup_key: `check:${ID.slice(0, 22)}1001:1`,
      status: "firing",
      data: { server_gap: true, reason: "missed" },
    });
  });

  test("in the zone that its checks have in common", () => {
    const night: Step[] = [
      [1, ok()],
      [daily + 70, { kind: "tick", gap: { from: at(daily + 30), to: at(daily + 61) } }],
    ];
    expect(textsOf(many(2, night, nightly), at(daily + 70))[0]?.[1]).toContain("offline 03:00–03:31 (Europe/Berlin)");
    const mixed = [...many(1, night, nightly), ...many(1, away)];
    expect(textsOf(mixed, at(daily + 70))[0]?.[1]).toContain("offline for ");
  });

  test("in the zone of the server, where they share none", () => {
    const [one] = compose(many(2, away), { now: at(120), zone: "Asia/Kolkata" });
    expect(one?.draft.message).toContain("offline 08:10–08:41 (Asia/Kolkata)");
  });

  test("at the end of a snooze, too", () => {
    const told = many(1, [[0, ok()], [1, snoozed(300)], away[1] as Step, [300, "tick"]]);
    expect(textsOf(told, at(300))[0]?.[1]).toBe("the server was offline for 31 min, the ping may have been lost");
  });

  // prettier-ignore
  const storms: [kind: string, steps: Step[], given: Partial<CheckSettings>, title: string, line: string, look: string][] = [
    ["reminders",      [...missed, [75 + daily, "tick"]],        {},                       "5 checks are still down", "had been down for 1 d",                                "warning normal"],
    ["ends of snoozes", [[0, exit(1)], [1, snoozed(90)], [90, "tick"]], {},                "5 checks are still down", "had been down for 1 h 30 min",                         "warning normal"],
    ["lates",          [[0, ok()], [60, "tick"]],                { notifyLate: true },     "5 checks are late",       "expected every 1 h, counts as missed 15 min later",    "warning low"],
    ["other reasons",  [[0, exit(1)], [1, start()], [16, "tick"]], {},                     "5 checks are down",       "not finished within 15 min",                           "error high"],
  ];
  test.each(storms)("five %s are reported in one message", (_, steps, given, title, line, look) => {
    const [now = 0] = steps.at(-1) ?? [];
    expect(compose(many(4, steps, given), { now: at(now), zone: "UTC" })).toHaveLength(4);
    const [one, ...others] = compose(many(5, steps, given), { now: at(now), zone: "UTC" });
    expect(others).toEqual([]);
    expect(one?.draft).toMatchObject({ title, message: [1, 2, 3, 4, 5].map((n) => `• job ${n}: ${line}`).join("\n") });
    expect(`${one?.draft.level} ${one?.draft.priority}`).toBe(look);
    expect(one?.draft).not.toHaveProperty("dedup_key");
    expect(one?.draft.data).toMatchObject({ count: 5, server_gap: false });
  });

  test("reminders of many say since when in the zone of the server, unless that is UTC", () => {
    const reminded = many(5, [...missed, [75 + daily, "tick"]]);
    const [one] = compose(reminded, { now: at(75 + daily), zone: "Asia/Kolkata" });
    expect(one?.draft.message.split("\n")[0]).toBe("• job 1: since Fri 20 Nov 08:15 (Asia/Kolkata)");
  });

  test("each kind is counted by itself", () => {
    const reminded: Step[] = [...missed, [75 + daily, "tick"]];
    expect(compose([...many(4, missed), ...many(4, reminded)], { now: at(75 + daily), zone: "UTC" })).toHaveLength(8);
    const told = [...many(5, missed), ...many(5, reminded), ...many(1, away)];
    expect(textsOf(told, at(75 + daily)).map(([title]) => title)).toEqual([
      "5 checks missed their check-in",
      "5 checks are still down",
      "No check-in seen for job 1",
    ]);
  });

  test("recoveries are reported one by one: each closes its own card", () => {
    expect(compose(many(6, [...missed, [80, ok()]]), { now: at(80), zone: "UTC" })).toHaveLength(6);
  });

  test("a storm and a gap make two messages", () => {
    expect(textsOf([...many(5, missed), ...many(2, away)]).map(([title]) => title)).toEqual([
      "5 checks missed their check-in",
      "No check-in seen for 2 checks",
    ]);
  });
});
