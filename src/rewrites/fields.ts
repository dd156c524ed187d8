/** Reads the fields of a payload that may hold anything (REWRITES.md §1): own properties, scalars as text. */
import { isObject, type JsonObject } from "../util/json.ts";
import { brief, line, prose } from "./text.ts";

export type Fields = JsonObject;

const NOTHING: Fields = {};
/** Names that mean something to JavaScript: never copied. */
const UNSAFE = new Set(["__proto__", "prototype", "constructor"]);

/** The value if it is an object, else one without fields. */
export const object = (value: unknown): Fields => (isObject(value) ? value : NOTHING);

/** What was posted; if it is a list, which some tools post, it is in the field that has no name. */
export const posted = (payload: unknown): Fields => (Array.isArray(payload) ? { "": payload } : object(payload));

/** The value if it is a list, else an empty one. */
export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** An own property; what an object inherits was not sent. */
export const field = (fields: Fields, name: string): unknown =>
  Object.hasOwn(fields, name) ? fields[name] : undefined;

/** The text as it came; numbers and booleans as text. Undefined for anything else and for an empty text. */
export function scalar(value: unknown): string | undefined {
  if (typeof value === "string") return value === "" ? undefined : value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
}

/** The value of a field as `scalar`, `object` and `list` read it. */
export const scalarAt = (fields: Fields, name: string): string | undefined => scalar(field(fields, name));
export const objectAt = (fields: Fields, name: string): Fields => object(field(fields, name));
export const listAt = (fields: Fields, name: string): readonly unknown[] => list(field(fields, name));

/** The first `max` items of a list, those that are no objects as ones without fields. */
export const objectsAt = (fields: Fields, name: string, max: number): Fields[] =>
  listAt(fields, name).slice(0, max).map(object);

/** Whether these were all sent, whatever they hold. */
export const has = (fields: Fields, ...names: string[]): boolean => names.every((name) => Object.hasOwn(fields, name));

/** Whether one of these was sent. */
export const hasOne = (fields: Fields, ...names: string[]): boolean =>
  names.some((name) => Object.hasOwn(fields, name));

/** The list that was posted. */
export const postedList = (payload: Fields): readonly unknown[] => listAt(payload, "");

/** A number as it came, anything else as one short line. */
export function valueAt(fields: Fields, name: string): number | string | undefined {
  const value = field(fields, name);
  return typeof value === "number" && Number.isFinite(value) ? value : brief(lineAt(fields, name));
}

/** The first of these fields that has anything to show, on one line. */
export const lineAt = (fields: Fields, ...names: string[]): string | undefined => firstAt(fields, names, line);

/** The first of these fields that has anything to show, with its line breaks. */
export const proseAt = (fields: Fields, ...names: string[]): string | undefined => firstAt(fields, names, prose);

/** The first of these fields that holds something, as `fold` makes it of its text. */
export function firstAt(fields: Fields, names: readonly string[], fold: (text: string) => string): string | undefined {
  for (const name of names) {
    const text = fold(scalarAt(fields, name) ?? "");
    if (text !== "") return text;
  }
  return undefined;
}

/** The first `max` fields by name, on one line each, without those whose name is not safe. */
export const entriesOf = (fields: Fields, max: number): [name: string, value: unknown][] =>
  Object.keys(fields)
    .slice(0, max)
    .map((name): [string, unknown] => [line(name), fields[name]])
    .filter(([name]) => name !== "" && !UNSAFE.has(name));
