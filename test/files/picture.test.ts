/**
 * Which files count as pictures and in which size they are shown, by their first bytes; names and ranges. Tables, and
 * properties that hold for any bytes.
 */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { disposition, fileName } from "../../src/files/name.ts";
import { pictureIn, PICTURE_HEAD } from "../../src/files/picture.ts";
import { rangeIn } from "../../src/files/range.ts";
import { PIXEL, png } from "../support/files.ts";
import { examples } from "../support/rounds.ts";

const hex = (...parts: string[]) => Buffer.from(parts.join("").replaceAll(" ", ""), "hex");
const SOI = "ffd8";
const JFIF = "ffe00010 4a46494600010100000100010000";
/** A baseline frame, 480 pixels high and 640 wide. */
const FRAME = "ffc00011 08 01e0 0280 03 01220002110103110100";
const exif = (orientation: string) =>
  `ffe10022 457869660000 4d4d002a00000008 0001 0112 0003 00000001 ${orientation} 0000 00000000`;
const riff = (kind: string, rest: string) => hex("52494646 00000000 57454250", Buffer.from(kind).toString("hex"), rest);

// prettier-ignore
const pictures: [what: string, bytes: Uint8Array, picture: ReturnType<typeof pictureIn>][] = [
  ["PNG",                       png(800, 600),                                    { type: "image/png", width: 800, height: 600 }],
  ["a PNG that is whole",       PIXEL,                                            { type: "image/png", width: 1, height: 1 }],
  ["PNG without its size",      png(800, 600).subarray(0, 18),                    { type: "image/png" }],
  ["PNG of no size",            png(0, 600),                                      { type: "image/png" }],
  ["GIF87a",                    hex("474946383761 2003 5802"),                    { type: "image/gif", width: 800, height: 600 }],
  ["GIF89a",                    hex("474946383961 2003 5802"),                    { type: "image/gif", width: 800, height: 600 }],
  ["JPEG",                      hex(SOI, JFIF, FRAME),                            { type: "image/jpeg", width: 640, height: 480 }],
  ["JPEG, progressive",         hex(SOI, JFIF, FRAME.replace("ffc0", "ffc2")),    { type: "image/jpeg", width: 640, height: 480 }],
  ["JPEG with fill bytes",      hex(SOI, JFIF, "ffff", FRAME),                    { type: "image/jpeg", width: 640, height: 480 }],
  ["JPEG as it lies",           hex(SOI, exif("0001"), FRAME),                    { type: "image/jpeg", width: 640, height: 480 }],
  ["JPEG upside down",          hex(SOI, exif("0003"), FRAME),                    { type: "image/jpeg", width: 640, height: 480 }],
  ["JPEG of an upright phone",  hex(SOI, exif("0006"), FRAME),                    { type: "image/jpeg", width: 480, height: 640 }],
  ["JPEG with a broken Exif",   hex(SOI, "ffe10008 457869660000", FRAME),         { type: "image/jpeg", width: 640, height: 480 }],
  ["JPEG whose tables come first", hex(SOI, "ffc40004 0000", FRAME),              { type: "image/jpeg", width: 640, height: 480 }],
  ["JPEG without a frame",      hex(SOI, JFIF, "ffda0002"),                       { type: "image/jpeg" }],
  ["JPEG with a length of 0",   hex(SOI, "ffe00000", FRAME),                      { type: "image/jpeg" }],
  ["WebP, lossy",               riff("VP8 ", "00000000 000000 9d012a 8002 e001"), { type: "image/webp", width: 640, height: 480 }],
  ["WebP, lossless",            riff("VP8L", "00000000 2f 7fc27700"),             { type: "image/webp", width: 640, height: 480 }],
  ["WebP, extended",            riff("VP8X", "0a000000 00000000 7f0200 df0100"),  { type: "image/webp", width: 640, height: 480 }],
  ["WebP of another kind",      riff("ABCD", "0a000000"),                         { type: "image/webp" }],
  ["a WAV",                     hex("52494646 00000000 57415645"),                undefined],
  ["SVG",                       Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"), undefined],
  ["HTML",                      Buffer.from("<!doctype html>"),                   undefined],
  ["nothing",                   new Uint8Array(),                                 undefined],
];
test.each(pictures)("a picture: %s", (_, bytes, picture) => {
  expect(pictureIn(bytes)).toEqual(picture);
});

const BEGINS = pictures.filter(([, , picture]) => picture !== undefined).map(([, bytes]) => bytes);

test("whatever the bytes, there is an answer, and a size is valid", () => {
  const tail = fc.uint8Array({ maxLength: 400 });
  const bytes = fc.tuple(fc.constantFrom(...BEGINS), fc.nat(60), tail).map(([begin, cut, rest]) => Buffer.concat([begin.subarray(0, cut), rest])); // prettier-ignore
  fc.assert(
    fc.property(fc.oneof(bytes, tail), (one) => {
      const { width = 1, height = 1 } = pictureIn(one) ?? {};
      return Number.isInteger(width) && Number.isInteger(height) && width > 0 && height > 0;
    }),
    { numRuns: examples(5_000) },
  );
});

test("a JPEG with nothing but empty segments has no size", () => {
  const long = Buffer.concat([hex(SOI), Buffer.from("ffe00002".repeat(PICTURE_HEAD / 4), "hex")]);
  expect(pictureIn(long.subarray(0, PICTURE_HEAD))).toEqual({ type: "image/jpeg" });
});

describe("a name", () => {
  const anyName = fc.oneof(fc.string({ maxLength: 400 }), fc.string({ unit: "grapheme", maxLength: 300 }), fc.constantFrom("../../x", "a\r\nb", "\0", "...", "nul")); // prettier-ignore

  test("is a single line, not a path, not empty and not long, whatever was sent", () => {
    fc.assert(
      fc.property(anyName, (given) => {
        const name = fileName(given, "");
        expect(name).not.toMatch(/[\0-\x1f\x7f-\x9f/\\<>:"|?*\u202a-\u202e\u2066-\u2069]/);
        expect(name).not.toMatch(/^[. ]|[. ]$/);
        expect(Array.from(name).length).toBeGreaterThan(0);
        expect(Array.from(name).length).toBeLessThanOrEqual(120);
        expect(fileName(name, "")).toBe(name);
      }),
      { numRuns: examples(2_000) },
    );
  });

  test("fits its header", () => {
    fc.assert(
      fc.property(anyName, (given) => {
        const header = disposition("attachment", fileName(given, ""));
        expect(header).toMatch(
          /^attachment; filename="[^"\\\0-\x1f\x7f-\uffff]*"; filename\*=UTF-8''[\w.~!#$&+%^`|-]+$/,
        );
        const [, encoded = ""] = /filename\*=UTF-8''(.*)$/.exec(header) ?? [];
        expect(decodeURIComponent(encoded)).toBe(fileName(given, ""));
      }),
      { numRuns: examples(2_000) },
    );
  });
});

test("a range lies within its file", () => {
  const number = fc.oneof(fc.nat(50).map(String), fc.constant(""));
  fc.assert(
    fc.property(number, number, fc.nat(40), (first, last, size) => {
      const range = rangeIn(`bytes=${first}-${last}`, size);
      if (range === undefined || range === "unsatisfiable") return true;
      return range.start >= 0 && range.start < range.end && range.end <= size;
    }),
  );
});
