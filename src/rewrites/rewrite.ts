/** Makes the message that people read of what a tool posts (REWRITES.md §1). Pure. */
import type { Draft } from "../drafts/draft.ts";
import { MAX_TAGS } from "../drafts/limits.ts";
import { fallback } from "./fallback.ts";
import { posted } from "./fields.ts";
import type { About } from "./tool.ts";
import { alertmanager } from "./tools/monitoring/alertmanager/alertmanager.ts";
import { SOURCES } from "./tools/all.ts";
import { withinBudget } from "./text.ts";
import { toDraft, type Told } from "./told.ts";

export type RewriteName = (typeof SOURCES)[number]["name"];

/** The values of `?rewrite=`. */
export const REWRITES: readonly RewriteName[] = SOURCES.map(({ name }) => name);

/**
 * One message for any payload, within every limit of API.md §3; never throws. `payload`: the parsed JSON, or undefined if the
 * body is not JSON; `raw`: the body as text.
 */
export function rewrite(name: RewriteName, payload: unknown, about: About & { raw: string }): Draft {
  const fields = posted(payload);
  const asked = SOURCES.find((source) => source.name === name) ?? alertmanager;
  // the shape decides: a person typed the name
  const source = [asked, ...SOURCES].find((each) => each.fits(fields, about));
  const told = source === undefined ? undefined : attempt(() => withinBudget(() => source.tell(fields, about)));
  if (source === undefined || told === undefined)
    return toDraft(fallback(asked, payload, about.raw), { source: name, name, now: about.now });
  const tags = source === asked ? told.tags : [...told.tags.slice(0, MAX_TAGS - 1), "rewrite-mismatch"];
  return toDraft({ ...told, tags }, { source: source.name, name: source.name, now: about.now });
}

/**
 * The message of a payload that has the shape of one of the tools; undefined if none recognizes it. Pure. `payload`: the parsed
 * JSON.
 */
export function recognized(payload: unknown, about: About): Draft | undefined {
  const fields = posted(payload);
  for (const source of SOURCES) {
    const told = attempt(() =>
      source.fits(fields, about) ? withinBudget(() => source.tell(fields, about)) : undefined,
    );
    if (told !== undefined) return toDraft(told, { source: source.name, name: source.name, now: about.now });
  }
  return undefined;
}

/** The message of a payload that was posted to a tool by name: its shape is not checked. */
export function insisted(name: RewriteName, payload: unknown, about: About): Draft | undefined {
  const source = SOURCES.find((each) => each.name === name);
  const told = source && attempt(() => withinBudget(() => source.tell(posted(payload), about)));
  return told && toDraft(told, { source: name, name, now: about.now });
}

/** Undefined for a payload that a mapper did not expect: it is shown as it came instead of being lost. */
function attempt(tell: () => Told | undefined): Told | undefined {
  try {
    return tell();
  } catch {
    return undefined;
  }
}
