/** @jsxImportSource #jsx */
/** The days of a check as they are drawn: a strip and a calendar, with a separate shape for each kind (WEB.md §3). */
import { describe, expect, test } from "bun:test";
import type { Square } from "../../src/checks/days/figures.ts";
import { DayCalendar, DaySample, DayStrip, SQUARES } from "../../src/pages/charts/days.tsx";

const hostile = `"><script>x</script>`;
const shapesOf = (html: string) =>
  [...html.matchAll(/<path class="([^"]+)" d="([^"]+)"/g)].map(([, look, d]) => [look, d]);

test("a strip has one slot per day, in the order of the days, and one path per kind", () => {
  const days: Square[] = ["none", "ok", "part", "missed", "paused", "ok"];
  const { html } = <DayStrip days={days} label={hostile} />;
  expect(html).toContain(
    `width="30" height="22" viewBox="0 0 30 22" role="img" aria-label="${Bun.escapeHTML(hostile)}"`,
  );
  expect(shapesOf(html)).toEqual([
    ["bar", "M5 0h4v22h-4zM25 0h4v22h-4z"],
    ["bar", "M10 0h4v10h-4z"],
    ["bar fail", "M10 12h4v10h-4z"],
    ["bar miss", "M15.75 0.75h2.5v20.5h-2.5z"],
    ["bar rest", "M20 14.3h4v7.7h-4z"],
    ["bar none", "M0 19.4h4v2.6h-4z"],
  ]);
  expect(html).not.toContain("style");
});

test("each kind has a shape of its own, whatever its colour", () => {
  const drawn = SQUARES.map((kind) => {
    const { html } = <DaySample kind={kind} />;
    return shapesOf(html)
      .map(([, d]) => d)
      .join();
  });
  expect(new Set(drawn).size).toBe(SQUARES.length);
});

/** Thursday 1 January 1970 is day 0. */
const MONDAY = 4;
const places = (html: string) =>
  [...html.matchAll(/<title>([^<]*)<\/title><path class="bar" d="M(\d+) (\d+)h/g)].map(([, title, x, y]) => [
    ...[title, Number(x) / 18, Number(y) / 18],
  ]);
const calendar = (from: number, count: number) => {
  const days = Array.from({ length: count }, (_, i) => ({ day: from + i, kind: "ok" as const }));
  const { html } = <DayCalendar days={days} titles={days.map(({ day }) => `day ${day}`)} label={hostile} />;
  return html;
};

describe("a calendar", () => {
  test("has a column per week, Monday on top", () => {
    expect(places(calendar(MONDAY - 1, 9))).toEqual([
      ["day 3", 0, 6],
      ["day 4", 1, 0],
      ["day 5", 1, 1],
      ["day 6", 1, 2],
      ["day 7", 1, 3],
      ["day 8", 1, 4],
      ["day 9", 1, 5],
      ["day 10", 1, 6],
      ["day 11", 2, 0],
    ]);
    expect(calendar(MONDAY, 7)).toContain(`width="18" height="126"`);
  });

  test("of 90 days is no wider than a phone, whichever weekday it begins on", () => {
    for (let day = 20_000; day < 20_007; day++) {
      const html = calendar(day, 90);
      expect(places(html)).toHaveLength(90);
      expect(Number(/ width="(\d+)"/.exec(html)?.[1])).toBeLessThanOrEqual(252);
      expect(html).toContain(`aria-label="${Bun.escapeHTML(hostile)}"`);
    }
  });

  test("of 90 days that are all different has at most 3 KB", () => {
    const days = Array.from({ length: 90 }, (_, i) => ({
      day: 20_000 + i,
      kind: SQUARES[(i * 7) % 5] ?? ("ok" as const),
    }));
    const titles = days.map(({ day }, i) => `Wednesday ${day} November 2026: down for part of the day, ${i * 13} min`);
    const { html } = <DayCalendar days={days} titles={titles} label="" />;
    expect(Bun.gzipSync(Buffer.from(html)).length).toBeLessThanOrEqual(3_072);
  });
});
