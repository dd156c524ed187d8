/** From what a tool posts to the message that people read (docs/design/REWRITES.md). Pure. */
import type { Draft } from "../messages/message.ts";
import { MAX_TAGS } from "../messages/schema.ts";
import type { Millis } from "../util/clock.ts";
import { alertmanager } from "./alertmanager/alertmanager.ts";
import { fallback } from "./fallback.ts";
import { object } from "./fields.ts";
import { komodo } from "./komodo/komodo.ts";
import { withinBudget } from "./text.ts";
import { toDraft, type Told } from "./told.ts";
import { uptimekuma } from "./uptimekuma.ts";

/** A tool more is a file like these and a line here. */
const sources = [alertmanager, uptimekuma, komodo] as const;

export type RewriteName = (typeof sources)[number]["name"];

/** The values of `?rewrite=`. */
export const REWRITES: readonly RewriteName[] = sources.map(({ name }) => name);

/**
 * One message for any payload, within every limit of API.md §3; never throws. `payload`: the parsed JSON, or undefined
 * when the body held none; `raw`: the body as text; `link`: the tool's own address, for links that it does not send.
 */
export function rewrite(
  name: RewriteName,
  payload: unknown,
  about: { now: Millis; raw: string; link?: string },
): Draft {
  const fields = object(payload);
  const asked = sources.find((source) => source.name === name) ?? alertmanager;
  // the shape decides: the name was typed by a person
  const source = [asked, ...sources].find((each) => each.fits(fields));
  const told = source === undefined ? undefined : attempt(() => withinBudget(() => source.tell(fields, about)));
  if (source === undefined || told === undefined)
    return toDraft(fallback(asked, payload, about.raw), { source: name, name, now: about.now });
  const tags = source === asked ? told.tags : [...told.tags.slice(0, MAX_TAGS - 1), "rewrite-mismatch"];
  return toDraft({ ...told, tags }, { source: source.name, name, now: about.now });
}

/** Undefined for what a mapper did not expect: the payload is shown as it came instead of being lost. */
function attempt(tell: () => Told | undefined): Told | undefined {
  try {
    return tell();
  } catch {
    return undefined;
  }
}
