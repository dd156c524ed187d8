/** Query parameters, by hand: a wrong one answers 400 `invalid_<name>` (API.md §6). */
import { problem } from "./problem.ts";

/** Parameters of a query that are read: each is looked at for each name that is asked for. */
const MAX_PARAMETERS = 100;

/** The query of a request. */
export function queryOf(request: Request): URLSearchParams {
  const { url } = request;
  const at = url.indexOf("?");
  if (at < 0) return new URLSearchParams();
  const query = url.slice(at + 1);
  return new URLSearchParams(query.length <= MAX_PARAMETERS ? query : query.split("&", MAX_PARAMETERS).join("&"));
}

/** The one value of a parameter; an empty one counts as absent. */
function single(params: URLSearchParams, name: string): string | undefined {
  const values = params.getAll(name);
  if (values.length > 1)
    throw problem.invalidParameter(name, `\`${name}\` is given ${values.length} times; give it once.`);
  return values[0] === "" ? undefined : values[0];
}

interface Range {
  min: number;
  max: number;
}

/** A decimal integer from `min` to `max`; `undefined` when it is absent and has no default. */
export function integer(params: URLSearchParams, name: string, range: Range & { default: number }): number;
export function integer(params: URLSearchParams, name: string, range: Range): number | undefined;
export function integer(
  params: URLSearchParams,
  name: string,
  range: Range & { default?: number },
): number | undefined {
  if (!params.has(name)) return range.default;
  const text = single(params, name) ?? ""; // `since=` with nothing behind it is a script's empty variable: say so
  const value = /^\d{1,16}$/.test(text) ? Number(text) : NaN;
  if (!(value >= range.min && value <= range.max))
    throw problem.invalidParameter(name, `\`${name}\` must be an integer from ${range.min} to ${range.max}.`);
  return value;
}

/** One of a few words; `undefined` when it is absent. */
export function oneOf<T extends string>(params: URLSearchParams, name: string, words: readonly T[]): T | undefined {
  const text = single(params, name);
  return text === undefined ? undefined : known(name, words, text);
}

/** Words separated by commas, or the parameter given several times; `undefined` when it is absent. */
export function list<T extends string>(params: URLSearchParams, name: string, words: readonly T[]): T[] | undefined {
  const parts = params
    .getAll(name)
    .flatMap((value) => value.split(","))
    .map((part) => part.trim())
    .filter((part) => part !== "");
  return parts.length === 0 ? undefined : [...new Set(parts.map((part) => known(name, words, part)))];
}

/** Free text of at most `max` characters; `undefined` when it is absent. */
export function text(params: URLSearchParams, name: string, max: number): string | undefined {
  const value = single(params, name);
  if (value !== undefined && value.length > max)
    throw problem.invalidParameter(name, `\`${name}\` must be at most ${max} characters.`);
  return value;
}

function known<T extends string>(name: string, words: readonly T[], text: string): T {
  const word = words.find((candidate) => candidate === text);
  if (word === undefined) throw problem.invalidParameter(name, `\`${name}\` must be one of ${words.join(", ")}.`);
  return word;
}
