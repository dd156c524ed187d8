/** Query parameters: one declaration describes and reads each. A wrong one answers 400 `invalid_<name>` (API.md §6). */
import { type TSchema, Type } from "@sinclair/typebox";
import { choice, text } from "../util/schema.ts";
import { problem } from "./problem.ts";

/** A parameter: how the OpenAPI document describes it, and how its values become a `T`. */
export interface Parameter<T> {
  schema: TSchema;
  description?: string;
  required?: true;
  /** The values are separated by commas. */
  isList?: true;
  /** @throws Problem 400 `invalid_<name>` */
  read(values: readonly string[], name: string, request?: Request): T;
}
export type Query = Readonly<Record<string, Parameter<unknown>>>;

type Optional<Q extends Query> = {
  [Name in keyof Q]: undefined extends ReturnType<Q[Name]["read"]> ? Name : never;
}[keyof Q];
/** What was read from a query: a parameter that was not given and has no default is absent. */
export type QueryOf<Q extends Query> = { [Name in Exclude<keyof Q, Optional<Q>>]: ReturnType<Q[Name]["read"]> } & {
  [Name in Optional<Q>]?: Exclude<ReturnType<Q[Name]["read"]>, undefined>;
};

export const NEXT_AFTER = "The `next_after` of the page before.";

/** The most parameters of a query that are read: each of them is compared with each declared name. */
const MAX_PARAMETERS = 100;

/** The query of a request. */
export function queryOf({ url }: Pick<Request, "url">): URLSearchParams {
  const at = url.indexOf("?");
  if (at < 0) return new URLSearchParams();
  const query = url.slice(at + 1);
  return new URLSearchParams(query.length <= MAX_PARAMETERS ? query : query.split("&", MAX_PARAMETERS).join("&"));
}

/** Reads the parameters in the order of their declaration. @throws Problem 400 `invalid_<name>` of the first wrong one */
export function readQuery<Q extends Query>(from: Request | URLSearchParams, query: Q): QueryOf<Q> {
  const [params, request] = from instanceof URLSearchParams ? [from] : [queryOf(from), from];
  const read: Record<string, unknown> = {};
  for (const name in query) {
    const value = query[name]?.read(params.getAll(name), name, request);
    if (value !== undefined) read[name] = value;
  }
  return read as QueryOf<Q>;
}

/** The one value of a parameter; an empty one counts as absent. */
function single(values: readonly string[], name: string): string | undefined {
  if (values.length > 1)
    throw problem.invalidParameter(name, `\`${name}\` is given ${values.length} times; give it once.`);
  return values[0] === "" ? undefined : values[0];
}

/** A decimal integer from `min` to `max`. */
export function whole(min: number, max: number, fallback: number): Parameter<number>;
export function whole(min: number, max: number, description?: string): Parameter<number | undefined>;
export function whole(min: number, max: number, other?: number | string): Parameter<number | undefined> {
  const fallback = typeof other === "number" ? other : undefined;
  return {
    schema: Type.Integer({ minimum: min, maximum: max, ...(fallback !== undefined && { default: fallback }) }),
    ...(other !== undefined && { description: typeof other === "number" ? `Default ${other}.` : other }),
    read: (values, name) => {
      if (values.length === 0) return fallback;
      const given = single(values, name) ?? ""; // an empty `since=` is a script's empty variable: say so
      const value = /^\d{1,16}$/.test(given) ? Number(given) : NaN;
      if (!(value >= min && value <= max))
        throw problem.invalidParameter(name, `\`${name}\` must be an integer from ${min} to ${max}.`);
      return value;
    },
  };
}

/** One of a few words. */
export const word = <const T extends string>(words: readonly T[], description?: string): Parameter<T | undefined> => ({
  schema: choice(words),
  ...(description !== undefined && { description }),
  read: (values, name) => {
    const given = single(values, name);
    return given === undefined ? undefined : known(name, words, given);
  },
});

/** Some of a few words, separated by commas; the parameter may be given several times. */
export const words = <const T extends string>(all: readonly T[]): Parameter<T[] | undefined> => ({
  schema: Type.Array(choice(all)),
  description: "One or more, separated by commas.",
  isList: true,
  read: (values, name) => {
    const parts = values
      .flatMap((value) => value.split(","))
      .map((part) => part.trim())
      .filter((part) => part !== "");
    return parts.length === 0 ? undefined : [...new Set(parts.map((part) => known(name, all, part)))];
  },
});

/** `true` or `false`; absent is false. */
export const flag = (description: string): Parameter<boolean> => {
  const either = word(["true", "false"], description);
  return { ...either, read: (...given) => either.read(...given) === "true" };
};

/** Free text of at most `max` characters. */
export const phrase = (max: number, description?: string): Parameter<string | undefined> => ({
  schema: text({ maxLength: max }),
  ...(description !== undefined && { description }),
  read: (values, name) => {
    const value = single(values, name);
    if (value !== undefined && value.length > max)
      throw problem.invalidParameter(name, `\`${name}\` must be at most ${max} characters.`);
    return value;
  },
});

/** Where a page begins, as `next_after` of the page before says: a text of this form, and its meaning. */
export const pageMark = <T>(
  max: number,
  form: RegExp,
  meaning: (found: RegExpExecArray) => T,
): Parameter<T | undefined> => {
  const given = phrase(max);
  return {
    schema: text({ maxLength: max, pattern: form.source }),
    description: NEXT_AFTER,
    read: (values, name, request) => {
      const value = given.read(values, name, request);
      const found = value === undefined ? undefined : form.exec(value);
      if (found === null)
        throw problem.invalidParameter(name, `\`${name}\` takes the \`next_after\` of the page before.`);
      return found && meaning(found);
    },
  };
};

function known<T extends string>(name: string, words: readonly T[], given: string): T {
  const word = words.find((candidate) => candidate === given);
  if (word === undefined) throw problem.invalidParameter(name, `\`${name}\` must be one of ${words.join(", ")}.`);
  return word;
}
