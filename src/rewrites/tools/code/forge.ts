/** What the posts of GitHub, Gitea, Forgejo and GitLab share: pushes, issues, releases, runs (REWRITES.md §8). */
import { table } from "../../../drafts/words.ts";
import type { Millis } from "../../../util/clock.ts";
import { field, lineAt, listAt, object, objectAt, scalarAt, type Fields } from "../../fields.ts";
import * as looks from "../../looks.ts";
import { type Look, type State } from "../../looks.ts";
import { plain } from "../../markup.ts";
import { cut, unmaskedProse } from "../../text.ts";
import { severityOf } from "../../severity.ts";
import type { Told } from "../../told.ts";
import { parseUrl } from "../../urls.ts";

export interface Said extends Omit<Told, "title" | "tags" | "actions" | "data"> {
  title: string;
}

/** The name of an event or a state with spaces between its words. */
export const words = (name: string): string => name.replaceAll("_", " ");
export const by = (who: string | undefined): string | undefined => who && `by ${who}`;

const MAX_SUBJECT = 120;
const MAX_COMMITS = 5;
const MAX_EXCERPT = 300;

/** The first line of its message. */
export const subjectOf = (commit: unknown): string | undefined => {
  const message = field(object(commit), "message");
  const first = typeof message === "string" ? message.trimStart().split("\n", 1)[0] : undefined;
  const subject = lineAt({ first: first?.slice(0, 4 * MAX_SUBJECT) }, "first");
  return subject === undefined ? undefined : cut(subject, MAX_SUBJECT);
};

/** The beginning of what people wrote, without Markdown and without the comments of templates. */
export function excerpt(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const text = unmaskedProse(value.slice(0, 20 * MAX_EXCERPT).replace(/<!--[^>]{0,2000}-->/g, ""));
  return cut(plain(text).replace(/\n{2,}/g, "\n"), MAX_EXCERPT) || undefined;
}

/** The name of `refs/heads/main` or `refs/tags/v1`. */
export const nameOfRef = (ref: string): string => ref.replace(/^refs\/(?:heads|tags)\//, "");

/** Whether a push names no commit as its start, or as its end. */
export const isNone = (payload: Fields, name: "before" | "after"): boolean =>
  /^0{40,64}$/.test((scalarAt(payload, name) ?? "").slice(0, 65));

export interface Push {
  payload: Fields;
  repo: string;
  who: string | undefined;
  /** The newest first. */
  commits: readonly unknown[];
  /** The field that counts the commits; only some may be listed. */
  total: string;
}

export function pushed({ payload, repo, who, commits, total: counter }: Push): Pick<Said, "title" | "lines"> {
  const ref = lineAt(payload, "ref") ?? "";
  const counted = field(payload, counter);
  const total = typeof counted === "number" ? counted : listAt(payload, "commits").length;
  const isTag = ref.startsWith("refs/tags/");
  const name = nameOfRef(ref);
  const what = `${isTag ? "tag" : "branch"} ${name}`;
  const how = field(payload, "forced") === true ? "force-pushed" : "pushed";
  if (isNone(payload, "after")) return { title: `${repo}: ${what} deleted`, lines: [by(who)] };
  if (total === 0 || isTag)
    return { title: `${repo}: ${what} ${isNone(payload, "before") ? "created" : how}`, lines: [by(who)] };
  const shown = commits.slice(0, MAX_COMMITS);
  return {
    title: `${repo}: ${total} ${total === 1 ? "commit" : "commits"} ${how} to ${name}`,
    lines: [
      ...shown.map((commit) => withAuthor(subjectOf(commit), object(commit), who)),
      total > shown.length ? `… and ${total - shown.length} more` : undefined,
      by(who),
    ],
  };
}

/** The author is named if somebody else pushed. */
function withAuthor(subject: string | undefined, commit: Fields, who: string | undefined): string | undefined {
  const author = objectAt(commit, "author");
  const isOther = ["username", "name"].every((name) => lineAt(author, name) !== who);
  const name = lineAt(author, "name", "username");
  return subject === undefined ? undefined : `• ${subject}${isOther && name !== undefined ? ` (${name})` : ""}`;
}

export interface Run {
  /** The place, in people's words and for the key. */
  repo: string;
  site: string;
  kind: string;
  name: string;
  branch?: string | undefined;
  /** The main branch: if something fails there, it concerns everybody. */
  main?: string | undefined;
  state: string | undefined;
}

const OUTCOMES = table<State>([
  [{ says: "passed", ...looks.resolved(looks.DONE) }, "success"],
  [{ says: "failed", ...looks.BROKEN }, "failure failed error"],
  [{ says: "timed out", ...looks.BROKEN }, "timed_out"],
  [{ says: "did not start", ...looks.BROKEN }, "startup_failure"],
  [{ says: "is inactive", ...looks.QUIET }, "inactive"],
  [{ says: "needs approval", ...looks.WARNING }, "action_required blocked"],
  [{ says: "is waiting", ...looks.QUIET }, "waiting"],
  [{ says: "was cancelled", ...looks.QUIET }, "cancelled canceled"],
  [{ says: "was skipped", ...looks.QUIET }, "skipped"],
  [{ says: "waits for a hand", ...looks.QUIET }, "manual"],
  [{ says: "is running", ...looks.QUIET }, "running in_progress"],
]);

/** A run that ended well closes the card of one that did not; a run that goes on leaves the card as it is. */
export function ran({ repo, site, kind, name, branch, main, state = "" }: Run): Omit<Said, "lines"> {
  const { says, status, ...look } = OUTCOMES.get(state) ?? { says: `is ${words(state) || "new"}`, ...looks.QUIET };
  const isMain = branch === undefined || main === undefined || branch === main;
  return {
    title: `${repo}: ${name} ${says}${branch === undefined ? "" : ` on ${branch}`}`,
    ...look,
    priority: look.priority === "high" && !isMain ? "normal" : look.priority,
    ...(status !== undefined && { status, key: keyOf(site, kind, name, branch) }),
  };
}

/** The key of a run: the kind is said once. */
const keyOf = (site: string, kind: string, name: string, branch: string | undefined): string =>
  [site, ...(name.startsWith(kind) ? [] : [kind]), name, ...(branch === undefined ? [] : [branch])].join(":");

export interface Release {
  repo: string;
  site: string;
  tag: string | undefined;
  name: string | undefined;
  /** What was done to a published release; else `release {verb}`. */
  verb: string;
  isOut: boolean;
  text: unknown;
  at: Millis | undefined;
}

export const released = ({ repo, site, tag = "release", name, verb, isOut, text, at }: Release): Said => ({
  ...(isOut ? looks.NOTICE : looks.QUIET),
  title: `${repo}: ${tag} ${isOut ? verb : `release ${verb}`}`,
  lines: [name === tag ? undefined : name, isOut ? excerpt(text) : undefined],
  // GitHub reports the same release as created, published and released
  key: isOut ? `${site}:release:${tag}` : undefined,
  at: isOut ? at : undefined,
});

/** A flaw that somebody has to mend, or that is over. `word`: how bad it is. */
export const flawed = (isOver: boolean, word: string | undefined): Look =>
  isOver ? looks.WELL : looks.firing(severityOf(word?.toLowerCase()));

/** `{source}:{host}/{path}`: two servers may have a repository with the same name. */
export function siteOf(source: string, page: string | undefined, repo: string): string {
  const url = parseUrl(page);
  return `${source}:${url === undefined ? repo : url.host + url.pathname.replace(/\/$/, "")}`;
}

export interface Thread {
  repo: string;
  /** `#12`, `PR #7`, `!3`. */
  number: string;
  verb: string;
  name: string | undefined;
  who: string | undefined;
  text: unknown;
}

/** An issue or a pull request, and what became of it. */
export const threaded = ({ repo, number, verb, name, who, text }: Thread): Pick<Said, "title" | "lines"> => ({
  title: `${repo} ${number} ${verb}${name === undefined ? "" : `: ${cut(name, MAX_SUBJECT)}`}`,
  lines: [by(who), excerpt(text)],
});
