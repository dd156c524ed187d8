/** @jsxImportSource #jsx */
/** Times as the server writes them, and as the script writes them again in the reader's own browser. */
import { afterAll, afterEach, expect, test } from "bun:test";
import { join } from "node:path";
import { textsOf, type Language } from "../../src/pages/texts/texts.ts";
import { BriefTime, dayWords, Time } from "../../src/pages/times.tsx";
import { launch, noComplaints, open } from "./browser.ts";

const NOW = Date.parse("2026-01-03T12:00:00Z");
const zone = "Europe/Berlin";
const viewIn = (language: Language) => ({ locale: textsOf(language).locale, zone, now: NOW });

// prettier-ignore
const rows: [at: string, language: Language, clock: string, dated: string, brief: string][] = [
  ["2026-01-03T09:05:00Z", "en", "10:05", "Saturday 3 January, 10:05",             "10:05"],
  ["2026-01-02T09:05:00Z", "en", "10:05", "Friday 2 January, 10:05",               "Fri 10:05"],
  ["2025-12-31T09:05:00Z", "en", "10:05", "Wednesday, 31 December 2025, 10:05",    "Wed 10:05"],
  ["2025-12-28T11:00:00Z", "en", "12:00", "Sunday, 28 December 2025, 12:00",       "28 Dec 2025"],
  ["2024-03-04T11:00:00Z", "en", "12:00", "Monday, 4 March 2024, 12:00",           "4 Mar 2024"],
  ["2026-05-04T10:00:00Z", "en", "12:00", "Monday 4 May, 12:00",                   "4 May"],
  // another year in the reader's zone, not in UTC
  ["2025-12-31T23:30:00Z", "en", "00:30", "Thursday 1 January, 00:30",             "Thu 00:30"],
  ["2026-05-04T10:00:00Z", "de", "12:00", "Montag, 4. Mai, 12:00",                 "4. Mai"],
  ["2024-03-04T11:00:00Z", "de", "12:00", "Montag, 4. März 2024, 12:00",           "4. März 2024"],
];
const timesOf = (at: number, language: Language): string => {
  const view = viewIn(language);
  return [<Time view={view} at={at} />, <Time view={view} at={at} dated />, <BriefTime view={view} at={at} />]
    .map(({ html }) => html)
    .join("");
};

test.each(rows)("%s in %s: the year stands there where it is another", (at, language, clock, dated, brief) => {
  const texts = timesOf(Date.parse(at), language).split(/<[^>]+>/);
  expect(texts.filter((text) => text !== "")).toEqual([clock, dated, brief]);
  expect(dated).toStartWith(dayWords(viewIn(language), Date.parse(at)));
});

const browser = await launch();
afterEach(noComplaints);
afterAll(async () => browser.close());

test.each(["en", "de"] as const)("in %s the script writes times as the server did", async (language) => {
  const { outputs } = await Bun.build({ entrypoints: [join(import.meta.dir, "../../static/times.ts")] });
  const { locale } = textsOf(language);
  await using opened = await open(browser, { locale, timezoneId: zone });
  const { page } = opened;
  await page.clock.setFixedTime(NOW);
  const times = rows.map(([at]) => timesOf(Date.parse(at), language)).join("");
  await page.setContent(`<html lang="${language}" data-words='{"locale":"${locale}"}'><body>${times}</body></html>`);
  const shown = async () => page.locator("time").allTextContents();
  const before = await shown();
  const script = `data:text/javascript,${encodeURIComponent((await outputs[0]?.text()) ?? "")}`;
  await page.evaluate(`import(${JSON.stringify(script)}).then(({ localize }) => localize(document))`);
  expect(await shown()).toEqual(before);
  expect(before).toHaveLength(3 * rows.length);
});
