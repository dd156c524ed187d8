/** @jsxImportSource #jsx */
/** What is drawn on the server: QR codes, and the hours of a topic. */
import { expect, test } from "bun:test";
import { encode } from "uqr";
import { OutcomeChart } from "../../src/pages/charts/outcomes.tsx";
import { Spark } from "../../src/pages/charts/spark.tsx";
import { Qr } from "../../src/pages/qr.tsx";

test("a QR code has the modules of its text, and says in words what it is", () => {
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

test("outcomes are bars a day, what went wrong on top of what was accepted, as high as they are many", () => {
  const of = (accepted: number, failed = 0, expired = 0) => ({ accepted, failed, expired });
  const days = [of(0), of(50), of(30, 10, 10), of(999, 1), of(0, 2)];
  const { html } = (
    <OutcomeChart days={days} titles={days.map((_, n) => `<day ${n}>`)} label="14 days" ends={["first", "last"]} />
  );
  const drawn = html.split("<g>").slice(1);
  const bars = drawn.map((day) =>
    [...day.matchAll(/<rect class="bar( fail)?" x="(\d+)" y="([\d.]+)" width="6" height="([\d.]+)"/g)].map(
      ([, fail, x, y, height]) => ({ fail: fail !== undefined, x: Number(x), y: Number(y), height: Number(height) }),
    ),
  );
  expect(bars).toEqual([
    [], // of nothing there is no bar
    [{ fail: false, x: 12, y: 95, height: 5 }],
    [
      { fail: false, x: 22, y: 97, height: 3 },
      { fail: true, x: 22, y: 95, height: 2 },
    ],
    [
      { fail: false, x: 32, y: 2, height: 98 },
      { fail: true, x: 32, y: 0, height: 2 }, // one of a thousand is seen
    ],
    [{ fail: true, x: 42, y: 98, height: 2 }],
  ]);
  expect(drawn.map((day) => /<title>(.*?)<\/title>/.exec(day)?.[1])).toEqual(days.map((_, n) => `&lt;day ${n}&gt;`));
  expect(html).toContain('role="img" aria-label="14 days"');
  expect(html).toContain("<span>1000</span>");
});
