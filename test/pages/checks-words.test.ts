/** The state and the schedule of a check in words (CHECKINS.md §1, §3). */
import { describe, expect, test } from "bun:test";
import type { CheckSettings, Incident, Standing } from "../../src/checks/check.ts";
import { lastLine } from "../../src/checks/alerts/last-line.ts";
import type { PastRun } from "../../src/checks/days/past-runs.ts";
import { shownState, urgencyOf } from "../../src/pages/dashboard/checks/state.ts";
import { scheduleWords } from "../../src/pages/dashboard/checks/schedule-words.ts";
import { reason, sentence } from "../../src/pages/dashboard/checks/state-words.tsx";
import { Fragment } from "../../src/pages/jsx/jsx-runtime.ts";
import { textsOf, type Language } from "../../src/pages/texts/languages.ts";
import { standing } from "../store/conformance/watching.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOW = Date.parse("2026-11-21T13:10:00Z");
const before = (minutes: number): number => NOW - minutes * MINUTE;
const after = (minutes: number): number => NOW + minutes * MINUTE;

const said = (
  given: Partial<Standing>,
  language: Language = "en",
  runs: readonly PastRun[] = [],
  { say = sentence, printed }: { say?: typeof sentence; printed?: string } = {},
): string => {
  const texts = textsOf(language);
  const view = { base: "", url: "", language, locale: texts.locale, texts, zone: "Europe/Berlin", now: NOW };
  const { html } = Fragment({ children: say({ view, check: { standing: standing(given) }, runs, said: printed }) });
  return html.replaceAll(/<[^>]+>/g, "").replaceAll("\u00a0", " ");
};
const incident = (over: Partial<Incident>): Partial<Standing> => ({
  state: "down",
  incident: { ...{ n: 1, reason: "failed", openedAt: before(125), missed: 0, isTold: true, reminders: 0 }, ...over },
});
const settings = (over: Partial<CheckSettings>): CheckSettings => ({ ...standing().settings, ...over });
const failedRun: PastRun = { kind: "failed", at: before(130), durationMs: 4 * MINUTE };

// prettier-ignore
const rows: [state: string, given: Partial<Standing>, english: string, german: string, runs?: readonly PastRun[]][] = [
  ["new",     { state: "new" }, "Never checked in. Add its ping URL to the job.", "Noch nie gemeldet. Die Ping-URL in den Job einfügen."],
  ["new",     { state: "new", slotAt: after(60), deadlineAt: after(75) }, "Never checked in. Alerts in 1 h 15 min if still silent.", "Noch nie gemeldet. Alarm in 1 h 15 min, wenn er still bleibt."],
  ["late",    { slotAt: before(8), deadlineAt: after(7) }, "Expected 8 min ago, alerts in 7 min if still silent.", "Vor 8 min erwartet, Alarm in 7 min, wenn er still bleibt."],
  ["late",    { slotAt: before(8), deadlineAt: before(1) }, "Expected 8 min ago, alerting now.", "Vor 8 min erwartet, der Alarm ist fällig."],
  ["running", { runs: [{ rid: "a", isNamed: true, startedAt: before(3), hasOverrun: false }], lastDurationMs: 4 * MINUTE }, "Running for 3 min. Usually takes 4 min.", "Läuft seit 3 min. Braucht sonst 4 min."],
  ["down",    incident({ exit: 2 }), "Down for 2 h 5 min: exit 2 after 4 min.", "Ausgefallen seit 2 h 5 min: Exit 2 nach 4 min.", [failedRun]],
  ["down",    incident({ ackedAt: before(1), ackedBy: "Mara" }), "Down for 2 h 5 min: it reported a failure. Mara is on it.", "Ausgefallen seit 2 h 5 min: ein Fehler wurde gemeldet. Mara kümmert sich."],
  ["down",    { ...incident({ reason: "missed", expectedAt: before(185) }), lastOkAt: before(1500) }, "Down for 2 h 5 min: no check-in, expected 11:05.", "Ausgefallen seit 2 h 5 min: keine Meldung, erwartet 11:05."],
  ["down",    incident({ reason: "missed", expectedAt: before(185) }), "Down for 2 h 5 min: it never checked in.", "Ausgefallen seit 2 h 5 min: noch nie gemeldet."],
  ["down",    incident({ reason: "missed", gap: { from: 1, to: 2 } }), "Down for 2 h 5 min: no check-in seen while this server was offline.", "Ausgefallen seit 2 h 5 min: keine Meldung, während dieser Server aus war."],
  ["down",    incident({ reason: "overrun", startedAt: before(185), deadlineAt: before(125) }), "Down for 2 h 5 min: running since 11:05, limit 1 h.", "Ausgefallen seit 2 h 5 min: läuft seit 11:05 und darf 1 h dauern."],
  ["paused",  { state: "paused", paused: { at: Date.parse("2026-11-14T10:00:00Z"), by: "Jonas" } }, "Paused by Jonas since 14 Nov, 11:00. Pings are recorded; no alerts are sent.", "Pausiert von Jonas, seit 14. Nov., 11:00. Pings werden behalten, niemand erfährt davon."],
  ["paused",  { state: "paused" }, "Paused. Pings are recorded; no alerts are sent.", "Pausiert. Pings werden behalten, niemand erfährt davon."],
  ["up",      { slotAt: after(30), lastDurationMs: 9_000 }, "Every hour, next in 30 min.", "Jede Stunde, das nächste Mal in 30 min."],
  ["up",      { settings: settings({ schedule: { kind: "manual" } }) }, "No schedule: alerts on failure only.", "Zu keiner Zeit erwartet: nur Fehler lösen Alarm aus."],
  ["up",      { slotAt: after(30), mutedUntil: after(50) }, "Every hour, next in 30 min. Snoozed until 15:00.", "Jede Stunde, das nächste Mal in 30 min. Still bis 15:00."],
];
describe("state", () => {
  test.each(rows.map(([state, given, en, de, runs = []]) => [state, given, en, de, runs] as const))(
    "%s: %p",
    (state, given, english, german, runs) => {
      expect(shownState(standing(given), NOW) as string).toBe(state);
      expect(said(given, "en", runs)).toBe(english);
      expect(said(given, "de", runs)).toBe(german);
    },
  );
});

// prettier-ignore
const reasons: [promise: string, given: Partial<Standing>, english: string, german: string, printed?: string][] = [
  ["quotes what the job printed last",  { ...incident({ exit: 1 }), lastOkAt: before(1500) }, "Down for 2 h 5 min: exit 1 after 4 min: “disk full”. Last success Fri 13:10.", "Ausgefallen seit 2 h 5 min: Exit 1 nach 4 min: „disk full“. Letzter Erfolg Fr., 13:10.", "disk full"],
  ["escapes it",                        incident({ exit: 1 }), "Down for 2 h 5 min: exit 1 after 4 min: “&lt;b&gt;”.", "Ausgefallen seit 2 h 5 min: Exit 1 nach 4 min: „&lt;b&gt;“.", "<b>"],
  ["says when it was well before late", { slotAt: before(8), deadlineAt: after(7), lastOkAt: before(68) }, "Expected 8 min ago, alerts in 7 min if still silent. Last success 13:02.", "Vor 8 min erwartet, Alarm in 7 min, wenn er still bleibt. Letzter Erfolg 13:02."],
  ["says so of what is up",             { slotAt: after(30), lastOkAt: before(30) }, "Every hour, next in 30 min. Last success 13:40.", "Jede Stunde, das nächste Mal in 30 min. Letzter Erfolg 13:40."],
  ["is short of what is paused",        { state: "paused", paused: { at: before(60), by: "Jo" }, lastOkAt: before(90) }, "Paused by Jo 13:10, no alerts. Last success 12:40.", "Pausiert von Jo seit 13:10, kein Alarm. Letzter Erfolg 12:40."],
  ["is silent of a success there was not", { state: "new" }, "Never checked in. Add its ping URL to the job.", "Noch nie gemeldet. Die Ping-URL in den Job einfügen."],
];
describe("the reason in a list", () => {
  test.each(reasons.map(([promise, given, en, de, printed = ""]) => [promise, given, en, de, printed] as const))(
    "%s",
    (_, given, english, german, printed) => {
      const options = { say: reason, ...(printed !== "" && { printed }) };
      expect(said(given, "en", [failedRun], options)).toBe(english);
      expect(said(given, "de", [failedRun], options)).toBe(german);
    },
  );
});

const TOKEN = "0123456789abcdefghjkmnpqrs";
// prettier-ignore
const outputs: [output: string, last: string | undefined][] = [
  ["",                                     undefined],
  ["\n \n\t\n",                            undefined],
  ["one",                                  "one"],
  ["one\r\ntwo  \r\n\r\n",                 "two"],
  [`curl https://x/v1/ping/${TOKEN}/fail`, "curl https://x/v1/ping/…/fail"],
  [`token ${TOKEN}`,                       "token …"],
  ["é".repeat(121),                        `${"é".repeat(119)}…`],
  [`a\n${"🔔".repeat(120)}`,               "🔔".repeat(120)],
];
test.each(outputs)("of the output %j a reason quotes the last line", (output, last) => {
  expect(lastLine(new TextEncoder().encode(output))).toBe(last);
});

test("what needs attention comes first", () => {
  const open = { rid: "a", isNamed: true, startedAt: before(3), hasOverrun: false };
  const order: Partial<Standing>[] = [
    incident({}),
    incident({ ackedAt: before(1) }),
    { slotAt: before(8), deadlineAt: after(7) },
    { runs: [open] },
    { state: "new" },
    { slotAt: before(8), deadlineAt: after(7), mutedUntil: after(5) },
    { slotAt: after(30), mutedUntil: before(1) },
  ];
  const ranks = order.map((given) => urgencyOf(standing(given), NOW));
  expect(ranks).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(urgencyOf(standing({ state: "paused" }), NOW)).toBe(5);
  expect(urgencyOf(standing({ ...incident({}), mutedUntil: after(5) }), NOW)).toBe(1);
});

// prettier-ignore
const plans: [expression: string, english: string][] = [
  ["30 2 * * *",    "Daily at 02:30"],
  ["@daily",        "Daily at 00:00"],
  ["15 4 * * 1",    "Mondays 04:15"],
  ["0 3 * * 6,0",   "Saturdays and Sundays 03:00"],
  ["0 9 * * 1-5",   "Weekdays at 09:00"],
  ["0 1 1 * *",     "1st of the month, 01:00"],
  ["0 1 23 * *",    "23rd of the month, 01:00"],
  ["0 1 12 * *",    "12th of the month, 01:00"],
  ["5 * * * *",     "Hourly at :05"],
  ["*/15 * * * *",  "Cron: */15 * * * *"],
  ["0 1 1 * 1",     "Cron: 0 1 1 * 1"],
  ["0 1 1 6 *",     "Cron: 0 1 1 6 *"],
  ["5 * * * 1",     "Cron: 5 * * * 1"],
  ["0 1,13 * * *",  "Cron: 0 1,13 * * *"],
];
describe("schedule", () => {
  test.each(plans)("%s is %s", (expression, words) => {
    expect(scheduleWords({ kind: "cron", expression, timezone: "UTC" }, textsOf("en").checks)).toBe(words);
  });
  test.each([
    [24 * HOUR, "Every day", "Jeden Tag"],
    [HOUR, "Every hour", "Jede Stunde"],
    [15 * MINUTE, "Every 15\u00a0min", "Alle 15\u00a0min"],
    [90_000, "Every 1\u00a0min 30\u00a0s", "Alle 1\u00a0min 30\u00a0s"],
  ])("a period of %p is %s", (everyMs, english, german) => {
    expect(scheduleWords({ kind: "every", everyMs }, textsOf("en").checks)).toBe(english);
    expect(scheduleWords({ kind: "every", everyMs }, textsOf("de").checks)).toBe(german);
  });
});

// prettier-ignore
const headings: [counts: { down: number; late: number; all: number }, english: string, german: string][] = [
  [{ all: 0, down: 0, late: 0 },   "No checks yet",                           "Noch keine Checks"],
  [{ all: 1, down: 0, late: 0 },   "Your one check is up",                    "Ein Check, und er ist nicht ausgefallen"],
  [{ all: 3, down: 0, late: 0 },   "No checks are down",                      "Kein Check ist ausgefallen"],
  [{ all: 3, down: 0, late: 1 },   "Nothing is down, one is late",            "Nichts ist ausgefallen, einer ist überfällig"],
  [{ all: 3, down: 1, late: 0 },   "One check is down",                       "Ein Check ist ausgefallen"],
  [{ all: 3, down: 2, late: 1 },   "Two checks are down, one is late",        "Zwei Checks sind ausgefallen, einer ist überfällig"],
  [{ all: 40, down: 13, late: 2 }, "13 checks are down, two are late",        "13 Checks sind ausgefallen, zwei sind überfällig"],
];
test.each(headings)("the heading for %p says it", (counts, english, german) => {
  expect(textsOf("en").checks.heading(counts)).toBe(english);
  expect(textsOf("de").checks.heading(counts)).toBe(german);
});

test("an alarm was accepted for the only device, or for many", () => {
  const said = (language: Language, all: number) => textsOf(language).checks.told.accepted(1, all);
  expect([said("en", 1), said("en", 2)]).toEqual([
    "The alert was accepted for 1 of 1\u00a0device.",
    "The alert was accepted for 1 of 2\u00a0devices.",
  ]);
  expect([said("de", 1), said("de", 2)]).toEqual([
    "Der Alarm wurde für 1 von 1\u00a0Gerät angenommen.",
    "Der Alarm wurde für 1 von 2\u00a0Geräten angenommen.",
  ]);
});
