/** @jsxImportSource #jsx */
/** Times as the server writes them, and as the script rewrites them in the reader's own browser (WEB.md §1). */
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import fc from "fast-check";
import { LANGUAGES, textsOf, type Language } from "../../src/pages/texts/languages.ts";
import { Ago, BriefTime, dayWords, Time } from "../../src/pages/elements/times.tsx";
import { examples } from "../support/rounds.ts";
import { closeWindows, noComplaints, open, sharedBrowser } from "./browser.ts";

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
const NOW = Date.parse("2026-01-03T12:00:00Z");
const zone = "Europe/Berlin";
const viewIn = (language: Language, now = NOW, timeZone = zone) => {
  const texts = textsOf(language);
  return { locale: texts.locale, zone: timeZone, now, texts };
};
type Reader = ReturnType<typeof viewIn>;

/** In all four forms: below a day's heading, of what has happened, within a sentence, with its day. */
const htmlOf = (view: Reader, at: number): string =>
  [
    <Time view={view} at={at} />,
    <Ago view={view} at={at} />,
    <BriefTime view={view} at={at} />,
    <Time view={view} at={at} dated />,
  ]
    .map(({ html }) => html)
    .join("");
const textsIn = (html: string): string[] => html.split(/<[^>]+>/).filter((text) => text !== "");

// prettier-ignore
const rows: [at: string, language: Language, log: string, ago: string, brief: string, dated: string][] = [
  ["2026-01-03T11:59:45Z", "en", "just now",          "just now",          "12:59",              "Saturday 3 January, 12:59"],
  // the clock of the server or of the browser is a little ahead
  ["2026-01-03T12:00:20Z", "en", "just now",          "just now",          "13:00",              "Saturday 3 January, 13:00"],
  ["2026-01-03T11:40:00Z", "en", "20\u00a0min ago",   "20\u00a0min ago",   "12:40",              "Saturday 3 January, 12:40"],
  ["2026-01-03T11:00:20Z", "en", "59\u00a0min ago",   "59\u00a0min ago",   "12:00",              "Saturday 3 January, 12:00"],
  ["2026-01-03T09:05:00Z", "en", "2\u00a0h ago",      "2\u00a0h ago",      "10:05",              "Saturday 3 January, 10:05"],
  ["2026-01-03T00:00:00Z", "en", "12\u00a0h ago",     "12\u00a0h ago",     "01:00",              "Saturday 3 January, 01:00"],
  // of the same day, and beyond
  ["2026-01-02T23:59:00Z", "en", "00:59",             "Sat 00:59",         "Sat 00:59",          "Saturday 3 January, 00:59"],
  ["2026-01-02T09:05:00Z", "en", "10:05",             "Fri 10:05",         "Fri 10:05",          "Friday 2 January, 10:05"],
  ["2025-12-31T09:05:00Z", "en", "10:05",             "Wed 10:05",         "Wed 10:05",          "Wednesday, 31 December 2025, 10:05"],
  ["2025-12-28T11:00:00Z", "en", "12:00",             "28 Dec 2025, 12:00", "28 Dec 2025, 12:00", "Sunday, 28 December 2025, 12:00"],
  // another year in the reader's zone, not in UTC
  ["2025-12-31T23:30:00Z", "en", "00:30",             "Thu 00:30",         "Thu 00:30",          "Thursday 1 January, 00:30"],
  // in the future
  ["2026-01-03T14:00:00Z", "en", "15:00",             "15:00",             "15:00",              "Saturday 3 January, 15:00"],
  ["2026-05-04T10:00:00Z", "en", "12:00",             "4 May, 12:00",      "4 May, 12:00",       "Monday 4 May, 12:00"],
  ["2026-01-03T11:40:00Z", "de", "vor 20\u00a0min",   "vor 20\u00a0min",   "12:40",              "Samstag, 3. Januar, 12:40"],
  ["2026-01-03T11:59:45Z", "de", "gerade eben",       "gerade eben",       "12:59",              "Samstag, 3. Januar, 12:59"],
  ["2026-05-04T10:00:00Z", "de", "12:00",             "4. Mai, 12:00",     "4. Mai, 12:00",      "Montag, 4. Mai, 12:00"],
  ["2024-03-04T11:00:00Z", "de", "12:00",             "4. März 2024, 12:00", "4. März 2024, 12:00", "Montag, 4. März 2024, 12:00"],
];

test.each(rows)("%s in %s: how long ago up to 12 h, then day and time", (at, language, log, ago, brief, dated) => {
  const view = viewIn(language);
  expect(textsIn(htmlOf(view, Date.parse(at)))).toEqual([log, ago, brief, dated]);
  expect(dated).toStartWith(dayWords(view, Date.parse(at)));
});

test("after midnight, what happened 20 minutes ago is still 20 minutes ago, and since 23:52 names no day", () => {
  const view = viewIn("en", Date.parse("2026-01-03T23:12:00Z"));
  expect(textsIn(htmlOf(view, Date.parse("2026-01-03T22:52:00Z"))).slice(0, 3)).toEqual([
    ...["20\u00a0min ago", "20\u00a0min ago"],
    "23:52",
  ]);
});

const browser = await sharedBrowser();
let script = "";
beforeAll(async () => {
  const { outputs } = await Bun.build({ entrypoints: [join(import.meta.dir, "../../static/times.ts")] });
  script = `data:text/javascript,${encodeURIComponent((await outputs[0]?.text()) ?? "")}`;
});
afterEach(noComplaints);
afterAll(async () => closeWindows(browser));

/** A page with times from the server, before and after the script rewrote them. */
async function rewritten(language: Language, view: Reader, times: readonly number[]) {
  const { live } = textsOf(language);
  await using opened = await open(browser, { locale: view.locale, timezoneId: view.zone });
  const { page } = opened;
  await page.clock.setFixedTime(view.now);
  const words = JSON.stringify({ locale: view.locale, ago: live.ago, justNow: live.justNow });
  const body = times.map((at) => htmlOf(view, at)).join("");
  await page.setContent(`<html lang="${language}" data-words='${words}'><body>${body}</body></html>`);
  const shown = async () =>
    page.evaluate<string[]>("[...document.querySelectorAll('time')].map((time) => time.outerHTML)");
  const before = await shown();
  // a placeholder for what the script must write
  await page.evaluate("for (const time of document.querySelectorAll('time')) time.textContent = '?'");
  await page.evaluate(`import(${JSON.stringify(script)}).then(({ localize }) => localize(document))`);
  return { before, after: await shown() };
}

test.each(LANGUAGES)("in %s the script writes the times of the table like the server", async (language) => {
  const { before, after } = await rewritten(language, viewIn(language), rows.map(([at]) => Date.parse(at))); // prettier-ignore
  expect(after.map(withoutTitle)).toEqual(before.map(withoutTitle));
  expect(before).toHaveLength(4 * rows.length);
});

/** The exact time in the title names the zone in different ways: `CET`, `GMT+1`. */
const withoutTitle = (html: string): string => html.replace(/ title="[^"]*"/, "");

test("at any time, in any zone and language the script writes what the server writes", async () => {
  const zones = ["UTC", "Europe/Berlin", "America/St_Johns", "Asia/Kathmandu", "Pacific/Apia", "Australia/Lord_Howe"];
  const away = fc.oneof(
    fc.integer({ min: -DAY, max: DAY }),
    fc.integer({ min: -8 * DAY, max: 8 * DAY }),
    fc.integer({ min: -800 * DAY, max: 400 * DAY }),
    // the edges: now, an hour, 12 h, six days
    fc.tuple(fc.constantFrom(0, 60, 720, 6 * 1_440), fc.constantFrom(1, -1), fc.integer({ min: -31_000, max: 31_000 }))
      .map(([minutes, sign, ms]) => sign * minutes * MINUTE + ms), // prettier-ignore
  );
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...LANGUAGES),
      fc.constantFrom(...zones),
      fc.integer({ min: Date.UTC(2024, 0), max: Date.UTC(2031, 0) }),
      fc.array(away, { minLength: 40, maxLength: 80 }),
      async (language, timeZone, now, aways) => {
        const view = viewIn(language, now, timeZone);
        const { before, after } = await rewritten(language, view, aways.map((ms) => now + ms)); // prettier-ignore
        expect(after.map(withoutTitle)).toEqual(before.map(withoutTitle));
      },
    ),
    { numRuns: examples(24) },
  );
}, 120_000);
