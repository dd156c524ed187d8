/** The fields of a publish with all their names: one table for the code that reads them and for docs/publish.md. */
import type { PublishBody } from "../schema.ts";

export type Name = keyof PublishBody;

interface Row {
  field: Name;
  /** Other names that mean the same, wherever they occur. */
  also: readonly string[];
  /** ntfy's short names (docs.ntfy.sh/publish/#list-of-all-parameters), in query, form and headers. */
  short: readonly string[];
  /** Names that a header may have without `X-`: ntfy's, because others may come from something on the way. */
  bare: readonly string[];
  /** What is understood, for docs/publish.md. */
  understood: string;
  limits?: string;
}

// prettier-ignore
export const ROWS: readonly Row[] = [
  { field: "message", also: [], short: ["m"], bare: ["message", "m"],
    understood: "text; a list is its lines. Without it: the title, else a line for each value, else `(no text)`", limits: "32,768 bytes of UTF-8" },
  { field: "title", also: [], short: ["t"], bare: ["title", "t"], understood: "text, on one line", limits: "256 characters" },
  { field: "level", also: [], short: [], bare: [],
    understood: "`info`, `success`, `warning`, `error`; also words like `critical` `fatal` `failed` `down` (error), `warn`, `ok` `up` `resolved` (success), `notice` `debug` (info)" },
  { field: "priority", also: [], short: ["prio", "p"], bare: ["priority", "prio", "p"],
    understood: "`low`, `normal`, `high`, `urgent`; ntfy's 1 to 5 and `min` `default` `max`, Pushover's -2 to 0, `lowest`, `emergency`, Gotify's 6 to 10" },
  { field: "tags", also: [], short: ["tag", "ta"], bare: ["tags", "tag", "ta"],
    understood: "a list, or text with commas; an emoji short code shows as the emoji", limits: "16 of 32 characters" },
  { field: "url", also: ["click"], short: [], bare: ["click"], understood: "absolute `http`, `https`, `mailto` or `tel` URL, or an app's, such as `geo:`: opened by a tap", limits: "2,048 characters" },
  { field: "image", also: ["attach"], short: ["a"], bare: ["attach", "a"],
    understood: "absolute `http` or `https` URL; without it, the `icon`", limits: "2,048 characters" },
  { field: "icon", also: [], short: [], bare: ["icon"], understood: "absolute `http` or `https` URL: a small picture for ntfy's apps", limits: "2,048 characters" },
  { field: "actions", also: [], short: ["action"], bare: ["actions", "action"],
    understood: "buttons: a list of `{label, url, method, headers, body, clear}` or `{label, copy}`, or ntfy's, in its short form too; without a label, the URL's host", limits: "3, labels of 40 characters, 8 headers, bodies of 2,048 characters" },
  { field: "format", also: ["markdown"], short: ["md"], bare: ["markdown", "md"],
    understood: "`text`, `markdown`, or `html`, which is turned into text; yes is `markdown`" },
  { field: "dedup_key", also: ["sequence-id"], short: ["sid"], bare: ["sequence-id", "sid"],
    understood: "text: a later message with the same key updates the alert; a longer one counts by its hash", limits: "128 characters" },
  { field: "status", also: [], short: [], bare: [],
    understood: "with `dedup_key`: `firing` or `resolved`, which closes the alert; also words like `problem`, `down`, `ok`, `up`" },
  { field: "delay", also: [], short: ["in"], bare: ["delay", "in"],
    understood: "seconds, or a duration like `30m`; also what `at` takes. Refused if it can't be read", limits: "30 days" },
  { field: "at", also: [], short: [], bare: ["at"], understood: "RFC 3339, unix time, or English: `tomorrow, 10am`; also what `delay` takes. Refused if it can't be read", limits: "30 days ahead" },
  { field: "ttl", also: [], short: [], bare: [], understood: "seconds or a duration after which a push expires; moved within the limits", limits: "60 s to 30 days" },
  { field: "ack", also: [], short: [], bare: [], understood: "with `urgent`: true, false, yes, no, 1, 0: the push is repeated until someone acknowledges it" },
  { field: "timestamp", also: [], short: [], bare: [], understood: "RFC 3339, or seconds or milliseconds since 1970: when it happened, if that is not now" },
  { field: "data", also: [], short: [], bare: [], understood: "a JSON object, or the text of one: passed through unchanged", limits: "4 KiB" },
];

/** A name in lower case, without `_` or `-` between its words. */
export const foldedName = (name: string): string => name.toLowerCase().replaceAll(/[_\- ]/g, "");

const tableOf = (names: (row: Row) => readonly string[]): ReadonlyMap<string, Name> =>
  new Map(ROWS.flatMap((row) => names(row).map((name): [string, Name] => [foldedName(name), row.field])));

const FULL = tableOf(({ field, also }) => [field, ...also]);
const SHORT = tableOf(({ short }) => short);
/** ntfy's names for the file name of the body (docs.ntfy.sh/publish/#attach-local-file). */
const FILENAMES: ReadonlySet<string> = new Set(["filename", "file", "f"]);
const BARE: ReadonlySet<string> = new Set([...ROWS.flatMap(({ bare }) => bare), ...FILENAMES]);

/** No name of ours is longer, however it is written. */
export const MAX_NAME = 32;

/** The field that a name means, wherever it occurs. */
export const fieldNamed = (name: string): Name | undefined =>
  name.length > MAX_NAME ? undefined : FULL.get(foldedName(name));

/** The field that ntfy's short name means. */
export const fieldOfShort = (name: string): Name | undefined => SHORT.get(name);

/** Whether a header, in lower case and without `X-`, names a file. */
export const isFilename = (name: string): boolean => FILENAMES.has(name);

/** Whether a header of this name, in lower case, is read without `X-`. */
export const isBareHeader = (name: string): boolean => BARE.has(name);
