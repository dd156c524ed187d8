/** Reads `multipart/form-data` as it comes (RFC 7578), by @fastify/busboy: a file in it is never whole in memory. */
import { Busboy, type BusboyConfig, type BusboyFileStream, type BusboyInstance } from "@fastify/busboy";
import type { FieldError } from "../http/problem.ts";
import { ahead } from "./ahead.ts";

/** A part: a field, a short file in memory, or what `take` made of a longer one. */
export type StreamedPart<T> = { name: string } & (
  | { kind: "field"; value: string }
  | { kind: "file"; bytes: Uint8Array; type: string; filename: string }
  | { kind: "taken"; taken: T }
);

export interface StreamedFile {
  name: string;
  type: string;
  filename: string;
}

export interface Streamed<T> {
  parts: StreamedPart<T>[];
  /** What came but is not in the parts. */
  dropped: FieldError[];
  /** The form came to its end. */
  isWhole: boolean;
}

/** How many UTF-16 units of a field are of use to its reader; undefined if nobody reads it. */
type Useful = (name: string) => number | undefined;

export const MAX_PARTS = 100;
export const TOO_MANY: FieldError = {
  path: "/",
  message: `has more than ${MAX_PARTS} parts; only the first ${MAX_PARTS} are read`,
};
/** The most bytes of all fields together, and as much again of the fields that are of use. */
const FIELD_BYTES = 1_048_576;
/** A file up to this size stays in memory: it may be the message. */
export const SHORT_BYTES = 32_768;
/** The most bytes of a part's headers. */
const HEADER_BYTES = 16_384;

/**
 * The parts in their order, up to where the form breaks off. `take` reads each longer file, and rejects if the form breaks off.
 * @throws what the chunks throw, and what `take` throws if the form came whole
 */
export async function streamedParts<T>(
  contentType: string,
  chunks: AsyncIterable<Uint8Array>,
  take: (file: StreamedFile, bytes: AsyncIterable<Uint8Array>) => Promise<T>,
  useful: Useful,
): Promise<Streamed<T>> {
  const parser = parserOf(contentType);
  const dropped: FieldError[] = [];
  if (parser === undefined) return { parts: [], dropped, isWhole: true };
  const parts: Promise<StreamedPart<T> | undefined>[] = [];
  /** The names of files, by their indices among the parts. */
  const names = new Map<number, string>();
  /** All but the last came whole: each ends where the next part begins. */
  const files: PartFile[] = [];
  const fit = roomOf(useful, dropped);
  parser.on("field", (given, text, _, isCut) => {
    const name = nameOf(given);
    const value = fit(name, text, isCut);
    if (value !== undefined) parts.push(Promise.resolve({ kind: "field", name, value }));
  });
  parser.on("file", (given, stream, filename, _encoding, type) => {
    const name = nameOf(given);
    const file = new PartFile(stream);
    files.push(file);
    parts.push(partOf({ name, filename, type }, file.pieces(), take));
    names.set(parts.length - 1, name);
  });
  parser.on("partsLimit", () => {
    dropped.push(TOO_MANY);
  });
  let isWhole = false;
  try {
    isWhole = await fed(parser, chunks, async () => {
      for (const file of files) await file.isRead();
    });
  } finally {
    // whatever still waits for bytes ends, and so does its writer
    if (!isWhole) files.at(-1)?.breakOff();
    await Promise.allSettled(parts);
  }
  const unlessBroken = async (part: (typeof parts)[number], at: number) =>
    part.catch(() => {
      dropped.push({ path: `/${names.get(at) ?? ""}`, message: "ended early" });
      return undefined;
    });
  const made = await Promise.all(isWhole ? parts : parts.map(unlessBroken));
  return { parts: made.filter((part) => part !== undefined), dropped, isWhole };
}

/** A part may have no name, whatever the parser's types say. */
const nameOf = (given: string | undefined): string => given ?? "";

/** The part of a field's text that is kept, undefined if there is no room for it. What is lost is reported in `dropped`. */
function roomOf(useful: Useful, dropped: FieldError[]) {
  const left = { useful: FIELD_BYTES, any: FIELD_BYTES };
  return (name: string, text: string, isCut: boolean): string | undefined => {
    const units = useful(name);
    const kept = units !== undefined && text.length > units ? text.slice(0, units).toWellFormed() : text;
    const bytes = Buffer.byteLength(kept);
    const room = units !== undefined && bytes <= left.useful ? "useful" : "any";
    const hasRoom = bytes <= left[room];
    if (hasRoom) left[room] -= bytes;
    const lost = hasRoom
      ? "is longer than 1 MiB; the rest is left out"
      : "is left out: only 1 MiB of a form's fields is read";
    if (!hasRoom || (isCut && kept === text)) dropped.push({ path: `/${name}`, message: lost });
    return hasRoom ? kept : undefined;
  };
}

/** As in Bun's `formData`, a part is a file if it has a file name. */
const isPartAFile = (_name: string | undefined, _type: string | undefined, filename: string | undefined) =>
  filename !== undefined;

function parserOf(contentType: string): BusboyInstance | undefined {
  const config: BusboyConfig & { isPartAFile: typeof isPartAFile } = {
    headers: { "content-type": contentType },
    limits: { fieldSize: FIELD_BYTES, parts: MAX_PARTS, headerSize: HEADER_BYTES },
    isPartAFile,
  };
  try {
    return new Busboy(config);
  } catch {
    return undefined; // without a boundary
  }
}

/**
 * Whether the form came whole, once the parser has had all of it. `isRead` resolves when the reader of its files is done with
 * what is parsed. Rejects with what the chunks throw.
 */
async function fed(
  parser: BusboyInstance,
  chunks: AsyncIterable<Uint8Array>,
  isRead: () => Promise<void>,
): Promise<boolean> {
  const over = Promise.withResolvers<boolean>();
  const state = { isBroken: false };
  parser.on("finish", () => {
    over.resolve(true);
  });
  parser.on("error", () => {
    state.isBroken = true;
    over.resolve(false);
  });
  for await (const chunk of chunks) {
    // what is no longer a form is read to its end: the sender waits for an answer
    if (!state.isBroken) await Promise.race([over.promise, new Promise((next) => parser.write(chunk, next))]);
    await isRead();
  }
  if (!state.isBroken) parser.end();
  return over.promise;
}

/** A file as the parser hands it out: views of the form's pieces, which are valid until the next piece is asked for. */
class PartFile {
  readonly #stream: BusboyFileStream;
  #read = 0;
  #isOver = false;
  #wake: () => void = () => undefined;

  constructor(stream: BusboyFileStream) {
    this.#stream = stream;
  }

  async *pieces(): AsyncGenerator<Uint8Array> {
    try {
      for await (const piece of this.#stream as AsyncIterable<Uint8Array>) {
        if (piece.length === 0) throw new Error("a piece of a form was given back before it was read");
        yield piece;
        this.#read += piece.length;
        this.#wake();
      }
    } finally {
      this.#isOver = true;
      this.#wake();
    }
  }

  /** Resolves once everything that was handed out is read, or nobody reads it any more. */
  async isRead(): Promise<void> {
    while (!this.#isOver && this.#read < this.#stream.bytesRead)
      await new Promise<void>((resolve) => (this.#wake = resolve));
  }

  breakOff(): void {
    this.#stream.destroy(new Error("the form broke off"));
  }
}

async function partOf<T>(
  file: StreamedFile,
  pieces: AsyncIterable<Uint8Array>,
  take: (file: StreamedFile, bytes: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<StreamedPart<T> | undefined> {
  const { name, type, filename } = file;
  const { head, isWhole, all } = await ahead(pieces, SHORT_BYTES);
  if (isWhole && head.length === 0 && filename === "") return undefined; // the file field of a form in which nobody chose a file
  if (isWhole) return { kind: "file", name, bytes: head, type, filename };
  return { kind: "taken", name, taken: await take(file, all) };
}
