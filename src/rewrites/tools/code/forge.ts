/** What the posts of GitHub, Gitea, Forgejo and GitLab share: pushes, issues, releases, runs (REWRITES.md §8). */
import type { Level, Priority, Status } from "../../../drafts/draft.ts";
import type { Millis } from "../../../util/clock.ts";
import { lineAt, object, field, type Fields } from "../../fields.ts";
import { plain } from "../../markup.ts";
import { cut, unmaskedProse } from "../../text.ts";
import { parseUrl } from "../../urls.ts";

export interface Said {
  title: string;
  lines: readonly (string | undefined)[];
  level: Level;
  priority: Priority;
  status?: Status | undefined;
  url?: string | undefined;
  key?: string | undefined;
  at?: Millis | undefined;
}

export const NOTICE = { level: "info", priority: "normal" } as const;
export const QUIET = { level: "info", priority: "low" } as const;
export const DONE = { level: "success", priority: "normal" } as const;
export const DOUBTFUL = { level: "warning", priority: "normal" } as const;

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

export interface Push {
  repo: string;
  /** `refs/heads/main`, `refs/tags/v1`. */
  ref: string;
  who: string | undefined;
  commits: readonly unknown[];
  /** How many commits there are; only some may be listed. */
  total: number;
  isNew: boolean;
  isDeleted: boolean;
  isForced: boolean;
}

export function pushed({
  repo,
  ref,
  who,
  commits,
  total,
  isNew,
  isDeleted,
  isForced,
}: Push): Pick<Said, "title" | "lines"> {
  const isTag = ref.startsWith("refs/tags/");
  const name = ref.replace(/^refs\/(?:heads|tags)\//, "");
  const what = `${isTag ? "tag" : "branch"} ${name}`;
  const how = isForced ? "force-pushed" : "pushed";
  const by = who === undefined ? undefined : `by ${who}`;
  if (isDeleted) return { title: `${repo}: ${what} deleted`, lines: [by] };
  if (total === 0 || isTag) return { title: `${repo}: ${what} ${isNew ? "created" : how}`, lines: [by] };
  const shown = commits.slice(0, MAX_COMMITS);
  return {
    title: `${repo}: ${total} ${total === 1 ? "commit" : "commits"} ${how} to ${name}`,
    lines: [
      ...shown.map((commit) => withAuthor(subjectOf(commit), object(commit), who)),
      total > shown.length ? `… and ${total - shown.length} more` : undefined,
      by,
    ],
  };
}

/** The author is named if somebody else pushed. */
function withAuthor(subject: string | undefined, commit: Fields, who: string | undefined): string | undefined {
  const author = object(field(commit, "author"));
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
  branch: string | undefined;
  /** The main branch: if something fails there, it concerns everybody. */
  main: string | undefined;
  state: string | undefined;
}

interface Outcome {
  says: string;
  level: Level;
  priority: Priority;
  status?: Status;
}

const FAILED = { level: "error", priority: "high", status: "firing" } as const;
const OUTCOMES = new Map<string, Outcome>([
  ["success", { says: "passed", level: "success", priority: "low", status: "resolved" }],
  ["failure", { says: "failed", ...FAILED }],
  ["failed", { says: "failed", ...FAILED }],
  ["error", { says: "failed", ...FAILED }],
  ["timed_out", { says: "timed out", ...FAILED }],
  ["startup_failure", { says: "did not start", ...FAILED }],
  ["inactive", { says: "is inactive", ...QUIET }],
  ["action_required", { says: "needs approval", ...DOUBTFUL }],
  ["blocked", { says: "needs approval", ...DOUBTFUL }],
  ["waiting", { says: "is waiting", ...QUIET }],
  ["cancelled", { says: "was cancelled", ...QUIET }],
  ["canceled", { says: "was cancelled", ...QUIET }],
  ["skipped", { says: "was skipped", ...QUIET }],
  ["manual", { says: "waits for a hand", ...QUIET }],
  ["running", { says: "is running", ...QUIET }],
  ["in_progress", { says: "is running", ...QUIET }],
]);

/** A run that ended well closes the card of one that did not; a run that goes on leaves the card as it is. */
export function ran({ repo, site, kind, name, branch, main, state = "" }: Run): Omit<Said, "lines"> {
  const { says, status, ...look } = OUTCOMES.get(state) ?? {
    says: `is ${state.replaceAll("_", " ") || "new"}`,
    ...QUIET,
  };
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
  lines: [who === undefined ? undefined : `by ${who}`, excerpt(text)],
});
