/** Text, URLs and times of other people's tools (REWRITES.md §1). */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseDuration } from "../../src/util/time.ts";
import { bestLink, isDotted, link, masked } from "../../src/rewrites/urls.ts";
import { cut, line, prose } from "../../src/rewrites/text.ts";
import { duration, instant, span, wholeDuration } from "../../src/rewrites/times.ts";
import { characters } from "../../src/util/schema.ts";
import { NOW } from "./support.ts";

describe("text", () => {
  // prettier-ignore
  const rows: [what: string, text: string, line: string, prose?: string][] = [
    ["colours",                         "\x1b[1;31mred\x1b[0m and \x9b32mgreen",           "red and green"],
    ["a link of a terminal",            "\x1b]8;;https://x.example\x07here\x1b]8;;\x1b\\",  "here"],
    ["other escapes",                   "a\x1b(Bb\x1b=c\x1bPq#0\x1b\\d",                    "abcd"],
    ["what is left of one",             "a\x1b",                                            "a"],
    ["an unterminated one",             "a\x1b[31",                                         "a"],
    ["controls",                        "a\0b\x07c\x7fd\x90e",                              "abcde"],
    ["soft hyphens and zero width",     "a\u00adb\u200bc\u2060d\ufeffe",                    "abcde"],
    ["what turns the direction",        "a\u202eb\u2066c\u200ed\u061ce",                    "abcde"],
    ["joiners stay",                    "👨\u200d👩\u200d👧 नमस\u200cते",                     "👨\u200d👩\u200d👧 नमस\u200cते"],
    ["variation selectors stay",        "🌡\ufe0f",                                         "🌡\ufe0f"],
    ["halves of surrogate pairs",       "a\ud83db\udf00c",                                  "a\ufffdb\ufffdc"],
    ["breaks of all kinds",             "a\r\nb\rc\u0085d\u2028e\u2029f",                   "a b c d e f", "a\nb\nc\nd\ne\nf"],
    ["tabs",                            "a\tb",                                             "a b"],
    ["spaces of all kinds",             " a \u00a0 b\u3000",                                "a b", "a \u00a0 b"],
    ["blank lines",                     "\n\na\n \n\t\n\nb \n c\n",                         "a b c", "a\n\nb\n c"],
    ["secrets in URLs",                 "to postgres://u:p@db/x\nor",                       "to postgres://db/x or", "to postgres://db/x\nor"],
  ];
  test.each(rows)("%s", (_, text, asLine, asProse = asLine) => {
    expect(line(text)).toBe(asLine);
    expect(prose(text)).toBe(asProse);
  });

  test("20,000 characters are read", () => {
    expect(line("x".repeat(80_000))).toHaveLength(20_000);
    expect(prose("x".repeat(80_000))).toHaveLength(20_000);
  });
});

describe("cut", () => {
  const family = "👨‍👩‍👧‍👦"; // seven characters, one grapheme
  // prettier-ignore
  const rows: [what: string, text: string, max: number, cut: string][] = [
    ["what fits stays",                   "abcde",                5, "abcde"],
    ["the ellipsis counts",               "abcdef",               5, "abcd…"],
    ["characters count, not units",       "🙂🙂🙂🙂🙂",                5, "🙂🙂🙂🙂🙂"],
    ["nor half a pair",                   "🙂🙂🙂🙂🙂🙂",               5, "🙂🙂🙂🙂…"],
    ["nor half a grapheme",               `abc${family}def`,      9, "abc…"],
    ["a whole grapheme",                  `abc${family}def`,     11, `abc${family}…`],
    ["nor a mark from its letter",        "abcde\u0301f",         6, "abcd…"],
    ["no space before the ellipsis",      "abc def",              5, "abc…"],
  ];
  test.each(rows)("%s", (_, text, max, expected) => {
    expect(cut(text, max)).toBe(expected);
  });

  test("a grapheme that is too long is cut through, otherwise nothing would be left", () => {
    const zalgo = `a${"\u0301".repeat(1_000)}`;
    expect(characters(cut(zalgo, 100))).toBe(100);
  });
});

describe("URLs", () => {
  // prettier-ignore
  const rows: [url: string, link: string | undefined][] = [
    ["https://user:pass@h.example/a",              "https://h.example/a"],
    ["HTTP://H.Example",                           "http://h.example/"],
    ["https://h.example/?token=1",                 "https://h.example/"],
    ["https://h.example/?a=1&token=2&b=%20x#c",    "https://h.example/?a=1&b=%20x#c"],
    ["https://h.example/?api_key=1&apikey=1&API-KEY=1&key=1&accessKey=1", "https://h.example/"],
    ["https://h.example/?auth=1&authorization=1&x-auth=1&oauth_token=1",  "https://h.example/"],
    ["https://h.example/?sig=1&signature=1&X-Amz-Signature=1",            "https://h.example/"],
    ["https://h.example/?password=1&passwd=1&client_secret=1",            "https://h.example/"],
    ["https://h.example/?keyword=1&design=1&coauthor=1&token&q=token", "https://h.example/?keyword=1&design=1&coauthor=1&token&q=token"],
    ["https://h.example/#access_token=1&state=2",  "https://h.example/#state=2"],
    ["https://h.example/#/search?q=1",             "https://h.example/#/search?q=1"],
    ["javascript:alert(1)",                        undefined],
    ["ftp://h.example",                            undefined],
    ["h.example/a",                                undefined],
    ["",                                           undefined],
    ["http://localhost:3000/",                     undefined],
    ["http://127.1.2.3/",                          undefined],
    ["http://2130706433/",                         undefined],
    ["http://0.0.0.0:8080/",                       undefined],
    ["http://[::]:8080/",                          undefined],
    ["http://[0:0::1]/",                           undefined],
    ["http://localhost.example/",                  "http://localhost.example/"],
    [`https://h.example/${"x".repeat(2_030)}`,     `https://h.example/${"x".repeat(2_030)}`],
    [`https://h.example/${"x".repeat(2_031)}`,     undefined],
    [`https://h.example/?token=${"x".repeat(3_000)}`, "https://h.example/"],
    [`https://h.example/?token=${"x".repeat(9_000)}`, undefined],
  ];
  test.each(rows)("%.60s", (url, expected) => {
    expect(link(url)).toBe(expected as string);
  });

  test.each([
    ["http://nas/", false],
    ["http://nas/a.b", false],
    ["http://nas.lan/", true],
    ["http://[2001:db8::1]/", true],
  ])("%s is dotted: %p", (href, dotted) => {
    expect(isDotted(href)).toBe(dotted);
  });

  test("of several, the first that contains a dot, otherwise the first", () => {
    expect(bestLink([undefined, "x", "http://nas", "http://nas.lan", "http://a.b"])).toBe("http://nas.lan/");
    expect(bestLink(["mailto:x", "http://nas", "http://pi"])).toBe("http://nas/");
    expect(bestLink([undefined])).toBeUndefined();
  });

  // prettier-ignore
  const texts: [text: string, masked: string][] = [
    ["see https://u:p@h.example/a?b=1&token=2, or not",      "see https://h.example/a?b=1 or not"],
    ["https://u:p@ss@h.example",                             "https://h.example"],
    ["mail me@h.example or amqp://u:p@h.example:5672",       "mail me@h.example or amqp://h.example:5672"],
    [String.raw`{"u":"http:\/\/u:p@h.example\/?a=1\u0026token=2"}`, String.raw`{"u":"http:\/\/h.example\/?a=1"}`],
    ['"http://h.example","me@h.example"',                    '"http://h.example","me@h.example"'],
    ["https://h.example/?pwd=1&sessionid=2&sort_key=3",      "https://h.example/?sort_key=3"],
    ["ok? a=b token=c",                                      "ok? a=b token=c"],
    ["http://h.example/?a=1&amp;key=2&amp;b=3",              "http://h.example/?a=1&b=3"],
  ];
  test.each(texts)("in a text: %s", (text, expected) => {
    expect(masked(text)).toBe(expected);
  });
});

describe("times", () => {
  // prettier-ignore
  const rows: [value: unknown, at: string | undefined][] = [
    ["2026-11-20T19:00:45.340846365Z",  "2026-11-20T19:00:45.340Z"],
    ["2026-11-20T20:10:00+01:00",       "2026-11-20T19:10:00.000Z"],
    ["2026-11-20 19:58:15.188",         "2026-11-20T19:58:15.188Z"],
    ["2026-11-20 19:58:15",             "2026-11-20T19:58:15.000Z"],
    [1_763_668_800_000,                 "2025-11-20T20:00:00.000Z"],
    ["1763668800000",                   "2025-11-20T20:00:00.000Z"],
    ["0001-01-01T00:00:00Z",            undefined],
    ["1999-12-31T23:59:59Z",            undefined],
    ["2000-01-01T00:00:00Z",            "2000-01-01T00:00:00.000Z"],
    ["2026-11-21T20:30:00Z",            "2026-11-21T20:30:00.000Z"],
    ["2026-11-21T20:30:01Z",            undefined],
    [0,                                 undefined],
    [-1,                                undefined],
    ["9".repeat(400),                   undefined],
    [`2026-11-20T19:00:00.${"0".repeat(100)}Z`, undefined],
    ["2026-02-30T00:00:00Z",            undefined],
    [{}, undefined], [null, undefined], [true, undefined], ["", undefined],
  ];
  test.each(rows)("%.40p", (value, at) => {
    const found = instant(value, NOW);
    expect(found === undefined ? undefined : new Date(found).toISOString()).toBe(at as string);
  });

  test.each([
    [0, "under 1 s"],
    [999, "under 1 s"],
    [1_000, "1 s"],
    [59_499, "59 s"],
    [59_500, "1 min"],
    [368_274, "6 min 8 s"],
    [3_600_000, "1 h"],
    [3_659_000, "1 h"],
    [5_650_000, "1 h 34 min"],
    [86_400_000, "1 d"],
    [400 * 86_400_000 + 7_200_000, "400 d 2 h"],
  ])("%p ms are %s", (ms, words) => {
    expect(duration(ms)).toBe(words);
  });

  test("to the second, a time is read as it was written", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 365 * 86_400 }), (seconds) => {
        expect(parseDuration(wholeDuration(seconds * 1000))).toBe(seconds);
      }),
    );
    expect(wholeDuration(95_430_000)).toBe("1 d 2 h 30 min 30 s");
  });

  test("from a later time to an earlier one there is no duration", () => {
    expect([span(1, 3), span(3, 3), span(3, 1), span(undefined, 1), span(1, undefined)]).toEqual([
      2,
      0,
      undefined,
      undefined,
      undefined,
    ]);
  });
});
