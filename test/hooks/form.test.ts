/** A form that is written again so that a hook can keep it. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { formOf, parts, type Part } from "../../src/messages/body/form.ts";
import { examples } from "../support/rounds.ts";

const TYPE = 'multipart/form-data; boundary="----peal test"';

const text = fc.string({ unit: "grapheme" }).filter((value) => !value.includes("----peal test"));
const name = fc.string({ unit: fc.constantFrom("a", "b", "ä", " ", "[", "]", ".", ";", "="), minLength: 1 });
const field = fc.record({ kind: fc.constant("field" as const), name, value: text });
const file = fc.record({
  kind: fc.constant("file" as const),
  name,
  // Bun does not report the name of a file without bytes
  bytes: text.map((value) => new TextEncoder().encode(`.${value}`)),
  type: fc.constantFrom("text/plain", "application/json"),
  filename: name,
});
const someParts = fc.array(fc.oneof(field, file), { minLength: 1, maxLength: 5 });

/** The parts with bytes as text, for a readable failure; without the type, which Bun reads incompletely. */
const shown = (some: readonly Part[] = []) =>
  some.map((part) => {
    if (part.kind === "field") return part;
    const { name, filename, bytes } = part;
    return { kind: part.kind, name, filename, bytes: Buffer.from(bytes).toString() };
  });

test("is read back as the parts it was made from", async () => {
  await fc.assert(
    fc.asyncProperty(someParts, async (given) => {
      const { bytes, isCut } = formOf(TYPE, given, 65_536);
      expect(isCut).toBeFalse();
      expect(shown((await parts(TYPE, bytes))?.parts)).toEqual(shown(given));
    }),
    { numRuns: examples(300) },
  );
});

test("has at most the given number of bytes, ends properly, and says when it is cut", async () => {
  await fc.assert(
    fc.asyncProperty(someParts, fc.integer({ min: 25, max: 400 }), async (given, most) => {
      const { bytes, isCut } = formOf(TYPE, given, most);
      expect(bytes.length).toBeLessThanOrEqual(most);
      expect(Buffer.from(bytes).toString()).toEndWith("------peal test--\r\n");
      expect(isCut).toBe(formOf(TYPE, given, 65_536).bytes.length > most);
      const read = shown((await parts(TYPE, bytes))?.parts);
      expect(read.length).toBeLessThanOrEqual(given.length);
      expect(read.slice(0, -1)).toEqual(shown(given).slice(0, Math.max(0, read.length - 1)));
    }),
    { numRuns: examples(300) },
  );
});

test("is filled up: the value that does not fit is cut, and what follows it is left out", async () => {
  const given = ["a", "b", "c"].map((letter) => ({ kind: "field" as const, name: letter, value: letter.repeat(100) }));
  const { bytes, isCut } = formOf(TYPE, given, 300);
  expect([bytes.length, isCut]).toEqual([300, true]);
  const read = (await parts(TYPE, bytes))?.parts;
  expect(read).toMatchObject([given[0] ?? {}, { name: "b", value: expect.stringMatching(/^b{1,99}$/) as string }]);
});

test("names with quotes and line ends each stay one header", async () => {
  const odd: Part = {
    kind: "file",
    name: 'a"\r\nX: 1',
    bytes: Buffer.from("b"),
    type: "a/b\r\nX: 2",
    filename: 'c"\n',
  };
  const read = (await parts(TYPE, formOf(TYPE, [odd, { kind: "field", name: "d", value: "e" }], 1_000).bytes))?.parts;
  expect(read).toHaveLength(2);
  expect(Buffer.from(formOf(TYPE, [odd], 1_000).bytes).toString()).toContain("\r\nContent-Type: a/b  X: 2\r\n\r\nb");
  expect(read?.[1]).toEqual({ kind: "field", name: "d", value: "e" });
});

test("without parts is empty", () => {
  expect(formOf(TYPE, [], 1_000)).toEqual({ bytes: Buffer.alloc(0), isCut: false });
});
