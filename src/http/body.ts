/** Bodies: read up to a limit, decompressed, decoded, parsed and checked (API.md §3, §6). */
import { isUtf8 } from "node:buffer";
import type { Static, TSchema } from "@sinclair/typebox";
import { TypeCompiler, ValueErrorType, type TypeCheck, type ValueError } from "@sinclair/typebox/compiler";
import { excessOf } from "../util/json.ts";
import { contextOf } from "./context.ts";
import { encodingOf, ENCODINGS, knownEncoding, unpacked } from "./encoding.ts";
import { problem, type FieldError } from "./problem.ts";

/** The most of a JSON body, in bytes. */
export const JSON_LIMIT = 65_536;
/** The most of a form with a name and a password, in bytes: a password may be long, and `%C3%BC` is one letter. */
const FORM_LIMIT = 8_192;

/**
 * The body's bytes, decompressed; more than `limit` are 413, at once if the length is announced, else as soon as they are
 * counted. A body that is not what it says is 400, an unknown encoding 415, and 429 if the key has sent too many bytes.
 * `asItIs` is called, and the body read as it is, if it or its first bytes show that it is not packed. Large bodies are
 * handed out one by one, with turns of the event loop between them. Not async: every publish would pay for one more promise.
 */
export function readBytes(
  request: Request,
  limit: number,
  { asItIs }: Unpacking = {},
): Uint8Array | Promise<Uint8Array> {
  const name = encodingOf(request);
  return name === "" ? received(request, limit, limit) : readPacked(request, name, limit, asItIs);
}

interface Unpacking {
  asItIs?: (() => void) | undefined;
}

async function readPacked(
  request: Request,
  name: string,
  limit: number,
  asItIs: Unpacking["asItIs"],
): Promise<Uint8Array> {
  const encoding = knownEncoding(name);
  if (encoding === undefined && asItIs === undefined)
    throw problem.unsupportedMediaType(`the body as it is or with ${ENCODINGS}`);
  // bytes that cannot be compressed grow a little
  const came = await received(request, limit + (encoding === undefined ? 0 : OVERHEAD), limit);
  if (encoding === undefined || (asItIs !== undefined && !encoding.mayBegin(came))) {
    if (came.length > limit) throw problem.tooLarge(limit);
    asItIs?.();
    return came;
  }
  const bytes = await unpacked(came, encoding, name, limit).catch((error: unknown) => {
    // no encoding makes text; brotli cannot be told from text by its first bytes
    if (asItIs === undefined || !isUtf8(came)) throw error;
    asItIs();
    return came;
  });
  if (bytes.length > came.length) contextOf(request).charge(bytes.length - came.length);
  return inTurn(bytes);
}

const OVERHEAD = 4_096;

/** Decoding, parsing and checking a body of 1 MiB may take 10 ms, one of this size 1 ms: most share their turn, and a commit. */
const LARGE_BYTES = 32_768;
/** Between two large bodies: a publish that comes in between takes three turns until it is answered. */
const TURNS_BETWEEN = 4;
let handedOut = Promise.resolve();

function inTurn(bytes: Uint8Array): Uint8Array | Promise<Uint8Array> {
  if (bytes.length <= LARGE_BYTES) return bytes;
  handedOut = handedOut.then(passTurns);
  return handedOut.then(() => bytes);
}

async function passTurns(): Promise<void> {
  for (let n = 0; n < TURNS_BETWEEN; n++) await new Promise((resolve) => setImmediate(resolve));
}

/** For one body, whatever its length: a slow line may need more than the connection's 10 s. Setting it costs 13 ns (measured). */
const BODY_SECONDS = 30;

/** The raw bytes in their turn, at most `cap`; `limit` is the number that the refusal names. */
function received(request: Request, cap: number, limit: number): Uint8Array | Promise<Uint8Array> {
  const length = request.headers.get("content-length");
  if (length !== null && Number(length) > cap) throw problem.tooLarge(limit);
  const context = contextOf(request);
  const { server } = context;
  if (length !== null) {
    if (Number(length) > 0) {
      context.charge(Number(length));
      server.timeout(request, BODY_SECONDS);
    }
    return request.bytes().then(inTurn, endedEarly);
  }
  if (request.body === null) return new Uint8Array();
  server.timeout(request, BODY_SECONDS);
  return counted(request, request.body, cap, limit).then(inTurn);
}

async function counted(
  request: Request,
  body: ReadableStream<Uint8Array>,
  cap: number,
  limit: number,
): Promise<Uint8Array> {
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read().catch(endedEarly);
    if (done) return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, size);
    size += value.length;
    try {
      if (size > cap) throw problem.tooLarge(limit);
      contextOf(request).charge(value.length);
    } catch (refusal) {
      await reader.cancel().catch(() => undefined);
      endBody(request);
      throw refusal;
    }
    chunks.push(value);
  }
}

/**
 * Receives and drops the rest of a body that nobody reads, even an endless one: the connection is closed after some seconds
 * (4, measured) unless the body ends before. If it were closed at once, the client would often not see its answer.
 */
export function endBody(request: Request): void {
  contextOf(request).server.timeout(request, 1);
}

/** A client that goes away in the middle of its body is not our error. */
const endedEarly = (): never => {
  throw problem.malformedBody("The body ended early.");
};

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Undefined if the bytes are not UTF-8. A byte order mark is dropped. */
export function decode(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** The body as text. @throws Problem 400 if it is not UTF-8 */
export async function readText(request: Request, limit: number): Promise<string> {
  const text = decode(await readBytes(request, limit));
  if (text === undefined) throw problem.malformedBody("The body is not UTF-8.");
  return text;
}

/** The fields of a form. @throws Problem 400, 413 */
export const readForm = async (request: Request, limit = FORM_LIMIT): Promise<URLSearchParams> =>
  new URLSearchParams(await readText(request, limit));

/** A JSON body of this schema; unknown fields are kept. @throws Problem 415, 413, 400 `malformed_json`, 422: one entry a field */
export async function readJson<T extends TSchema>(request: Request, schema: T, limit = JSON_LIMIT): Promise<Static<T>> {
  if (!isJsonType(request.headers.get("content-type")))
    throw problem.unsupportedMediaType(
      "JSON with the header `Content-Type: application/json` (curl: `-H 'Content-Type: application/json'`)",
    );
  return check(schema, parseJson(await readBytes(request, limit)));
}

/** The media type of a content type, without its parameters. */
export function mediaType(contentType: string): string {
  const end = contentType.indexOf(";");
  return (end < 0 ? contentType : contentType.slice(0, end)).trim().toLowerCase();
}

/** Whether it is `application/json`, ends in `+json`, or is absent. */
export function isJsonType(header: string | null): boolean {
  return header === null || /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(header.trim());
}

/** @throws Problem 400 `malformed_json` with the place, also for JSON that nests too deep */
export function parseJson(bytes: Uint8Array): unknown {
  const excess = excessOf(bytes);
  if (excess !== undefined) throw problem.malformedJson(`The JSON ${excess}.`);
  const text = decode(bytes);
  if (text === undefined) throw problem.malformedJson("JSON must be UTF-8, and these bytes aren't.");
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason =
      text.trim() === "" ? "The body is empty" : (error as Error).message.replace(/^JSON Parse error: /, "");
    throw problem.malformedJson(`${reason}. Check quotes, commas and brackets.`);
  }
}

/** Compiled once for each schema: every publish pays only for the check itself. */
const compiled = new WeakMap<TSchema, TypeCheck<TSchema>>();

/** The value as the schema's type, or 422 `validation_failed` with one entry a field. */
export function check<T extends TSchema>(schema: T, value: unknown): Static<T> {
  let checker = compiled.get(schema);
  if (checker === undefined) compiled.set(schema, (checker = TypeCompiler.Compile<TSchema>(schema)));
  if (checker.Check(value)) return value;
  throw problem.validationFailed(fieldErrors(checker.Errors(value)));
}

const MAX_ERRORS = 20;

/** The first error of each field, at most 20. */
export function fieldErrors(errors: Iterable<ValueError>): FieldError[] {
  const byPath = new Map<string, string>();
  for (const error of innermost(errors)) {
    if (!byPath.has(error.path)) byPath.set(error.path, words(error));
    if (byPath.size === MAX_ERRORS) break;
  }
  return [...byPath].map(([path, message]) => ({ path: path === "" ? "/" : path, message }));
}

/** What is wrong, in the words of a person. */
function words({ type, schema, message }: ValueError): string {
  const { minLength, maxLength, minItems, maxItems, minimum, maximum } = schema as Record<string, number | undefined>;
  switch (type) {
    case ValueErrorType.ObjectRequiredProperty:
      return "is required";
    case ValueErrorType.String:
      return "must be a string";
    case ValueErrorType.StringMinLength:
      return minLength === 1 ? "must not be empty" : `must be at least ${minLength ?? 0} characters`;
    case ValueErrorType.StringMaxLength:
      return `must be at most ${maxLength ?? 0} characters`;
    case ValueErrorType.StringPattern:
      return typeof schema.description === "string" ? `must be ${schema.description}` : "has the wrong format";
    case ValueErrorType.Integer:
    case ValueErrorType.IntegerMinimum:
    case ValueErrorType.IntegerMaximum:
      return `must be an integer${range(minimum, maximum)}`;
    case ValueErrorType.Number:
    case ValueErrorType.NumberMinimum:
    case ValueErrorType.NumberMaximum:
      return `must be a number${range(minimum, maximum)}`;
    case ValueErrorType.Boolean:
      return "must be true or false";
    case ValueErrorType.Array:
      return "must be a list";
    case ValueErrorType.ArrayMinItems:
      return `must have at least ${minItems ?? 0} entries`;
    case ValueErrorType.ArrayMaxItems:
      return `must have at most ${maxItems ?? 0} entries`;
    case ValueErrorType.Object:
      return "must be an object";
    case ValueErrorType.Literal:
      return oneOf([schema]);
    case ValueErrorType.Union:
      return oneOf((schema["anyOf"] as TSchema[]).filter(({ type }) => type !== "null"));
    default:
      return message.charAt(0).toLowerCase() + message.slice(1);
  }
}

function range(minimum: number | undefined, maximum: number | undefined): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return ` of at least ${minimum}`;
  return maximum === undefined ? "" : ` of at most ${maximum}`;
}

/** What is wrong in the value of a field that may also be null. */
function* innermost(errors: Iterable<ValueError>): Generator<ValueError> {
  for (const error of errors) {
    const inner = error.type === ValueErrorType.Union ? ofValue(error) : undefined;
    if (inner === undefined) yield error;
    else yield* innermost(inner);
  }
}

function ofValue({ schema, errors }: ValueError): Iterable<ValueError> | undefined {
  const alternatives = schema["anyOf"] as TSchema[];
  const [only, ...others] = alternatives.filter(({ type }) => type !== "null");
  return only === undefined || others.length > 0 ? undefined : errors[alternatives.indexOf(only)];
}

function oneOf(alternatives: readonly TSchema[]): string {
  const constants = alternatives.map((each) => each["const"] as unknown);
  if (constants.some((constant) => constant === undefined)) return "has the wrong type";
  return `must be ${constants.length > 1 ? "one of " : ""}${constants.join(", ")}`;
}

/** A JSON body that may be left out: then it is `{}`. @throws Problem 400, 413, 415, 422 */
export async function readOptionalJson<T extends TSchema>(request: Request, schema: T): Promise<Static<T>> {
  const body = await readBytes(request, JSON_LIMIT);
  if (body.length === 0) return check(schema, {});
  if (!isJsonType(request.headers.get("content-type"))) throw problem.unsupportedMediaType("JSON, or no body at all");
  return check(schema, parseJson(body));
}
