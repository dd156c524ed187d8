/** What happened in a repository: the bodies are GitHub's, which Gitea and Forgejo copy (REWRITES.md §8). */
import { table } from "../../../../drafts/words.ts";
import type { Millis } from "../../../../util/clock.ts";
import { field, lineAt, listAt, object, objectAt, objectsAt, scalarAt, type Fields } from "../../../fields.ts";
import { isObject } from "../../../../util/json.ts";
import { by, nameOfRef, pushed, ran, released, siteOf, subjectOf, threaded, words, type Said } from "../forge.ts";
import { joined, NOTICE, QUIET } from "../../../looks.ts";
import { brief } from "../../../text.ts";
import { instant } from "../../../times.ts";
import { present, type Told } from "../../../told.ts";
import { link } from "../../../urls.ts";

export interface Happening {
  source: string;
  /** The tool's name. */
  title: string;
  payload: Fields;
  event: string;
  action: string;
  repo: string;
  /** The page of the repository. */
  home: string | undefined;
  site: string;
  main: string | undefined;
  who: string | undefined;
  now: Millis;
}

export type Events = ReadonlyMap<string, (happening: Happening) => Said>;

type Given = Pick<Happening, "source" | "title" | "event" | "now"> & { events: Events };

export function tellEvent(payload: Fields, { source, title, event, now, events: known }: Given): Told {
  const repository = objectAt(payload, "repository");
  const owner = objectAt(payload, "organization");
  const repo = lineAt(repository, "full_name") ?? lineAt(owner, "login", "username") ?? title;
  const home = scalarAt(repository, "html_url");
  const site = siteOf(source, home, repo);
  const [who, main] = [lineAt(objectAt(payload, "sender"), "login", "username"), lineAt(repository, "default_branch")];
  const action = lineAt(payload, "action") ?? "";
  const happening = { source, title, payload, event: brief(event) ?? "", action, repo, home, site, main, who, now };
  const { url, ...said } = (known.get(event) ?? anyOther)(happening);
  return {
    ...said,
    tags: [source, event === "ping" ? "test" : happening.event],
    url: link(url) ?? link(home),
    data: present({ event: lineAt(happening, "event"), action, repository: repo, sender: who }),
  };
}

/** The event of a body without its header, by fields that only this event has; the narrower events come first. */
const MARKS: readonly [event: string, ...fields: string[]][] = [
  ["ping", "zen"],
  ["workflow_job", "workflow_job"],
  ["deployment_status", "deployment_status"],
  ["workflow_run", "workflow_run"],
  ["check_run", "check_run"],
  ["check_suite", "check_suite"],
  ["push", "commits", "ref"],
  ["release", "release"],
  ["pull_request_review", "review", "pull_request"],
  ["pull_request_review_comment", "comment", "pull_request"],
  ["issue_comment", "comment", "issue"],
  ["discussion_comment", "comment", "discussion"],
  ["commit_comment", "comment"],
  ["pull_request", "pull_request"],
  ["issues", "issue"],
  ["discussion", "discussion"],
  ["fork", "forkee"],
  ["star", "starred_at"],
  ["create", "ref_type", "master_branch"],
  ["create", "ref_type", "sha"],
  ["delete", "ref_type"],
  ["status", "state", "context"],
  ["package", "package"],
  ["security_advisory", "security_advisory"],
];

export function eventIn(payload: Fields): string {
  const found = MARKS.find(([, ...fields]) => fields.every((name) => Object.hasOwn(payload, name)))?.[0];
  if (found !== undefined) return found;
  const alert = objectAt(payload, "alert");
  if (Object.hasOwn(alert, "secret_type")) return "secret_scanning_alert";
  if (Object.hasOwn(alert, "rule")) return "code_scanning_alert";
  return Object.hasOwn(payload, "alert") ? "dependabot_alert" : "event";
}

export const pageOf = (thing: Fields) => scalarAt(thing, "html_url");

const anyOther = ({ repo, event, action, who }: Happening): Said => ({
  title: `${repo}: ${words(event)}${action === "" ? "" : ` ${words(action)}`}`,
  lines: [by(who)],
  ...QUIET,
});

const push = ({ payload, repo, who }: Happening): Said => ({
  ...pushed({ payload, repo, who, commits: listAt(payload, "commits"), total: "total_commits" }),
  ...QUIET,
  url: scalarAt(payload, "compare") ?? scalarAt(payload, "compare_url"),
});

/** Actions on an issue or a pull request that somebody may want to act upon; all others are chatter. */
const TOLD = new Set(
  "opened closed reopened merged ready_for_review review_requested transferred published answered".split(" "),
);

/** An issue, a pull request or a discussion. */
export const thread =
  (name: string, prefix: string) =>
  ({ payload, repo, action, who }: Happening): Said => {
    const thing = objectAt(payload, name);
    const verb = action === "closed" && field(thing, "merged") === true ? "merged" : words(action);
    const number = `${prefix}#${lineAt(thing, "number") ?? "?"}`;
    const text = action === "opened" ? field(thing, "body") : undefined;
    return {
      ...threaded({ repo, number, verb, name: lineAt(thing, "title"), who, text }),
      ...(TOLD.has(action) ? NOTICE : QUIET),
      url: pageOf(thing),
    };
  };

const VERDICTS = table([
  ["approved", "approved"],
  ["changes requested", "rejected changes_requested"],
]);

const SAID = new Set(["created", "submitted", "reviewed"]);
const UNSAID = new Set(["edited", "deleted", "dismissed"]);

/** What somebody wrote about one of them, or about a commit. */
export const remark =
  (about: string, prefix: string, where = "comment") =>
  ({ payload, repo, action, who }: Happening): Said => {
    const thing = objectAt(payload, about);
    const said = objectAt(payload, where);
    const isPull = isObject(field(thing, "pull_request")) || field(payload, "is_pull") === true;
    // Gitea names its reviews `pull_request_review_approved` and so on
    const verdict = lineAt(said, "state") ?? lineAt(said, "type")?.replace(/^pull_request_review_/, "") ?? "";
    const [name, id] = [lineAt(thing, "title"), lineAt(thing, "number")];
    const number = id === undefined ? "commit" : `${isPull ? "PR " : prefix}#${id}`;
    const verb = VERDICTS.get(verdict.toLowerCase()) ?? (SAID.has(action) ? "commented" : `comment ${words(action)}`);
    const text = field(said, "body") ?? field(said, "content");
    return {
      ...threaded({ repo, number, verb, name, who, text }),
      ...(UNSAID.has(action) ? QUIET : NOTICE),
      url: pageOf(said) ?? pageOf(thing),
    };
  };

const OUT = new Set(["published", "released", "prereleased", "created"]);

function release({ payload, repo, action, site, now }: Happening): Said {
  const thing = objectAt(payload, "release");
  const [tag, name] = [lineAt(thing, "tag_name"), lineAt(thing, "name")];
  const isOut = OUT.has(action);
  const verb = isOut ? (field(thing, "prerelease") === true ? "pre-released" : "released") : words(action);
  const at = instant(field(thing, "published_at"), now);
  return { ...released({ repo, site, tag, name, verb, isOut, text: field(thing, "body"), at }), url: pageOf(thing) };
}

/** A workflow, a job, a check: it has a conclusion when it is over. */
export const run =
  (kind: string) =>
  ({ payload, repo, site, main, action, now }: Happening): Said => {
    const thing = objectAt(payload, kind);
    const suite = objectAt(thing, "check_suite");
    const path = lineAt(thing, "path")?.replace(/@.*$/, "").replace(/^.*\//, "");
    const workflow = lineAt(thing, "workflow_name") ?? lineAt(objectAt(payload, "workflow"), "name");
    const own = lineAt(thing, "name") ?? path ?? lineAt(objectAt(thing, "app"), "name") ?? words(kind);
    const name = kind === "workflow_job" && workflow !== undefined ? `${workflow} / ${own}` : own;
    const branch = lineAt(thing, "head_branch") ?? lineAt(suite, "head_branch");
    const state = lineAt(thing, "conclusion") ?? lineAt(thing, "status") ?? action;
    const commit = subjectOf(field(thing, "head_commit"));
    const steps = listAt(thing, "steps").slice(0, 100).filter(isObject);
    const failed = steps.find((step) => field(step, "conclusion") === "failure");
    return {
      ...ran({ repo, site, kind, name: kind === "workflow_run" ? (workflow ?? name) : name, branch, main, state }),
      lines: [
        failed === undefined ? undefined : `Step: ${lineAt(failed, "name") ?? "?"}`,
        lineAt(objectAt(thing, "output"), "title"),
        commit ?? lineAt(thing, "display_title"),
        by(lineAt(objectAt(thing, "actor"), "login")),
      ],
      url: pageOf(thing),
      at: instant(field(thing, "completed_at") ?? field(thing, "updated_at"), now),
    };
  };

function status({ payload, repo, site, main }: Happening): Said {
  const branches = objectsAt(payload, "branches", 1);
  const [branch, name = "status"] = [lineAt(branches[0] ?? {}, "name"), lineAt(payload, "context")];
  const commit = objectAt(payload, "commit");
  return {
    ...ran({ repo, site, kind: "status", name, branch, main, state: lineAt(payload, "state") }),
    lines: [lineAt(payload, "description"), subjectOf(field(commit, "commit")) ?? subjectOf(commit)],
    url: scalarAt(payload, "target_url"),
  };
}

const ref =
  (verb: string) =>
  ({ payload, repo, who }: Happening): Said => ({
    title: `${repo}: ${lineAt(payload, "ref_type") ?? "branch"} ${nameOfRef(lineAt(payload, "ref") ?? "?")} ${verb}`,
    lines: [by(who)],
    ...QUIET,
  });

export function parcel({ payload, repo, action }: Happening): Said {
  const thing = object(field(payload, "package") ?? field(payload, "registry_package"));
  const version = lineAt(objectAt(thing, "package_version"), "version") ?? lineAt(thing, "version");
  return {
    title: `${repo}: package ${joined([lineAt(thing, "name"), version], " ") ?? ""} ${words(action)}`,
    lines: [lineAt(thing, "package_type", "type")],
    ...QUIET,
    url: pageOf(thing),
  };
}

// prettier-ignore
export const EVENTS: Events = new Map<string, (happening: Happening) => Said>([
  ["push",                        push],
  ["create",                      ref("created")],
  ["delete",                      ref("deleted")],
  ["issues",                      thread("issue", "")],
  ["pull_request",                thread("pull_request", "PR ")],
  ["issue_comment",               remark("issue", "")],
  ["release",                     release],
  ["workflow_run",                run("workflow_run")],
  ["workflow_job",                run("workflow_job")],
  ["status",                      status],
  ["package",                     parcel],
  ["fork",                        ({ payload, repo }) => ({ title: `${repo} was forked`, lines: [lineAt(objectAt(payload, "forkee"), "full_name")], ...QUIET })],
]);

/** Whether the sender has this field. */
export const isFrom = (payload: Fields, mark: string): boolean => {
  const sender = objectAt(payload, "sender");
  return Object.hasOwn(sender, "login") && Object.hasOwn(sender, mark);
};
