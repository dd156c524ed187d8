/**
 * The body of a publish and its files (docs/publish.md): files are stored while they arrive, and everything else is read into
 * memory. Headers decide whether a body may be long (`wayOf`).
 */
import type { Deps } from "../../deps.ts";
import { ahead } from "../../files/ahead.ts";
import { inlineFiles } from "../../files/inline.ts";
import type { StoredFile } from "../../files/file.ts";
import type { Chunks } from "../../files/keep.ts";
import { SHORT_BYTES, streamedParts, TOO_MANY, type StreamedFile, type StreamedPart } from "../../files/multipart.ts";
import { uploaded } from "../../files/reading.ts";
import { mediaType, readBytes } from "../../http/body.ts";
import { problem, type FieldError } from "../../http/problem.ts";
import { parts as partsOf, usefulOf, type Part } from "./form.ts";
import { saidIn, spokenIn } from "./spoken.ts";
import { isLeftOut, type Taken, Taker } from "./taker.ts";
import { isTextOf, type Way } from "./way.ts";
import { MAX_PLAIN_BYTES } from "../schema.ts";

/** A body as it came. */
export interface Body {
  /** The whole body; empty if it was a file or a long form. */
  bytes: Uint8Array;
  /** The fields of a multipart form, and the short text file that is the message if there is no other. */
  parts?: Part[];
  /** Held until `deps.files.letGo`. */
  files: readonly StoredFile[];
  /** The names of all files that came: they are the message's text if it has none. */
  names: readonly string[];
  /** What could not be stored. */
  ignored: FieldError[];
  /** The size in bytes as it was sent, decompressed. */
  size: number;
  /** Tells a retry from another request. */
  identity: Uint8Array;
}

const NONE: readonly never[] = [];

/** A body that holds no file. */
export const plainBody = (bytes: Uint8Array): Body => ({
  bytes,
  files: NONE,
  names: NONE,
  ignored: [],
  size: bytes.length,
  identity: bytes,
});

type BodyDeps = Pick<Deps, "files" | "uploads" | "clock">;
interface About {
  contentType: string;
  filename?: string;
  /** The announced bytes of a body that is not packed. */
  size?: number;
}

/**
 * Reads a body that may be long, and stores its files. `asItIs` is called if it is not packed as it says.
 * @throws Problem as `uploaded` does; 413 for more than 1 MiB that is called a form but is not one. Then no file is held.
 */
export async function longBody(
  deps: BodyDeps,
  request: Request,
  way: Exclude<Way, "plain">,
  { asItIs, ...about }: About & { asItIs: () => void },
): Promise<Body> {
  const taker = new Taker(deps.files);
  try {
    if (way === "form" && isShort(request))
      return await ofShortForm(taker, about.contentType, await readBytes(request, MAX_PLAIN_BYTES));
    const most = Math.max(LEAST_READ, 5 * (deps.files.limits?.each ?? 0));
    const size = announced(request);
    return await uploaded(deps, request, { cap: most, asItIs }, async (upload) => {
      const [counted, chunks] = counting(upload.chunks);
      const sent = { chunks, isCut: () => upload.isCut };
      const body = await READERS[way](taker, { ...about, ...(size !== undefined && { size }) }, sent);
      return { ...body, size: size ?? counted() };
    });
  } catch (error) {
    await taker.letGo();
    throw error;
  }
}

/** A body that came as JSON or text: if it is JSON that holds files, they are stored. Other bodies pay nothing for that. */
export function shortBody(deps: BodyDeps, bytes: Uint8Array): Body | Promise<Body> {
  const found = inlineFiles(bytes);
  return found === undefined ? plainBody(bytes) : ofInline(new Taker(deps.files), found, bytes);
}

async function ofInline(
  taker: Taker,
  { files, unread, rest }: NonNullable<ReturnType<typeof inlineFiles>>,
  identity: Uint8Array,
): Promise<Body> {
  const taken: Taken[] = [];
  try {
    for (const [n, { name, type, bytes }] of files.entries())
      taken.push(await taker.take({ name: `attachments/${n}`, type, filename: name }, [bytes], bytes.length));
  } catch (error) {
    await taker.letGo();
    throw error;
  }
  const body = bodyOf(taken, { bytes: rest });
  body.ignored.push(...unread.map((path) => ({ path, message: "is not valid base64" })));
  return { ...body, size: identity.length, identity };
}

/** This much of any upload is read, if only so that its message is read too. */
const LEAST_READ = 100_000_000;

function announced({ headers }: Request): number | undefined {
  const length = headers.get("content-length");
  return length === null || headers.has("content-encoding") ? undefined : Number(length);
}

/** Counts how many bytes were taken so far. */
function counting(chunks: AsyncIterable<Uint8Array>): [counted: () => number, chunks: AsyncIterable<Uint8Array>] {
  let bytes = 0;
  const each = async function* () {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      yield chunk;
    }
  };
  return [() => bytes, each()];
}

const isShort = (request: Request): boolean => (announced(request) ?? Infinity) <= MAX_PLAIN_BYTES;

type Reads = (taker: Taker, about: About, sent: Sent) => Promise<Body>;
interface Sent {
  chunks: AsyncIterable<Uint8Array>;
  /** Whether there was more, which nobody read. */
  isCut: () => boolean;
}

const READERS: Record<Exclude<Way, "plain">, Reads> = {
  file: async (taker, about, { chunks }) => ofFile(taker, about, chunks),

  look: async (taker, about, { chunks }) => {
    const { head, isWhole, all } = await ahead(chunks, MAX_PLAIN_BYTES);
    const isText = isTextOf(head, about.contentType);
    if (isWhole && (isText || !taker.isOn)) return plainBody(head);
    if (!taker.isOn) throw problem.tooLarge(MAX_PLAIN_BYTES);
    return ofFile(taker, isText ? { ...about, contentType: "text/plain" } : about, all);
  },

  form: async (taker, { contentType, size }, { chunks, isCut }) => {
    // of a body that is long in any case, nothing is kept to be read another way
    const { head, isWhole, all } = await ahead(chunks, size === undefined ? MAX_PLAIN_BYTES : 0);
    if (isWhole) return ofShortForm(taker, contentType, head);
    const body = await ofStreamedForm(taker, contentType, all, isCut);
    if (body === undefined) throw problem.tooLarge(MAX_PLAIN_BYTES);
    return body;
  },
};

/** Also reads a form that has no end; undefined if nothing is a form. */
async function ofStreamedForm(
  taker: Taker,
  contentType: string,
  chunks: AsyncIterable<Uint8Array>,
  isCut = () => false,
): Promise<Body | undefined> {
  const take = async (file: StreamedFile, bytes: Chunks) => taker.take(file, bytes);
  const { parts, dropped, isWhole } = await streamedParts(contentType, chunks, take, usefulOf);
  if (parts.length === 0 && dropped.length === 0) return undefined;
  const body = await ofParts(taker, parts);
  body.ignored.push(...dropped);
  if (isCut()) body.ignored.push({ path: "/", message: "is longer than the limit" });
  else if (!isWhole) body.ignored.push(BROKE_OFF);
  return body;
}

async function* inOnePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

const BROKE_OFF: FieldError = { path: "/", message: "ended early: incomplete parts are left out" };

async function ofFile(taker: Taker, { contentType, filename = "", size }: About, chunks: Chunks): Promise<Body> {
  return bodyOf([await taker.take({ name: "", type: contentType, filename }, chunks, size)], {});
}

async function ofShortForm(taker: Taker, contentType: string, bytes: Uint8Array): Promise<Body> {
  const form = await partsOf(contentType, bytes);
  if (form === undefined) {
    const begun = await ofStreamedForm(taker, contentType, inOnePiece(bytes));
    return begun === undefined ? plainBody(bytes) : { ...begun, size: bytes.length, identity: bytes };
  }
  const body = await ofParts(taker, form.parts, bytes);
  if (!form.isAll) body.ignored.push(TOO_MANY);
  return body;
}

/** What a hook keeps of a body. */
export interface Kept {
  contentType?: string;
  /** The fields of a form with files, as a form. */
  body?: Uint8Array;
  /** Names of the files that came with it. */
  files?: readonly string[];
}

/** Reads a body that was kept once more: the names of its files stand for the files. */
export async function keptBody({ contentType = "", body = new Uint8Array(), files = NONE }: Kept): Promise<Body> {
  const made = { ...plainBody(body), names: files };
  if (mediaType(contentType) !== "multipart/form-data") return made;
  const parts = (await partsOf(contentType, body))?.parts ?? (files.length > 0 ? [] : undefined);
  return parts === undefined ? made : { ...made, parts: saidIn(parts, spokenIn(parts, MAX_PLAIN_BYTES)) };
}

/** A short text file is the message if there is no other; all other files are stored. */
async function ofParts(taker: Taker, parts: readonly StreamedPart<Taken>[], bytes?: Uint8Array): Promise<Body> {
  const short = parts.filter((part) => part.kind !== "taken");
  const spoken = spokenIn(short, taker.isOn ? SHORT_BYTES : MAX_PLAIN_BYTES);
  const taken: Taken[] = [];
  for (const part of parts) {
    if (part.kind === "taken") taken.push(part.taken);
    else if (part.kind === "file" && part !== spoken && (part.bytes.length > 0 || part.filename !== ""))
      taken.push(await taker.take(part, [part.bytes]));
  }
  return bodyOf(taken, { parts: saidIn(short, spoken), ...(bytes !== undefined && { bytes }) });
}

function bodyOf(taken: readonly Taken[], { bytes, parts }: { bytes?: Uint8Array; parts?: Part[] }): Body {
  const files = taken.flatMap(({ made }) => (isLeftOut(made) ? [] : [made]));
  const said = parts?.map((part) => [
    part.name,
    part.kind === "field" ? part.value : Buffer.from(part.bytes).toString(),
  ]);
  return {
    bytes: bytes ?? new Uint8Array(),
    size: bytes?.length ?? 0,
    ...(parts !== undefined && { parts }),
    files,
    names: taken.map(({ name }) => name),
    ignored: taken.flatMap(({ path, made }) => (isLeftOut(made) ? [{ path: `/${path}`, message: made.reason }] : [])),
    identity: Buffer.from(JSON.stringify([said, files.map(({ name, hash }) => [name, hash])])),
  };
}
