/** How a body of unknown shape is shown to people: without its secrets, limited in size, and quickly (docs/publish.md). */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { MAX_CAME_BYTES, written } from "../../src/rewrites/came.ts";
import { examples, IS_THOROUGH } from "../support/rounds.ts";
import { hostile } from "./hostile.ts";

const body = (payload: unknown) => written(payload, "").body;

// prettier-ignore
const rows: [what: string, payload: unknown, body: string][] = [
  ["a member a line",          { a: 1, b: [true, null, "x"], c: {}, d: [] }, '{\n  "a": 1,\n  "b": [\n    true,\n    null,\n    "x"\n  ],\n  "c": {},\n  "d": []\n}'],
  ["a scalar",                 "x",                                          '"x"'],
  ["named like secrets",       { token: 1, apiKey: { a: 1 }, key: "k", Authorization: ["b"], monkey: "m" }, '{\n  "token": "…",\n  "apiKey": "…",\n  "key": "…",\n  "Authorization": "…",\n  "monkey": "m"\n}'],
  ["secrets in a URL",         ["https://u:p@h/?token=t&a=1"],               '[\n  "https://h/?a=1"\n]'],
  ["secrets in a name",        { "https://u:p@h/": 1 },                      '{\n  "https://h/": 1\n}'],
  ["controls",                 { a: "\0\x1b[31m\n" },                        '{\n  "a": "\\u0000\\u001b[31m\\n"\n}'],
  ["half a surrogate pair",    ["\ud83d"],                                   '[\n  "\ufffd"\n]'],
  ["a name of JavaScript's",   JSON.parse('{"__proto__":{"a":1}}'),          '{\n  "__proto__": {\n    "a": 1\n  }\n}'],
];
test.each(rows)("%s", (_, payload, expected) => {
  expect(written(payload, "")).toEqual({ body: expected, isCut: false });
});

test("what was not JSON is shown as its text, without terminal control codes", () => {
  expect(written(undefined, "\x1b[31mred\x1b[0m\0 https://u:p@h/?token=t")).toEqual({
    body: "red https://h/",
    isCut: false,
  });
});

test("what exceeds the kept size is cut, and this is said", () => {
  const long = "ü".repeat(MAX_CAME_BYTES);
  for (const [payload, raw] of [
    [undefined, long],
    [{ long }, ""],
    [Array.from({ length: 30_000 }, () => 1), ""],
  ] as const) {
    const made = written(payload, raw);
    expect(made.isCut).toBe(true);
    expect(Buffer.byteLength(made.body)).toBeWithin(MAX_CAME_BYTES - 3, MAX_CAME_BYTES + 1);
  }
  const exactly = written(undefined, "x".repeat(MAX_CAME_BYTES));
  expect(exactly).toEqual({ body: "x".repeat(MAX_CAME_BYTES), isCut: false });
});

test("half of a secret is never shown at the end of what is kept", () => {
  for (let before = MAX_CAME_BYTES - 40; before < MAX_CAME_BYTES; before++) {
    const text = `${"x".repeat(before)} https://user:hunter2@h.example/`;
    expect(written(undefined, text).body).not.toContain("hunt");
    expect(body({ text })).not.toContain("hunt");
  }
});

test("any JSON without secrets is shown as it was sent", () => {
  const names = fc.string({ maxLength: 20 }).filter((name) => !/token|secret|passw|key|auth|cred|cookie/i.test(name));
  const values = fc.oneof(fc.integer(), fc.boolean(), fc.constant(null), fc.stringMatching(/^[a-z ]{0,20}$/));
  const { node } = fc.letrec<{ node: unknown }>((tie) => ({
    node: fc.oneof(values, fc.array(tie("node"), { maxLength: 5 }), fc.dictionary(names, tie("node"), { maxKeys: 5 })),
  }));
  fc.assert(
    fc.property(node, (value) => {
      expect(JSON.parse(body(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
    { numRuns: examples(300) },
  );
});

/** The most that may be sent; quadratic work takes a minute even on a quarter of it. */
const BYTES = IS_THOROUGH ? 1_048_576 : 262_144;
// the runner's time limit is the assertion
test(`${BYTES / 1024} KiB designed to be slow are written quickly, and within their limits`, () => {
  for (const { payload, raw } of hostile(BYTES))
    expect(Buffer.byteLength(written(payload, raw).body)).toBeWithin(0, MAX_CAME_BYTES + 1);
}, 60_000);
