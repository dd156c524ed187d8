/**
 * What a body may demand of its reader: it is judged before it is parsed, decoded in one way only, and large ones are
 * read one at a time.
 */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { readBytes } from "../../src/http/body.ts";
import { queryOf } from "../../src/http/query.ts";
import { parseForm } from "../../src/messages/body/form.ts";
import { withoutControls } from "../../src/util/text/text.ts";
import { beginningOf, truncate } from "../../src/drafts/fit.ts";
import { excessOf, jsonIn } from "../../src/util/json.ts";
import { withContext } from "../support/context.ts";
import { examples } from "../support/rounds.ts";

const bytes = (text: string) => Buffer.from(text);
const isTooDeep = (text: string) => excessOf(bytes(text)) === "is nested deeper than 64 levels";

/** How many lists and objects surround the innermost value. */
function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}
const valuesOf = (value: unknown): number =>
  typeof value !== "object" || value === null
    ? 1
    : 1 + Object.values(value).reduce<number>((sum, each) => sum + valuesOf(each), 0);

describe("the nesting depth of JSON, judged from its bytes", () => {
  /** Texts that contain what looks like structure. */
  const texts = fc.oneof(fc.string({ unit: "binary" }), fc.stringMatching(/^[[\]{}",:\\]{0,20}$/));
  /** A value inside this many nested lists and objects. */
  const nested = fc
    .tuple(fc.jsonValue(), fc.array(fc.oneof(fc.constant(undefined), texts), { minLength: 56, maxLength: 70 }), texts)
    .map(([value, around, text]) =>
      around.reduce<unknown>((inner, key) => (key === undefined ? [text, inner] : { [key]: inner, z: text }), value),
    );
  const blanks = fc.constantFrom(undefined, 1, "\t\r\n ");

  test("is that of the value, whatever strings and whitespace contain", () => {
    fc.assert(
      fc.property(
        nested,
        blanks,
        (value, space) => isTooDeep(JSON.stringify(value, null, space)) === depthOf(value) > 64,
      ),
      { numRuns: examples(2_000) },
    );
  });

  test("is never found where there is none: every flat text that can be parsed is let through", () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), texts), (text) => {
        const value = jsonIn(text);
        return value === undefined || excessOf(bytes(text)) === undefined;
      }),
      { numRuns: examples(2_000) },
    );
  });

  // prettier-ignore
  const rows: [string, string, boolean][] = [
    ["64 lists",                               "[".repeat(64) + "]".repeat(64),            false],
    ["65",                                     "[".repeat(65) + "]".repeat(65),            true],
    ["64, many times",                         `[${"[".repeat(63)}${"]".repeat(63)},${"[".repeat(63)}${"]".repeat(63)}]`, false],
    ["65 that nothing ends",                   "[".repeat(65),                             true],
    ["objects",                                '{"a":'.repeat(65),                         true],
    ["brackets in a string",                   `"${"[".repeat(999)}"`,                     false],
    ["brackets behind an escaped quote",       `"\\"${"[".repeat(999)}"`,                  false],
    ["brackets behind an escaped backslash",   `"\\\\"${"[".repeat(999)}`,                 true],
    ["brackets in a string that nothing ends", `"${"[".repeat(999)}`,                      false],
    ["a backslash at the end",                 `"\\`,                                      false],
    ["nothing",                                "",                                         false],
  ];
  test.each(rows)("%s", (_, text, isDeep) => expect(isTooDeep(text)).toBe(isDeep));
});

test("JSON of more than 32,768 values is not parsed", () => {
  const list = (length: number) => JSON.stringify(Array.from({ length }, () => 0));
  expect(valuesOf(JSON.parse(list(32_767)))).toBe(32_768);
  expect(excessOf(bytes(list(32_766)))).toBeUndefined();
  expect(excessOf(bytes(list(32_768)))).toBe("contains more than 32,768 values");
  expect(excessOf(bytes(`["${",".repeat(99_999)}"]`))).toBeUndefined();
});

describe("a form", () => {
  const pairs = fc.array(fc.tuple(fc.string({ unit: "binary", minLength: 1 }), fc.string({ unit: "binary" })));
  const sound = (text: string) => text.toWellFormed().replaceAll("\ufeff", ""); // a decoder drops a byte order mark at the beginning

  test("is read as it was written", () => {
    fc.assert(
      fc.property(pairs, (fields) => {
        const written = new URLSearchParams(
          fields.map(([name, value]): [string, string] => [sound(name) || "n", sound(value)]),
        );
        expect([...(parseForm(bytes(written.toString())) ?? [])]).toEqual([...written]);
      }),
      { numRuns: examples(1_000) },
    );
  });

  test("of any bytes is read as a browser's parser reads it, or not at all where it is not UTF-8", () => {
    const pieces = fc.constantFrom("%", "%4", "%41", "%zz", "+", "&", "=", "a", "ü", "%C3%BC", "%c3", "%ff", "%%41");
    fc.assert(
      fc.property(fc.array(pieces), (parts) => {
        const text = parts.join("");
        const read = parseForm(bytes(text));
        const wanted = [...new URLSearchParams(text)];
        if (read === undefined) expect(JSON.stringify(wanted)).toContain("\ufffd");
        else expect([...read]).toEqual(wanted);
      }),
      { numRuns: examples(2_000) },
    );
  });

  test("is read up to its thousandth field", () => {
    const form = parseForm(bytes(Array.from({ length: 1_500 }, (_, n) => `f${n}=${n}`).join("&")));
    expect([form?.size, form?.get("f999"), form?.has("f1000")]).toEqual([1_000, "999", false]);
  });
});

test("a query is read up to its hundredth parameter", () => {
  const query = (length: number) => Array.from({ length }, (_, n) => `p${n}=${n}`).join("&");
  expect(queryOf(new Request(`http://x/?${query(500)}`)).get("p99")).toBe("99");
  expect(queryOf(new Request(`http://x/?${query(500)}`)).size).toBe(100);
  expect(queryOf(new Request(`http://x/?title=${"a".repeat(200)}`)).get("title")).toHaveLength(200);
});

test("of a long text only as much is read as a message can hold, and it is cut as if all had been read", () => {
  const units = fc.constantFrom("a", "ü", "€", "👨‍👩‍👧‍👦", "e\u0301", "\x01", "\n", "\ufffd", "a".repeat(999));
  const whole = (body: Uint8Array) => truncate(withoutControls(new TextDecoder().decode(body)));
  fc.assert(
    fc.property(fc.array(units, { minLength: 1, maxLength: 5 }), fc.integer({ min: 1, max: 140_000 }), (some, size) => {
      const body = bytes(some.join("").repeat(Math.ceil(size / 4))).subarray(0, size);
      const { text, isWhole } = beginningOf(body);
      expect({ text, truncated: !isWhole }).toEqual(whole(body));
    }),
    { numRuns: examples(50) },
  );
  expect(beginningOf(Buffer.alloc(1_048_576, "x"))).toEqual({ text: "x".repeat(32_768), isWhole: false });
});

test("large bodies are handed out one per four turns of the event loop, small ones as they arrive", async () => {
  const read = async (size: number) => {
    const request = new Request("http://x/", { method: "POST", body: Buffer.alloc(size) });
    withContext(request, { server: { timeout: () => undefined } });
    await readBytes(request, 1_048_576);
    return turns;
  };
  let turns = 0;
  const turning = { on: true };
  const next = () => {
    turns++;
    if (turning.on) setImmediate(next);
  };
  setImmediate(next);
  const large = await Promise.all(Array.from({ length: 6 }, async () => read(32_769)));
  const small = await Promise.all(Array.from({ length: 20 }, async () => read(32_768)));
  turning.on = false;
  const between = large.slice(1).map((turn, n) => turn - (large[n] ?? 0));
  expect(Math.min(...between)).toBeGreaterThanOrEqual(4);
  expect(new Set(small).size).toBeLessThan(6);
});
