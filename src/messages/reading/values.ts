/** Turns values of any type into those that the fields of a publish take. Pure. */
import type { FieldError } from "../../http/problem.ts";
import { rfc3339 } from "../../util/clock.ts";
import { sha256 } from "../../util/ids.ts";
import { jsonIn } from "../../util/json.ts";
import { characters } from "../../util/schema.ts";
import type { Name } from "./fields.ts";
import { LEVELS, PRIORITIES } from "../../drafts/draft.ts";
import { button, commaList, MAX_READ, parseActions, parseDelay, type Fields } from "./ntfy.ts";
import { METHODS } from "../schema.ts";
import * as limits from "../../drafts/limits.ts";
import { cut, isBlank, oneLine, withoutAnsi, withoutControls } from "../../util/text/text.ts";
import { truncate } from "../../drafts/fit.ts";
import { parseDuration, parseTime } from "../../util/time.ts";
import { booleanOf, levelOf, priorityOf, statusOf } from "../../drafts/words.ts";

/** Collects what is noted while fields are read. */
export class Notes {
  readonly ignored: FieldError[] = [];
  isCut = false;
  isHtml = false;
  /** Notes that a field is left out; returns undefined, its value then. */
  leaveOut(path: string, message: string): unknown {
    this.ignored.push({ path, message });
    return undefined;
  }
}

/** The value as our field takes it; undefined if it is left out, which is noted if it said anything. */
type Read = (value: unknown, path: string, notes: Notes) => unknown;

export const isAbsent = (value: unknown): boolean => value === null || value === undefined || value === "";

/** The text of a scalar, or the lines of a list of scalars. */
function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value.toWellFormed();
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const lines = value.slice(0, MAX_LIST).map((each) => (Array.isArray(each) ? undefined : textOf(each)));
  return lines.includes(undefined) ? undefined : lines.join("\n");
}
const MAX_LIST = 1_000;

/** Whether it is text that is too long to be parsed. */
const isTooLong = (value: unknown): boolean => typeof value === "string" && value.length > MAX_READ;
const TOO_LONG = `must be at most ${MAX_READ} characters`;
const MUST_BE_TEXT = "must be text";

const longText: Read = (value, path, notes) => {
  const given = textOf(value);
  if (given === undefined) return notes.leaveOut(path, MUST_BE_TEXT);
  const { text, truncated } = truncate(withoutControls(withoutAnsi(given)));
  notes.isCut ||= truncated;
  return isBlank(text) ? undefined : text;
};

/** One line of at most `max` characters. */
const line =
  (max: number): Read =>
  (value, path, notes) => {
    const given = textOf(value);
    if (given === undefined) return notes.leaveOut(path, MUST_BE_TEXT);
    const isLong = given.length > MAX_READ; // 1 MiB of blanks and line ends takes 16 ms (measured)
    const text = oneLine(withoutAnsi(isLong ? given.slice(0, MAX_READ).toWellFormed() : given)).trim();
    const kept = cut(text, max);
    notes.isCut ||= isLong || kept !== text;
    return kept === "" ? undefined : kept;
  };

const asItIs: Read = (value, path, notes) => {
  const given = textOf(value);
  return given === undefined ? notes.leaveOut(path, MUST_BE_TEXT) : given.trim().replaceAll("\0", "");
};

/** One of our words, or one that means the same. */
const word =
  (meaningOf: (word: string) => string | undefined, known: readonly string[]): Read =>
  (value, path, notes) => {
    const given = textOf(value);
    return (
      (given === undefined ? undefined : meaningOf(given)) ?? notes.leaveOut(path, `must be one of ${known.join(", ")}`)
    );
  };

const tags: Read = (value, path, notes) => {
  if (isTooLong(value)) return notes.leaveOut(path, TOO_LONG);
  const given = typeof value === "string" ? commaList(value) : Array.isArray(value) ? value : [value];
  const read = line(limits.MAX_TAG_CHARACTERS);
  const made = given
    .slice(0, MAX_LIST)
    .map((tag: unknown, index) => (isAbsent(tag) ? undefined : read(tag, `${path}/${index}`, notes)))
    .filter((tag) => tag !== undefined);
  const kept = [...new Set(made)].slice(0, limits.MAX_TAGS);
  if (new Set(made).size > limits.MAX_TAGS)
    notes.leaveOut(path, `must have at most ${limits.MAX_TAGS} entries; only the first are kept`);
  return kept.length === 0 ? undefined : kept;
};

const actions: Read = (value, path, notes) => {
  if (isTooLong(value)) return notes.leaveOut(path, TOO_LONG);
  const given = typeof value === "string" ? parseActions(value) : value;
  if (!Array.isArray(given)) return notes.leaveOut(path, "must be a list of buttons");
  const made = given
    .slice(0, limits.MAX_TAGS)
    .flatMap((action: unknown, index) => actionOf(action, `${path}/${index}`, notes));
  if (made.length > limits.MAX_ACTIONS)
    notes.leaveOut(path, `must have at most ${limits.MAX_ACTIONS} entries; only the first are kept`);
  return made.length === 0 ? undefined : made.slice(0, limits.MAX_ACTIONS);
};

function actionOf(action: unknown, path: string, notes: Notes): Fields[] {
  if (typeof action !== "object" || action === null || Array.isArray(action)) {
    notes.leaveOut(path, "must be an object with `label` and `url`");
    return [];
  }
  // ntfy takes its names in any case
  const given = Object.entries(action as Fields).map(([name, value]) => [name.toLowerCase(), value]);
  const [made] = button(Object.fromEntries(given));
  if (made === undefined) {
    notes.leaveOut(path, "is a kind of button peal doesn't have");
    return [];
  }
  const { label, url, method, headers, body, clear, copy, broadcast } = made as Fields;
  if (!isAbsent(copy) || !isAbsent(broadcast)) return ofApp(made as Fields, path, notes);
  const href = URL.parse(textOf(url)?.trim() ?? "");
  if (href === null) {
    notes.leaveOut(`${path}/url`, "must be an absolute URL");
    return [];
  }
  const words = isAbsent(label) ? undefined : line(limits.MAX_LABEL_CHARACTERS)(label, `${path}/label`, notes);
  const asked = isAbsent(method) ? undefined : textOf(method)?.trim().toUpperCase();
  const sent = METHODS.find((each) => each === asked);
  if (!isAbsent(method) && sent === undefined)
    notes.leaveOut(`${path}/method`, `must be one of ${METHODS.join(", ")}; the button opens the link`);
  if (sent === undefined && isAbsent(method) && !(isAbsent(headers) && isAbsent(body)))
    notes.leaveOut(`${path}/method`, "is needed to send headers or a body; the button opens the link");
  const request = sent === undefined ? {} : requestOf({ headers, body }, path, notes);
  if (request === undefined) return [];
  return [
    {
      label: typeof words === "string" ? words : cut(href.host || href.protocol, limits.MAX_LABEL_CHARACTERS),
      url: href.href,
      ...(sent !== undefined && { method: sent }),
      ...request,
      ...(clear === true && { clear }),
    },
  ];
}

/** A button of ntfy's app alone. */
function ofApp({ label, copy, broadcast, clear }: Fields, path: string, notes: Notes): Fields[] {
  const words = isAbsent(label) ? undefined : line(limits.MAX_LABEL_CHARACTERS)(label, `${path}/label`, notes);
  const text = isAbsent(copy) ? undefined : textOf(copy);
  if (words === undefined) notes.leaveOut(`${path}/label`, "is needed");
  else if (text !== undefined && !isAbsent(broadcast)) notes.leaveOut(path, "does one thing: `copy` or `broadcast`");
  else if (characters(text ?? "") > limits.MAX_BODY_CHARACTERS)
    notes.leaveOut(`${path}/copy`, `must be at most ${limits.MAX_BODY_CHARACTERS} characters; the button is left out`);
  else return [{ label: words, ...doing(text, broadcast), ...(clear === true && { clear }) }];
  return [];
}

const doing = (text: string | undefined, broadcast: unknown): Fields => ({
  ...(text !== undefined && { copy: text }),
  ...(!isAbsent(broadcast) && { broadcast: sentOf(broadcast) }),
});

function sentOf(broadcast: unknown): Fields {
  const { intent, extras } = (typeof broadcast === "object" ? broadcast : {}) as Fields;
  const given = typeof extras === "object" && extras !== null ? Object.entries(extras as Fields) : [];
  const read = Object.fromEntries(given.map(([name, value]) => [name, textOf(value) ?? ""]));
  return { ...(!isAbsent(intent) && { intent: textOf(intent) }), ...(given.length > 0 && { extras: read }) };
}

/** What a button sends beside its method; undefined if it cannot be sent as it is: then it would do something else. */
function requestOf({ headers, body }: Fields, path: string, notes: Notes): Fields | undefined {
  const given = typeof headers === "object" && headers !== null ? Object.entries(headers as Fields) : [];
  const read = given.map(([name, value]) => [name.trim(), textOf(value)?.trim()] as const);
  const isSendable = ([name, value]: (typeof read)[number]) =>
    HEADER_NAME.test(name) &&
    value !== undefined &&
    HEADER_VALUE.test(value) &&
    value.length <= limits.MAX_HEADER_CHARACTERS;
  if (read.length > limits.MAX_HEADERS || !read.every(isSendable)) {
    notes.leaveOut(`${path}/headers`, `must be at most ${limits.MAX_HEADERS} headers; the button is left out`);
    return undefined;
  }
  const text = isAbsent(body) ? undefined : typeof body === "object" ? JSON.stringify(body) : textOf(body);
  if (text !== undefined && characters(text) > limits.MAX_BODY_CHARACTERS) {
    notes.leaveOut(`${path}/body`, `must be at most ${limits.MAX_BODY_CHARACTERS} characters; the button is left out`);
    return undefined;
  }
  return {
    ...(read.length > 0 && { headers: Object.fromEntries(read) }),
    ...(text !== undefined && { body: text }),
  };
}
const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/;
const HEADER_VALUE = /^[\t -~]*$/;

const format: Read = (value, path, notes) => {
  const given =
    textOf(value)
      ?.trim()
      .toLowerCase()
      .replace(/^text\/(?:x-)?/, "") ?? "";
  if (given === "html") notes.isHtml = true;
  if (["markdown", "md"].includes(given) || booleanOf(given) === true) return "markdown";
  if (["text", "plain", "html"].includes(given) || booleanOf(given) === false) return "text";
  return notes.leaveOut(path, "must be `text`, `markdown` or `html`");
};

/** A key that is too long is replaced by its hash: if it were cut, two alerts could become one. */
const key: Read = (value, path, notes) => {
  const given = textOf(value);
  if (given === undefined) return notes.leaveOut(path, MUST_BE_TEXT);
  const text = oneLine(given);
  return cut(text, limits.MAX_KEY_CHARACTERS) === text ? text || undefined : `sha256:${sha256(text)}`;
};

const ttl: Read = (value, path, notes) => {
  const given = textOf(value)?.trim() ?? "";
  const seconds = /^\d+(?:\.\d+)?$/.test(given) ? Math.round(Number(given)) : parseDuration(given);
  if (seconds === undefined) return notes.leaveOut(path, "must be seconds, or a duration like `2h`");
  return Math.min(Math.max(seconds, limits.MIN_TTL_SECONDS), limits.MAX_DELAY_SECONDS);
};

const truth: Read = (value, path, notes) =>
  (typeof value === "boolean" ? value : booleanOf(textOf(value) ?? "")) ??
  notes.leaveOut(path, "must be true or false");

/** RFC 3339, or a number of seconds or milliseconds since 1970. */
const timestamp: Read = (value, path, notes) => {
  const given = textOf(value)?.trim() ?? "";
  const number = /^\d{1,14}(?:\.\d+)?$/.test(given) ? Number(given) : undefined;
  if (number !== undefined) return rfc3339(Math.floor(number < 1e11 ? number * 1000 : number));
  if (parseTime(given) !== undefined) return given;
  return notes.leaveOut(path, "must be an RFC 3339 time, for example 2026-11-20T18:00:00Z");
};

const data: Read = (value, path, notes) => {
  const given = typeof value === "string" && !isTooLong(value) ? jsonIn(value) : value;
  return typeof given === "object" && given !== null && !Array.isArray(given)
    ? given
    : notes.leaveOut(path, "must be an object");
};

/** A future time that was read: `delay` or `at`, whichever field it was given in. */
export class Timed {
  readonly fields: Fields;
  constructor(fields: Fields) {
    this.fields = fields;
  }
}

/** A time that cannot be read stays and is refused: sent now, it would be another message. */
const time =
  (field: "delay" | "at"): Read =>
  (value) => {
    const given = textOf(value)?.trim();
    if (given === undefined) return value;
    if (/^\d+\.\d+$/.test(given)) return Math.round(Number(given));
    const { delay, at } = parseDelay(given) as { delay?: number; at?: string };
    return new Timed(delay !== undefined ? { delay } : parseTime(at ?? "") === undefined ? { [field]: value } : { at });
  };

/** How each field is read. */
export const READ: Record<Name, Read> = {
  message: longText,
  title: line(limits.MAX_TITLE_CHARACTERS),
  level: word(levelOf, LEVELS),
  priority: word(priorityOf, PRIORITIES),
  tags,
  url: asItIs,
  image: asItIs,
  icon: asItIs,
  actions,
  format,
  dedup_key: key,
  status: word(statusOf, ["firing", "resolved"]),
  ttl,
  ack: truth,
  timestamp,
  data,
  delay: time("delay"),
  at: time("at"),
};
