/** JSON of unknown shape: read by names that most tools use, else shown as readable lines (docs/publish.md). Pure. */
import { levelOf, statusOf } from "../drafts/words.ts";
import type { Level } from "../drafts/draft.ts";
import { field, firstAt, listAt, object, scalar, scalarAt, type Fields } from "./fields.ts";
import { isObject } from "../util/json.ts";
import { isSecretName } from "./secret.ts";
import { cut, line, prose, withinBudget } from "./text.ts";
import { link } from "./urls.ts";

/** As fields of a publish body. */
export interface Common {
  message: string;
  title?: string;
  level?: Level;
  url?: string;
  data?: Record<string, unknown>;
}

const TEXTS = "message msg text content body description summary detail details reason".split(" ");
const TITLES = "title subject event name alert check monitor".split(" ");
const LEVELS = "level severity status state type".split(" ");
/** Read beside a message: `level` is a field of ours, and so is `status` if there is a key of what it is the status of. */
const OTHERS_LEVELS = ["severity", "state", "type"];
const OTHERS_TITLE = "subject";
const LINKS = "url link href permalink".split(" ");
/** Where a tool may have put its whole message. */
const INNER = "data event alert payload".split(" ");
const LISTS = "attachments embeds blocks".split(" ");

/** Whether one of the fields is named like a text. */
export const hasText = (fields: Fields): boolean =>
  Object.keys(fields).some((name) => TEXTS.includes(name.toLowerCase()));

const MAX_MESSAGE = 8_000;
const MAX_TITLE = 256;
const MAX_LINES = 20;
const MAX_VALUE = 200;
const MAX_DEPTH = 4;
/** The most values that are looked at for lines, empty ones included. */
const MAX_LOOKED_AT = 200;

/**
 * What `payload` says, never nothing. `sender`: the name that the sender gives itself. Only text in a field that is named like
 * one becomes the message; otherwise each value is a line with its path.
 */
export function common(payload: unknown, sender: string | undefined): Common {
  return withinBudget(() => byNames(payload) ?? byLines(payload, sender));
}

function byNames(payload: unknown): Common | undefined {
  const places = placesOf(payload);
  const message = firstOf(places, TEXTS, prose);
  if (message === undefined) return undefined;
  const title = firstOf(places, TITLES, line);
  return {
    message: cut(message, MAX_MESSAGE),
    ...(title !== undefined && title !== message && { title: cut(title, MAX_TITLE) }),
    ...levelAndLink(places),
  };
}

function levelAndLink(places: readonly Fields[], names = LEVELS): Pick<Common, "level" | "url"> {
  const level = firstOf(places, names, (text) => levelOf(text) ?? "") as Level | undefined;
  const url = firstOf(places, LINKS, (text) => link(text) ?? "");
  return { ...(level !== undefined && { level }), ...(url !== undefined && { url }) };
}

/** What JSON with a message of ours says by other tools' names. `hasKey`: it says which alert it is. */
export const besideMessage = (payload: unknown, hasKey: boolean): Pick<Common, "level" | "title" | "url"> =>
  withinBudget(() => {
    const [top = {}] = placesOf(payload);
    const isStatus = hasKey && statusOf(scalarAt(top, "status") ?? "") !== undefined;
    const title = line(scalarAt(top, OTHERS_TITLE) ?? "");
    return {
      ...levelAndLink([top], isStatus ? OTHERS_LEVELS : ["status", ...OTHERS_LEVELS]),
      ...(title !== "" && { title: cut(title, MAX_TITLE) }),
    };
  });

/** Whether `besideMessage` looks at a field of this name. */
export const isReadBeside = (name: string): boolean => READ_BESIDE.has(name.toLowerCase());
const READ_BESIDE = new Set([...OTHERS_LEVELS, OTHERS_TITLE, ...LINKS]);

/** The payload, then the objects one level down. Of a list, its first object. */
function placesOf(payload: unknown): Fields[] {
  const top = Array.isArray(payload) ? object(payload.find(isObject)) : object(payload);
  const folded: Fields = Object.fromEntries(
    Object.entries(top)
      .slice(0, MAX_LOOKED_AT)
      .map(([name, value]): [string, unknown] => [name.toLowerCase(), value]),
  );
  const inner = INNER.map((name) => field(folded, name));
  const listed = LISTS.map((name) => listAt(folded, name)[0]);
  return [folded, ...[...inner, ...listed].filter(isObject)];
}

function firstOf(
  places: readonly Fields[],
  names: readonly string[],
  read: (text: string) => string,
): string | undefined {
  for (const place of places) {
    const text = firstAt(place, names, read);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** Stands for a message that says nothing. */
export const EMPTY = "empty";

function byLines(payload: unknown, sender: string | undefined): Common {
  const places = placesOf(payload);
  const title = firstOf(places, TITLES, line);
  const unknown =
    sender === undefined ? "Message of an unknown form" : `${cut(line(sender), 60)}: message of an unknown form`;
  return {
    message: linesOf(payload) ?? EMPTY,
    title: title === undefined ? unknown : cut(title, MAX_TITLE),
    level: "warning",
    ...levelAndLink(places),
    data: { unrecognised: true, ...(sender !== undefined && { sender: cut(line(sender), 60) }) },
  };
}

/** Its first values, each as a line with its path, without those named like a secret; undefined if there are none. */
export function linesOf(payload: unknown): string | undefined {
  const said: string[] = [];
  const left = { count: MAX_LOOKED_AT };
  let isMore = false;
  for (const { path, value } of scalarsIn(payload, "", MAX_DEPTH, left)) {
    if (said.length === MAX_LINES) {
      isMore = true;
      break;
    }
    const text = line(value);
    if (text !== "") said.push(path === "" ? cut(text, MAX_VALUE) : `${line(path)}: ${cut(text, MAX_VALUE)}`);
  }
  if (isMore || left.count <= 0) said.push("…");
  return said.length === 0 ? undefined : said.join("\n");
}

/** Depth first, in the order in which they were sent, without those named like a secret. */
function* scalarsIn(
  value: unknown,
  path: string,
  depth: number,
  left: { count: number },
): Generator<{ path: string; value: string }> {
  if (left.count-- <= 0) return;
  const text = scalar(value);
  if (text !== undefined) yield { path, value: text };
  if (typeof value !== "object" || value === null || depth === 0) return;
  for (const name of Array.isArray(value) ? value.keys() : Object.keys(value)) {
    if (left.count <= 0) return;
    if (typeof name === "string" && isSecretName(name)) continue;
    yield* scalarsIn((value as Fields)[name], path === "" ? String(name) : `${path}.${name}`, depth - 1, left);
  }
}
