/** What a payload says, and the draft of it: every limit of a message is kept here (REWRITES.md §1). */
import type { Action, Draft, Level, Priority, Status } from "../drafts/draft.ts";
import { MAX_TAG_CHARACTERS, MAX_TAGS, MAX_TITLE_CHARACTERS } from "../drafts/limits.ts";
import { rfc3339, type Millis } from "../util/clock.ts";
import { sha256 } from "../util/ids.ts";
import { list } from "./fields.ts";
import { brief, cut, line, prose } from "./text.ts";

/** Fields that mean nothing to a reader are absent. */
export interface Told {
  title: string | undefined;
  /** An undefined line is left out. */
  lines: readonly (string | undefined)[];
  level: Level;
  priority: Priority;
  tags: readonly (string | undefined)[];
  url?: string | undefined;
  actions?: Action[];
  /** Later messages about the same thing have the same key. */
  key?: string | undefined;
  status?: Status | undefined;
  /** When it happened. */
  at?: Millis | undefined;
  /** A whitelist, never the payload. `source` stands in it where that is not the tool's name. */
  data?: Record<string, unknown> | undefined;
}

const MAX_MESSAGE_CHARACTERS = 8_000;
const MAX_KEY_BYTES = 128;
const MAX_DATA_BYTES = 4_000;
/** A sender's clock may be ahead of ours by this; a message from further ahead would stay on top of the feed. */
const MAX_AHEAD_MS = 5 * 60_000;

/** The first `digits` of the SHA-256 in hex. */
export const sha = (digits: number, text: string): string => sha256(text).slice(0, digits);

/** The draft within the limits of API.md §3. `about.source`: the tool that it came from; `about.name`: the one asked for. */
export function toDraft(told: Told, about: { source: string; name: string; now: Millis }): Draft {
  const title = cut(line(told.title ?? ""), MAX_TITLE_CHARACTERS) || "Notification";
  const draft: Draft = {
    message: cut(prose(linesOf(told.lines)), MAX_MESSAGE_CHARACTERS) || title,
    level: told.level,
    priority: told.priority,
    format: "text",
    source: `rewrite:${about.name}`,
    title,
    tags: tagsOf(told.tags),
  };
  if (told.url !== undefined) draft.url = told.url;
  if (told.actions !== undefined && told.actions.length > 0) draft.actions = told.actions;
  if (told.key !== undefined) {
    draft.dedup_key = keyOf(told.key, about.source);
    if (told.status !== undefined) draft.status = told.status;
  }
  if (told.at !== undefined && told.at <= about.now + MAX_AHEAD_MS) draft.timestamp = rfc3339(told.at);
  draft.data = fitted({ source: about.source, ...told.data });
  return draft;
}

const linesOf = (lines: readonly (string | undefined)[]): string =>
  lines.filter((each) => each !== undefined && each !== "").join("\n");

function tagsOf(tags: readonly (string | undefined)[]): string[] {
  const clean = tags.map((tag) => cut(line((tag ?? "").replaceAll(",", " ")), MAX_TAG_CHARACTERS));
  return [...new Set(clean)].filter((tag) => tag !== "").slice(0, MAX_TAGS);
}

function keyOf(key: string, source: string): string {
  const text = line(key);
  return Buffer.byteLength(text) <= MAX_KEY_BYTES ? text : `${source}:${sha(32, key)}`;
}

/** Without what is absent or empty text, each text cut to what `data` holds of it; undefined when nothing is left. */
export function present(fields: Record<string, unknown>): Record<string, unknown> | undefined {
  const left = entriesIn(fields).map(
    ([name, value]) => [name, typeof value === "string" ? brief(value) : value] as const,
  );
  return left.length === 0 ? undefined : Object.fromEntries(left);
}

const entriesIn = (fields: Record<string, unknown>): [string, unknown][] =>
  Object.entries(fields).filter(([, value]) => value !== undefined && value !== "");

/** Data within its bytes: the last alerts are dropped first, then the common labels, then the last fields. */
function fitted({ source, alerts: sent, ...others }: Record<string, unknown>): Record<string, unknown> {
  const alerts = list(sent);
  const kept = new Map(entriesIn(others));
  let shown = alerts.length;
  const made = () => ({
    source,
    ...Object.fromEntries(kept),
    ...(shown > 0 && { alerts: alerts.slice(0, shown) }),
    ...(shown < alerts.length && { alerts_cut: true }),
  });
  const isTooLarge = () => Buffer.byteLength(JSON.stringify(made())) > MAX_DATA_BYTES;
  while (shown > 0 && isTooLarge()) shown--;
  for (const name of ["common_labels", ...[...kept.keys()].reverse()]) if (isTooLarge()) kept.delete(name);
  return made();
}
