/** Reads fields of JSON that others wrote. */
import { isObject, type JsonObject } from "../../util/json.ts";

export type Fields = JsonObject;

export const fieldsOf = (value: unknown): Fields => (isObject(value) ? value : {});

export function textOf(fields: Fields, name: string): string | undefined {
  const { [name]: value } = fields;
  return typeof value === "string" ? value : undefined;
}

export function listOf(fields: Fields, name: string): readonly unknown[] {
  const { [name]: value } = fields;
  return Array.isArray(value) ? value : [];
}

/** Undefined: it is no JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
