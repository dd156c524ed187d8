/** @jsxImportSource #jsx */
/** What the server draws: QR codes, and pictures of hours and days. */
import { expect, test } from "bun:test";
import { encode } from "uqr";
import { LevelColumns, topOf } from "../../src/pages/charts/levels.tsx";
import { OutcomeChart, ShareChart } from "../../src/pages/charts/outcomes.tsx";
import { Spans } from "../../src/pages/charts/spans.tsx";
import { Spark } from "../../src/pages/charts/spark.tsx";
import { Qr } from "../../src/pages/elements/qr.tsx";

test("a QR code has the modules of its text, and a text alternative", () => {
  const text = "https://peal.example/home/nas/nas-0123456789abcdefghjkmnpqrs";
  const { html } = <Qr text={text} label={`QR code of "nas"`} />;
  const { data, size } = encode(text, { ecc: "M", border: 0 });
  const drawn = Array.from({ length: size }, () => Array.from({ length: size }, () => false));
  for (const [, x = "", y = "", width = ""] of html.matchAll(/M(\d+) (\d+)h(\d+)v1H\1z/g))
    drawn[Number(y)]?.fill(true, Number(x), Number(x) + Number(width));
  expect(drawn).toEqual(data);
  expect(html).toStartWith(`<svg class="qr" viewBox="0 0 ${size} ${size}"`);
  expect(html).toContain(`role="img" aria-label="QR code of &quot;nas&quot;"`);
});

test("hours are bars that grow with their messages, marked where there was an error", () => {
  const of = (messages: number, hasError = false) => ({ messages, hasError });
  const { html } = <Spark hours={[of(0), of(1), of(3, true), of(60)]} label="64 messages" />;
  const bars = [...html.matchAll(/<rect(?: class="(\w)")? x="(\d+)" y="([\d.]+)" width="2.8" height="([\d.]+)"/g)];
  expect(bars.map(([, tone, x]) => [tone, x])).toEqual([
    ["z", "0"],
    [undefined, "4"],
    ["e", "8"],
    [undefined, "12"],
  ]);
  const heights = bars.map(([, , , , height]) => Number(height));
  expect(heights).toEqual(heights.toSorted((a, b) => a - b));
  expect(new Set(heights).size).toBe(4);
  expect(heights.at(-1)).toBe(20);
  for (const [, , , y, height] of bars) expect(Number(y) + Number(height)).toBeCloseTo(20);
  expect(html).toContain('role="img" aria-label="64 messages"');
});

test("outcomes are bars per day, failures on top of what was accepted and wider, on an axis with a middle", () => {
  const of = (accepted: number, failed = 0) => ({ accepted, failed });
  const days = [of(0), of(50), of(30, 20), of(999, 1), of(0, 2)].map((day, n) => ({
    ...{ ...day, title: `<day ${n}>`, name: `${n} Nov` },
  }));
  const { html } = <OutcomeChart days={days} label="7 days" />;
  const boxes = (look: string) =>
    [
      ...(new RegExp(`class="${look}" d="([^"]*)"`).exec(html)?.[1] ?? "").matchAll(
        /M([\d.]+) ([\d.]+)v-([\d.]+)h(\d)/g,
      ),
    ].map(([, x, y, height, width]) => [x, y, height, width].map(Number));
  expect(boxes("bar")).toEqual([
    [12, 100, 5, 6], // a zero has no bar
    [22, 100, 4, 6],
    [32, 100, 96, 6],
  ]);
  expect(boxes("bar fail")).toEqual([
    [20.5, 96, 4, 9],
    [30.5, 4, 4, 9], // one of a thousand is visible
    [40.5, 100, 4, 9],
  ]);
  expect([...html.matchAll(/<title>(.*?)<\/title>/g)].map(([, title]) => title)).toEqual(
    [1, 2, 3, 4].map((n) => `&lt;day ${n}&gt;`),
  );
  expect(html).toContain('role="img" aria-label="7 days"');
  expect([...html.matchAll(/<span>(.*?)<\/span>/g)].map(([, words]) => words)).toEqual([
    ...["1000", "500", "0"],
    ...days.map(({ name }) => name),
  ]);
});

test.each([
  [0, 2],
  [1, 2],
  [3, 4],
  [7, 8],
  [10, 10],
  [16, 20],
  [100, 100],
  [101, 200],
  [950, 1_000],
])("the axis for at most %d ends at %d, and has a middle", (most, top) => {
  expect(topOf(most)).toBe(top);
});

test("the share is as high as it is large, whatever the number", () => {
  const { html } = (
    <ShareChart
      hours={[
        { accepted: 3, failed: 1, title: "3 of 4" },
        { accepted: 300, failed: 100, title: "300 of 400" },
      ]}
    />
  );
  expect(html).toContain('class="bar" d="M2 100v-75h6v75zM12 100v-75h6v75z"');
  expect(html).toContain('class="bar fail" d="M0.5 25v-25h9v25zM10.5 25v-25h9v25z"');
});

test("levels can be told apart without colour, small counts are visible beside large ones, and a stack is no higher than its chart", () => {
  const of = (info: number, success = 0, warning = 0, error = 0) => ({
    ...{ counts: { info, success, warning, error }, title: `${info}` },
  });
  const { html } = <LevelColumns columns={[of(100, 1, 1, 1), of(0), of(50)]} top={100} every={1} />;
  const paths = [...html.matchAll(/<path class="(\w+)" stroke="var\(--tone\)" ([^>]*?) ?d="([^"]*)"/g)];
  expect(new Set(paths.map(([, , look]) => look)).size).toBe(4);
  expect(paths.map(([, level]) => level)).toEqual(["info", "success", "warning", "error"]);
  const columns = paths.map(([, , , d = ""]) =>
    [...d.matchAll(/M(\d+) ([\d.]+)V([\d.]+)/g)].map((all) => all.slice(1).map(Number)),
  );
  expect(columns[0]).toEqual([
    [5, 100, 13],
    [25, 100, 50],
  ]);
  expect(columns[3]?.[0]?.[2]).toBe(0);
  expect(html.match(/<title>/g)).toHaveLength(2);
});

const HOUR = 3_600_000;
test("outages are bars on one line, cut at its beginning, visible even if short; unknown times are an outline", () => {
  const { html } = (
    <Spans
      from={0}
      hours={24}
      every={6}
      spans={[
        { from: -5 * HOUR, to: 2 * HOUR },
        { from: 12 * HOUR, to: 12 * HOUR + 1 },
        { from: 23.99 * HOUR, to: 24 * HOUR, isUnsure: true },
      ]}
    />
  );
  expect(
    [...html.matchAll(/<rect class="([\w ]+)" x="([\d.]+)" y="1" width="([\d.]+)"/g)].map((all) => all.slice(1)),
  ).toEqual([
    ["bar fail", "0", "20"],
    ["bar fail", "120", "1"],
    ["bar miss", "239", "1"],
  ]);
});
