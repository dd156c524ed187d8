/** @jsxImportSource #jsx */
/** What is drawn on the server: QR codes, and the hours of a topic. */
import { expect, test } from "bun:test";
import { encode } from "uqr";
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
