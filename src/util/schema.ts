/**
 * Two kinds beside TypeBox's own, so that one schema is the check, the type and the OpenAPI document. TypeBox measures strings
 * in UTF-16 units, but JSON Schema and API.md §3 in characters.
 */
import { Kind, type TSchema, type TUnsafe, Type, TypeRegistry } from "@sinclair/typebox";
import { DefaultErrorFunction, SetErrorFunction, ValueErrorType } from "@sinclair/typebox/errors";

interface TextOptions {
  description?: string;
  /** In characters (code points). */
  minLength?: number;
  maxLength?: number;
  /** In bytes of UTF-8. */
  maxBytes?: number;
  /** For the OpenAPI document only: the code that uses the field checks its form. */
  format?: string;
  /** A regular expression for the whole text. */
  pattern?: string;
}

/** Text that every reader can hold: within its limits, without NUL and without half a surrogate pair. */
export const text = (options: TextOptions = {}): TUnsafe<string> =>
  Type.Unsafe<string>({ ...options, type: "string", [Kind]: "Text" });

/** A time in the document: RFC 3339. */
export const time = Type.String({ format: "date-time" });

/** One of a few words. */
export const choice = <const T extends string>(
  values: readonly T[],
  options: { description?: string } = {},
): TUnsafe<T> => Type.Unsafe<T>({ ...options, type: "string", enum: [...values], [Kind]: "Choice" });

/** A field of a change: `null` takes the value away. */
export const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

TypeRegistry.Set<TextOptions>(
  "Text",
  (limits, value) =>
    typeof value === "string" &&
    fits(value, limits) &&
    value.isWellFormed() &&
    !value.includes("\0") &&
    (limits.pattern === undefined || new RegExp(limits.pattern, "u").test(value)),
);
TypeRegistry.Set<{ enum: readonly unknown[] }>("Choice", (schema, value) => schema.enum.includes(value));

// what a value should have been, in words for people; TypeBox would say "Expected kind 'Text'"
SetErrorFunction((error) => (error.errorType === ValueErrorType.Kind ? expected(error) : DefaultErrorFunction(error)));

function expected({ schema, value }: { schema: TSchema; value: unknown }): string {
  if (schema[Kind] === "Choice") return `must be one of ${(schema["enum"] as string[]).join(", ")}`;
  if (typeof value === "string" && (value.includes("\0") || !value.isWellFormed()))
    return "must not contain NUL or half a surrogate pair";
  return `must be a string${limitsOf(schema)}`;
}

/** The length in characters (code points). */
export function characters(value: string): number {
  let n = value.length;
  for (let i = 1; i < value.length; i++) if (isLow(value.charCodeAt(i)) && isHigh(value.charCodeAt(i - 1))) n--;
  return n;
}

const isHigh = (unit: number) => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff;

/** Counts characters only if the cheap bound does not decide: this runs on every publish. */
function fits(value: string, { minLength = 0, maxLength = Infinity, maxBytes = Infinity }: TextOptions): boolean {
  if (value.length < minLength || value.length > 2 * maxLength || value.length > maxBytes) return false;
  if (value.length > maxLength && characters(value) > maxLength) return false;
  return 3 * value.length <= maxBytes || Buffer.byteLength(value) <= maxBytes;
}

function limitsOf({ minLength, maxLength, maxBytes, pattern }: TSchema & TextOptions): string {
  if (pattern !== undefined) return ` that matches ${pattern}`;
  const most = maxBytes === undefined ? maxLength : maxBytes;
  const unit = maxBytes === undefined ? "characters" : "bytes of UTF-8";
  if (most === undefined) return minLength === undefined ? "" : " that is not empty";
  return minLength === undefined ? ` of at most ${most} ${unit}` : ` of ${minLength} to ${most} ${unit}`;
}
