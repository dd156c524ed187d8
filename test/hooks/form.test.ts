/** A form that is written again for a hook to keep. */
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
  // of a file without bytes Bun does not tell the name
  bytes: text.map((value) => new TextEncoder().encode(`.${value}`)),
  type: fc.constantFrom("text/plain", "application/json"),
  filename: name,
});
const someParts = fc.array(fc.oneof(field, file), { minLength: 1, maxLength: 5 });

/** With bytes as text, for a message that can be read; without the type, of which Bun reads what it likes. */
const shown = (some: readonly Part[] = []) =>
  some.map((part) => {
    if (part.kind === "field") return part;
    const { name, filename, bytes } = part;
    return { kind: part.kind, name, filename, bytes: Buffer.from(bytes).toString() };
  });

test("is read as what it was made of", async () => {
  await fc.assert(
    fc.asyncProperty(someParts, async (given) => {
      const { bytes, isCut } = formOf(TYPE, given, 65_536);
      expect(isCut).toBeFalse();
      expect(shown((await parts(TYPE, bytes))?.parts)).toEqual(shown(given));
    }),
    { numRuns: examples(300) },
  );
});

test("has at most so many bytes, ends as a form does, and says that it is cut", async () => {
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

test("is filled up: the value that has no more room is cut, and what comes after it is left out", async () => {
  const given = ["a", "b", "c"].map((letter) => ({ kind: "field" as const, name: letter, value: letter.repeat(100) }));
  const { bytes, isCut } = formOf(TYPE, given, 300);
  expect([bytes.length, isCut]).toEqual([300, true]);
  const read = (await parts(TYPE, bytes))?.parts;
  expect(read).toMatchObject([given[0] ?? {}, { name: "b", value: expect.stringMatching(/^b{1,99}$/) as string }]);
});

test("names with quotes and line ends stay one header each", async () => {
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

test("of no parts is nothing", () => {
  expect(formOf(TYPE, [], 1_000)).toEqual({ bytes: Buffer.alloc(0), isCut: false });
});
