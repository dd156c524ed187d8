/** Forms that are read as they arrive, with their memory released as soon as it is read. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { streamedParts } from "../../src/files/multipart.ts";
import { givenBack } from "../../src/files/reading.ts";
import { examples } from "../support/rounds.ts";
import { turns } from "../support/turns.ts";

const BOUNDARY = "----peal";
const CONTENT_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;
/** Beginnings of a boundary, and whole lines like one: what a parser has to look at twice. */
const NEAR_BOUNDARY = ["\r", "\r\n", "\r\n--", "\r\n------pea", "--", "\r\n--\r\n"];

const fileBytes = fc
  .array(
    fc.oneof(
      fc.uint8Array({ maxLength: 64 }),
      fc.constantFrom(...NEAR_BOUNDARY).map((text) => Buffer.from(text)),
      fc.record({ byte: fc.nat(255), length: fc.nat(90_000) }).map(({ byte, length }) => Buffer.alloc(length, byte)),
    ),
    { maxLength: 6 },
  )
  .map((parts) => Buffer.concat(parts))
  // no sender chooses a boundary that occurs in a file of its form
  .filter((bytes) => !bytes.includes(`--${BOUNDARY}`));

/** Pieces with separate memory, like those of a request. */
async function* pieces(whole: Uint8Array, lengths: readonly number[]): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let at = 0, n = 0; at < whole.length; n++) {
    const length = lengths[n % lengths.length] ?? whole.length;
    yield new Uint8Array(whole.subarray(at, at + length));
    at += length;
    if (n % 3 === 0) await turns(1);
  }
}

/** Reads as slowly as a disk: turns pass between pieces. */
async function readSlowly(bytes: AsyncIterable<Uint8Array>, count: number): Promise<Buffer> {
  const read: Uint8Array[] = [];
  for await (const piece of bytes) {
    await turns(count);
    read.push(Buffer.from(piece));
  }
  return Buffer.concat(read);
}

test("files in a form are the bytes that were sent, and each piece is released as soon as it is read", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fileBytes, { minLength: 1, maxLength: 4 }),
      fc.array(fc.integer({ min: 1, max: 70_000 }), { minLength: 1, maxLength: 8 }),
      fc.nat(3),
      async (files, lengths, slowness) => {
        const part = (bytes: Buffer, n: number) => [
          Buffer.from(
            `--${BOUNDARY}\r\nContent-Disposition: form-data; name="f${n}"; filename="${n}.bin"\r\nContent-Type: a/b\r\n\r\n`,
          ),
          bytes,
          Buffer.from("\r\n"),
        ];
        const form = Buffer.concat([...files.flatMap(part), Buffer.from(`--${BOUNDARY}--\r\n`)]);
        // pieces of one byte would take minutes
        const least = Math.max(1, Math.ceil(form.length / 2_000));
        const sent = givenBack(
          pieces(
            form,
            lengths.map((length) => Math.max(length, least)),
          ),
        );
        const { parts, dropped, isWhole } = await streamedParts(
          CONTENT_TYPE,
          sent,
          async (_, bytes) => readSlowly(bytes, slowness),
          () => undefined,
        );
        expect({ isWhole, dropped }).toEqual({ isWhole: true, dropped: [] });
        const hashes = parts.map((each) =>
          Bun.hash(each.kind === "taken" ? each.taken : each.kind === "file" ? each.bytes : ""),
        );
        expect(hashes).toEqual(files.map((bytes) => Bun.hash(bytes)));
      },
    ),
    { numRuns: examples(100) },
  );
});

test("memory is released piece by piece, except for parts of a larger buffer", async () => {
  const shared = new Uint8Array(new ArrayBuffer(8), 0, 4);
  const own = [new Uint8Array([1]), shared, new Uint8Array([2])];
  const seen: number[][] = [];
  for await (const piece of givenBack(
    (async function* () {
      yield* own;
    })(),
  ))
    seen.push([...piece]);
  expect(seen).toEqual([[1], [0, 0, 0, 0], [2]]);
  expect(own.map(({ byteLength }) => byteLength)).toEqual([0, 4, 0]);
});
