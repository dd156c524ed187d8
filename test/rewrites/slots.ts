/** Every text that a tool posts, made slow: places for payloads of 1 MiB that are found automatically. */
import { posted } from "../../src/rewrites/fields.ts";
import type { RewriteName } from "../../src/rewrites/rewrite.ts";
import { SOURCES } from "../../src/rewrites/tools/all.ts";
import { fixtures, type Fixture } from "./fixtures.ts";
import type { Hostile } from "./hostile.ts";

/** A text of a fixture that can be replaced without changing which tool is recognized. */
interface Slot {
  name: RewriteName;
  what: string;
  fill: (text: string) => unknown;
}

/** The paths to all texts in a value. */
const textsIn = (value: unknown, path: string[] = []): string[][] =>
  typeof value === "string"
    ? [path]
    : typeof value === "object" && value !== null
      ? Object.entries(value).flatMap(([name, each]) => textsIn(each, [...path, name]))
      : [];

function filled(raw: string, path: readonly string[], text: string): unknown {
  const payload: unknown = JSON.parse(raw);
  const holder = path.slice(0, -1).reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], payload);
  (holder as Record<string, unknown>)[path.at(-1) ?? ""] = text;
  return payload;
}

function slotsOf({ path, name, raw, about }: Fixture): Slot[] {
  const fits = (payload: unknown) =>
    SOURCES.find((source) => source.name === name)?.fits(posted(payload), about) === true;
  return textsIn(JSON.parse(raw))
    .filter((place) => fits(filled(raw, place, "x")))
    .map((place) => ({
      name,
      what: `${place.join(".")} of ${path}`,
      fill: (text) => filled(raw, place, text),
    }));
}

/** Every text of every fixture, each with the next filling in turn. */
export function* slots(fillings: Iterable<readonly [what: string, unit: string]>, size: number): Generator<Hostile> {
  const units = [...fillings];
  const all = fixtures.flatMap(slotsOf);
  for (const [i, { name, what, fill }] of all.entries()) {
    const [filling, unit] = units[i % units.length] ?? ["", ""];
    yield { what: `${filling} in ${what}`, name, payload: fill(unit.repeat(size / Buffer.byteLength(unit))), raw: "" };
  }
}
