/** What the readers of other servers share: texts, names and ids of theirs as peal has them. Pure. */
import type { Draft } from "../../drafts/draft.ts";
import { toDraft } from "../../messages/reading/draft.ts";
import { meaning } from "../../messages/reading/meaning.ts";
import { isTopicName, looksLikeKey } from "../../names/topic.ts";
import { isSlug } from "../../checks/settings.ts";
import { inBase32, sha256 } from "../../util/ids.ts";
import { cut, oneLine } from "../../util/text/text.ts";

/** The draft of fields that a publish could have; what cannot be used is left out. */
export function draftOf(fields: Readonly<Record<string, unknown>>, source: string): Draft {
  const { fields: meant } = meaning({ ...fields }, (name) => `/${name}`);
  const drafted = toDraft({ ...meant, message: meant["message"] ?? meant["title"] ?? NO_TEXT }, source, 0);
  if (drafted.kind === "draft") return drafted.draft;
  return { message: NO_TEXT, level: "info", priority: "normal", format: "text", source };
}

const NO_TEXT = "(no text)";

/** The same for the same origin, so that an import that is repeated finds what it has made. */
export const idOf = (characters: 16 | 26, ...origin: readonly (string | number)[]): string =>
  inBase32(Buffer.from(sha256(origin.join("\n")), "hex").subarray(0, characters));

/** The name of a topic for any text. */
export function topicNamed(text: string): string {
  const name = text
    .trim()
    .replaceAll(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/^[.-]+/, "")
    .replace(/-+$/, "")
    .slice(0, 64);
  if (name === "" || !isTopicName(name)) return "imported";
  return looksLikeKey(name) ? `${name.slice(0, 63)}_` : name;
}

/** Gives a name that is taken a number. */
export function distinct(): (name: string) => string {
  const taken = new Set<string>();
  return (name) => {
    let free = name;
    for (let n = 2; taken.has(free); n++) free = `${name.slice(0, 60)}-${n}`;
    taken.add(free);
    return free;
  };
}

/** Tags as a check has them. */
export const tagsOf = (tags: readonly string[]): string[] =>
  [...new Set(tags.map((tag) => cut(oneLine(tag), 32)).filter((tag) => tag !== ""))].slice(0, 16);

export const checkName = (text: string, otherwise: string): string => {
  const name = cut(oneLine(text), 100);
  return name === "" ? otherwise : name;
};

/** The first that wants a slug has it. */
export function slugs(): (text: string) => string | undefined {
  const taken = new Set<string>();
  return (text) => {
    if (!isSlug(text) || taken.has(text)) return undefined;
    taken.add(text);
    return text;
  };
}

/** A command of sed: `old`, a basic regular expression, becomes `url`, with `behind` it what the expression has kept. */
export const substitution = (old: string, url: string, behind = ""): string =>
  `s|${old}|${url.replaceAll(/[\\&|]/g, "\\$&")}${behind}|g`;

/** A script for `sed -f`, which replaces URLs in crontabs and scripts. */
export const sedScript = (commands: readonly string[], about: readonly string[]): string =>
  [...about.map((line) => `# ${line}`), ...commands].join("\n");

/** A text as a basic regular expression (POSIX, XBD 9.3), for between bars. */
export const pattern = (text: string): string => text.replaceAll(/[.*[\]^$\\|]/g, "\\$&");
