/** From bodies to drafts: every limit of API.md §3, exact and one over, and any JSON value. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import type { FieldError } from "../../src/http/problem.ts";
import { toDraft } from "../../src/messages/reading/draft.ts";
import { truncate } from "../../src/drafts/fit.ts";
import { parseTime } from "../../src/util/time.ts";
import { characters } from "../../src/util/schema.ts";
import { examples } from "../support/rounds.ts";
import { action, LIMITS, rowsOf, TOGETHER, type Limit } from "./limits.ts";

const NOW = Date.UTC(2026, 0, 1);
const draft = (body: unknown) => toDraft(body, "api", NOW);
const refusedPaths = (body: unknown) => {
  const made = draft(body);
  return made.kind === "refused" ? made.errors.map(({ path }) => path) : [];
};
const accepted = (fields: object) => {
  const made = draft({ message: "m", ...fields });
  if (made.kind === "refused") throw new Error(JSON.stringify(made.errors));
  return made;
};

// prettier-ignore
const AT: Limit = ["at",       ["2026-01-31T00:00:00Z", "2020-01-01T00:00:00Z", "2026-01-01T01:00:00.5+01:00"], ["2026-01-31T00:00:00.001Z", "tomorrow", "2026-02-30T00:00:00Z", "2026-01-01", "", 1, null]];
test.each(rowsOf([...LIMITS, AT]))("%s %s %s", (field, _, __, value, paths) => {
  expect(refusedPaths({ message: "m", [field]: value })).toEqual(paths);
});

test("a missing message, and a body that is not an object", () => {
  expect(refusedPaths({})).toEqual(["/message"]);
  for (const body of [null, 1, "text", [], [{ message: "m" }]]) expect(refusedPaths(body)).not.toEqual([]);
});

test("every wrong field is named once, with what is expected there", () => {
  const made = draft({ title: 1, level: "fatal", ttl: 1, tags: ["x".repeat(33)] });
  expect(made).toEqual({
    kind: "refused",
    errors: expect.arrayContaining([
      { path: "/message", message: "is required" },
      { path: "/title", message: "must be a string of at most 256 characters" },
      { path: "/level", message: "must be one of info, success, warning, error" },
      { path: "/ttl", message: "must be an integer from 60 to 2592000" },
      { path: "/tags/0", message: "must be a string of at most 32 characters" },
    ]) as unknown as FieldError[],
  });
});

test.each(TOGETHER)("%s", (_, fields, paths) => {
  expect(refusedPaths({ message: "m", ...fields })).toEqual(paths);
});

test("a draft has its defaults and nothing else that was not sent", () => {
  expect(draft({ message: "m", unknown: 1, title: "", dedup_key: "" })).toEqual({
    kind: "draft",
    draft: { message: "m", level: "info", priority: "normal", format: "text", source: "api" },
  });
});

test("control characters are removed from every text, except line breaks in the message, and bidi overrides from title, tag and label", () => {
  const text = "a\r\n\tb\x07\x1b\x7f\x85\u202e\u2066c";
  const made = accepted({
    message: text,
    title: text,
    tags: [text],
    actions: [action({ label: text })],
    dedup_key: text,
  });
  expect(made.draft).toMatchObject({
    message: "a\n\tb\u202e\u2066c",
    title: "a bc",
    tags: ["a bc"],
    actions: [{ label: "a bc" }],
    dedup_key: "a bc",
  });
});

test("URLs and times are stored normalised, and measured after that", () => {
  const made = accepted({
    url: "HTTPS://Host.example:443/a/../b c",
    timestamp: "2026-01-01T01:00:00.1239+01:00",
    actions: [action({ url: "http://ü.example" })],
  });
  expect(made.draft).toMatchObject({
    url: "https://host.example/b%20c",
    timestamp: "2026-01-01T00:00:00.123Z",
    actions: [{ url: "http://xn--tda.example/" }],
  });
  expect(refusedPaths({ message: "m", url: `https://h/${"ü".repeat(400)}` })).toEqual(["/url"]);
  expect(refusedPaths({ message: "m", url: `https://h/${"./".repeat(2_000)}` })).toEqual([]);
});

test("a delay makes the message wait, a time in the past does not", () => {
  expect(accepted({ delay: 60 })).toMatchObject({ deliverAt: NOW + 60_000, draft: { source: "api" } });
  expect(accepted({ at: "2026-01-01T00:00:01Z" })).toMatchObject({ deliverAt: NOW + 1_000 });
  for (const fields of [{ delay: 0 }, { at: "2026-01-01T00:00:00Z" }, { at: "1999-01-01T00:00:00Z" }])
    expect(accepted(fields)).toMatchObject({ draft: { source: "api" } });
  expect(accepted({ at: "1999-01-01T00:00:00Z" })).not.toHaveProperty("deliverAt");
});

test("any JSON value either becomes a draft within the limits or is refused by field", () => {
  const text = fc.oneof(fc.string({ unit: "binary" }), fc.string({ unit: "grapheme" }), fc.webUrl());
  const value = fc.oneof(fc.jsonValue(), text, fc.array(text), fc.integer(), fc.boolean(), fc.date().map(String));
  const names = ["message", ...new Set(LIMITS.map(([field]) => field)), "status", "__proto__", "constructor"];
  const body = fc.oneof(fc.jsonValue(), fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 8 }));
  fc.assert(
    fc.property(body, (sent) => {
      const made = draft(JSON.parse(JSON.stringify(sent)));
      if (made.kind === "refused") return made.errors.length > 0;
      const { message, title = "", tags = [], url = "", data = {} } = made.draft;
      expect(message).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f]/);
      expect(Buffer.byteLength(message)).toBeWithin(1, 32_769);
      expect(characters(title)).toBeLessThanOrEqual(256);
      expect(tags.length).toBeLessThanOrEqual(16);
      expect(url.length).toBeLessThanOrEqual(2_048);
      expect(Buffer.byteLength(JSON.stringify(data))).toBeLessThanOrEqual(4_096);
      expect(JSON.stringify(made.draft)).not.toMatch(/(?<!\\)(?:\\\\)*\\ud[89a-f]/);
      return true;
    }),
    { numRuns: examples(2_000) },
  );
});

test("a time in RFC 3339 form is read back to the millisecond", () => {
  const date = fc.date({
    min: new Date("0000-01-01T00:00:00Z"),
    max: new Date("9999-12-31T23:59:59.999Z"),
    noInvalidDate: true,
  });
  fc.assert(fc.property(date, (time) => parseTime(time.toISOString()) === time.getTime()));
  fc.assert(fc.property(fc.string(), (text) => parseTime(text) === undefined || !Number.isNaN(Date.parse(text))));
  expect(parseTime("2016-12-31T23:59:60Z")).toBe(Date.UTC(2017, 0, 1));
  expect(parseTime("2026-01-01t00:00:00z")).toBe(NOW);
  expect(parseTime("2026-01-01 00:00:00-23:59")).toBe(NOW + (24 * 60 - 1) * 60_000);
});

test("a text over the limit is cut between two graphemes", () => {
  const family = "👨‍👩‍👧‍👦"; // 25 bytes, one grapheme
  for (const pad of [0, 1, 2, 3, 7, 24]) {
    const { text, truncated } = truncate("x".repeat(pad) + family.repeat(2_000));
    expect(truncated).toBe(true);
    expect(Buffer.byteLength(text)).toBeWithin(32_768 - 25, 32_769);
    expect(text.slice(pad).replaceAll(family, "")).toBe("");
  }
  expect(truncate("é".repeat(16_384)).truncated).toBe(false);
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", minLength: 1, maxLength: 50 }), (unit) => {
      const { text } = truncate(unit.repeat(Math.ceil(40_000 / unit.length)));
      return Buffer.byteLength(text) <= 32_768 && text.isWellFormed() && Buffer.byteLength(text) > 32_000;
    }),
  );
});
