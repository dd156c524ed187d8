/** @jsxImportSource #jsx */
/** Runs as they are drawn, and as they are described (WEB.md §3). */
import { describe, expect, test } from "bun:test";
import type { PastRun } from "../../src/checks/days/past-runs.ts";
import { axisOf, barsOf, longestMs, RunChart } from "../../src/pages/charts/runs.tsx";
import { resultWords, runsLabel } from "../../src/pages/dashboard/checks/run-words.ts";
import { textsOf } from "../../src/pages/texts/languages.ts";

const MINUTE = 60_000;
const run = (kind: PastRun["kind"], minutes?: number): PastRun => ({
  ...{ kind, at: 0 },
  ...(minutes !== undefined && { durationMs: minutes * MINUTE }),
});

// prettier-ignore
const bars: [promise: string, run: PastRun, look: string, height: number][] = [
  ["the longest is full",             run("ok", 10),         "ok",      1],
  ["half as long is half as high",    run("ok", 5),          "ok",      0.5],
  ["no time is still seen",           run("ok", 0),          "ok",      0.06],
  ["unknown is an outline",           run("ok"),             "untimed", 0.6],
  ["failed leaves room for a cross",  run("failed", 10),     "fail",    0.7],
  ["too long is a failure",           run("overrun", 60),    "fail",    0.7],
  ["missed is as high as it goes",    run("missed"),         "miss",    1],
  ["running grows",                   run("running", 1),     "run",     0.1],
  ["and goes no further",             run("running", 20),    "run",     1],
];
test.each(bars)("%s", (_, one, look, height) => {
  const [bar] = barsOf([one], 10 * MINUTE);
  expect(bar?.look as string).toBe(look);
  expect(bar?.height).toBeCloseTo(height, 5);
});

test("where no run was timed none is an outline, because no height means anything", () => {
  const runs = [run("ok"), run("ok")];
  expect(barsOf(runs, 0).map(({ look }) => look)).toEqual(["ok", "ok"]);
  const { html } = <RunChart runs={runs} titles={[]} label="" axis={[]} ends={["", ""]} />;
  expect(html).not.toContain("untimed");
});

test("one that took too long does not make the others lower", () => {
  expect(longestMs([run("ok", 4), run("overrun", 120)])).toBe(4 * MINUTE);
  expect(longestMs([run("ok"), run("overrun", 120)])).toBe(120 * MINUTE);
  expect(longestMs([run("missed")])).toBe(0);
});

// prettier-ignore
const axes: [longest: number, steps: number[]][] = [
  [0,                  [1 / 60, 2 / 60, 3 / 60]],
  [3_000,              [1 / 60, 2 / 60, 3 / 60]],
  [3_001,              [5 / 60, 10 / 60, 15 / 60]],
  [21 * MINUTE,        [10, 20, 30]],
  [30 * MINUTE,        [10, 20, 30]],
  [3 * 1440 * MINUTE,  [1440, 2880, 4320]],
];
test.each(axes)("an axis for %p ms has round steps", (longest, steps) => {
  expect(axisOf(longest).map((ms) => ms / MINUTE)).toEqual(steps);
});

test("an axis reaches beyond any run", () => {
  expect(axisOf(1e12)[2]).toBeGreaterThanOrEqual(1e12);
});

const hostile = `"><script>x</script>`;
const chart = (runs: readonly PastRun[], label = "") =>
  (<RunChart runs={runs} titles={[]} label={label} axis={[]} ends={["first", "last"]} />).html;
const xs = (html: string) => [...html.matchAll(/<rect class="bar[^"]*" x="([\d.]+)"/g)].map(([, x]) => Number(x));

test("bars begin at the left end, above their first label, however few there are, and are not drawn as towers", () => {
  const few = chart([run("ok", 10), run("failed", 5)], hostile);
  expect(few).toContain(`viewBox="0 0 120 100"`);
  expect(xs(few)).toEqual([2, 12]);
  expect(few).toContain("<span>first</span><span>last</span>");
  expect(few).toContain(`role="img" aria-label="${Bun.escapeHTML(hostile)}"`);
  expect([...few.matchAll(/class="x"/g)]).toHaveLength(1);
  const many = chart(Array.from({ length: 30 }, () => run("ok", 1)));
  expect(many).toContain(`viewBox="0 0 300 100"`);
  expect(xs(many).at(-1)).toBe(292);
  expect(few + many).not.toContain("style");
});

test("without a duration they are slots of one height, without grid lines", () => {
  const timed = chart([run("ok", 1), run("missed")]);
  expect([timed.includes("axis"), timed.includes("flat")]).toEqual([true, false]);
  const flat = chart([run("ok"), run("ok"), run("failed"), run("missed")]);
  expect([flat.includes("axis"), flat.includes(`class="flat"`)]).toEqual([false, true]);
  const heights = [...flat.matchAll(/<rect class="bar" [^>]*height="([\d.]+)"/g)].map(([, height]) => height);
  expect(heights).toEqual(["22", "22"]);
  expect(flat).toContain("bar fail");
  expect(flat).toContain("bar miss");
});

test("a chart has a title for each bar", () => {
  const { html } = (
    <RunChart
      runs={[run("ok", 1), run("missed")]}
      titles={["a & b", "c"]}
      label="two"
      axis={["3 min", "0"]}
      ends={["", ""]}
    />
  );
  expect([...html.matchAll(/<title>([^<]*)<\/title>/g)].map(([, title]) => title)).toEqual(["a &amp; b", "c"]);
  expect(html).toContain(`aria-label="two"`);
});

describe("in words", () => {
  const { checks: en } = textsOf("en");
  const { checks: de } = textsOf("de");
  const some = [run("ok", 1), run("failed", 1), run("overrun", 1), run("missed"), run("running", 1)];
  // prettier-ignore
  const labels: [runs: PastRun[], en: string, de: string][] = [
    [[],                          "No runs of nas yet",                                               "Noch keine Läufe von nas"],
    [[run("ok")],                 "The last run of nas: all ok",                                      "Der letzte Lauf von nas: ok"],
    [[run("ok"), run("ok")],      "The last 2 runs of nas: all ok",                                   "Die letzten 2 Läufe von nas: alle ok"],
    [some,                        "The last 5 runs of nas: 1 ok, 2 failed, 1 missed, 1 running now",  "Die letzten 5 Läufe von nas: 1 ok, 2 fehlgeschlagen, 1 ausgeblieben, 1 im Gange"],
  ];
  test.each(labels)("%p", (runs, english, german) => {
    expect(runsLabel("nas", runs, en)).toBe(english);
    expect(runsLabel("nas", runs, de)).toBe(german);
  });

  // prettier-ignore
  const results: [run: PastRun, words: string][] = [
    [run("ok"),                            "ok"],
    [run("ok", 12),                        "ok, took 12\u00a0min"],
    [{ ...run("failed", 4), exit: 2 },     "exit 2 after 4\u00a0min"],
    [run("failed"),                        "Failed"],
    [run("overrun", 60),                   "over its 1\u00a0h"],
    [run("running", 3),                    "running for 3\u00a0min"],
    [run("missed"),                        "Missed"],
    [{ ...run("missed"), isGap: true },    "missed, but this server was offline"],
  ];
  test.each(results)("%p is %s", (one, words) => {
    expect(resultWords(one, en)).toBe(words);
  });
});

test("the title for a single run has no number", () => {
  expect([1, 2].map(textsOf("en").checks.runs.title)).toEqual(["Last run", "Last 2 runs"]);
  expect([1, 2].map(textsOf("de").checks.runs.title)).toEqual(["Letzter Lauf", "Letzte 2 Läufe"]);
});
