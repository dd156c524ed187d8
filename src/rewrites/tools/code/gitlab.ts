/** GitLab's webhooks, of projects and of groups; its test button sends an ordinary event (REWRITES.md §8). */
import type { Millis } from "../../../util/clock.ts";
import { field, hasOne, lineAt, listAt, object, objectAt, objectsAt, scalarAt, type Fields } from "../../fields.ts";
import { isObject } from "../../../util/json.ts";
import * as looks from "../../looks.ts";
import { joined, NOTICE, QUIET } from "../../looks.ts";
import { by, flawed, isNone, pushed, ran, released, siteOf, subjectOf, threaded, words, type Said } from "./forge.ts";
import { severityOf } from "../../severity.ts";
import type { Source } from "../../tool.ts";
import { present } from "../../told.ts";
import { instant, lasting } from "../../times.ts";
import { link } from "../../urls.ts";

export const gitlab: Source<"gitlab"> = {
  name: "gitlab",
  title: "GitLab",
  setup: {
    place: "Settings, Webhooks, Add new webhook",
    withHook: (url) => [{ label: "URL", value: url }],
  },
  fits: (payload, { header }) =>
    Boolean(header?.("x-gitlab-event")) ||
    (typeof field(payload, "object_kind") === "string" &&
      hasOne(payload, "project", "project_id", "object_attributes", "group")) ||
    (typeof field(payload, "event_name") === "string" && hasOne(payload, "group_id", "project_id")),
  tell(payload, { now }) {
    const kind = lineAt(payload, "object_kind", "event_name") ?? "event";
    const happening = happeningIn(payload, kind, now);
    const { url, ...said } = (KINDS.get(kind) ?? anyOther)(happening);
    return {
      ...said,
      tags: ["gitlab", kind],
      url: link(url) ?? link(happening.home),
      data: present({ event: kind, action: happening.action, project: happening.repo, user: happening.who }),
    };
  },
};

interface Happening {
  payload: Fields;
  kind: string;
  /** `object_attributes`: the issue, the pipeline, the comment itself. */
  thing: Fields;
  action: string | undefined;
  repo: string;
  home: string | undefined;
  site: string;
  main: string | undefined;
  who: string | undefined;
  now: Millis;
}

function happeningIn(payload: Fields, kind: string, now: Millis): Happening {
  const project = objectAt(payload, "project");
  const group = objectAt(payload, "group");
  const thing = objectAt(payload, "object_attributes");
  const home = scalarAt(project, "web_url");
  const repo =
    lineAt(project, "path_with_namespace") ??
    lineAt(payload, "path_with_namespace", "full_path", "group_path", "project_name") ??
    lineAt(group, "full_path", "group_path") ??
    "GitLab";
  return {
    payload,
    kind,
    thing,
    action: lineAt(thing, "action") ?? lineAt(payload, "action"),
    repo,
    home,
    site: siteOf("gitlab", home, repo),
    main: lineAt(project, "default_branch"),
    who: lineAt(objectAt(payload, "user"), "username", "name") ?? lineAt(payload, "user_username", "user_name"),
    now,
  };
}

const anyOther = ({ repo, kind, action, thing, who }: Happening): Said => ({
  title: `${repo}: ${words(kind)}${action === undefined ? "" : ` ${words(action)}`}`,
  lines: [lineAt(thing, "title", "name"), by(who)],
  ...QUIET,
  url: scalarAt(thing, "url"),
});

function push({ payload, repo, home, who }: Happening): Said {
  // the newest comes last
  const commits = listAt(payload, "commits").slice(-MAX_COMMITS).reverse();
  const after = scalarAt(payload, "after")?.slice(0, 65) ?? "";
  return {
    ...pushed({ payload, repo, who, commits, total: "total_commits_count" }),
    ...QUIET,
    url: home === undefined || isNone(payload, "after") ? home : `${home}/-/commits/${encodeURIComponent(after)}`,
  };
}

const MAX_COMMITS = 20;

const VERBS = new Map([
  ["open", "opened"],
  ["create", "created"],
  ["close", "closed"],
  ["reopen", "reopened"],
  ["merge", "merged"],
  ["update", "updated"],
  ["delete", "deleted"],
  ["approval", "approved"],
  ["unapproval", "unapproved"],
]);
const verbOf = (action: string | undefined) => VERBS.get(action ?? "") ?? words(action ?? "changed");
const TOLD = new Set(["open", "close", "reopen", "merge", "approved", "unapproved"]);

/** An issue, a task, an incident, a merge request. */
const thread =
  (sign: string) =>
  ({ thing, repo, action, who }: Happening): Said => {
    const type = lineAt(thing, "type");
    const number = `${type === undefined || type === "Issue" ? "" : `${type.toLowerCase()} `}${sign}${lineAt(thing, "iid") ?? "?"}`;
    const isIncident = type === "Incident" && (action === "open" || action === "reopen");
    const text = action === "open" ? field(thing, "description") : undefined;
    return {
      ...threaded({ repo, number, verb: verbOf(action), name: lineAt(thing, "title"), who, text }),
      ...(isIncident ? severityOf(lineAt(thing, "severity")?.toLowerCase()) : TOLD.has(action ?? "") ? NOTICE : QUIET),
      url: scalarAt(thing, "url"),
    };
  };

function note({ payload, thing, repo, action, who }: Happening): Said {
  const issue = object(field(payload, "issue") ?? field(payload, "work_item"));
  const request = objectAt(payload, "merge_request");
  const [about, sign] = isObject(field(payload, "merge_request")) ? ([request, "!"] as const) : ([issue, "#"] as const);
  const iid = lineAt(about, "iid");
  const number = iid === undefined ? (lineAt(thing, "noteable_type")?.toLowerCase() ?? "") : `${sign}${iid}`;
  const name = lineAt(about, "title") ?? subjectOf(field(payload, "commit"));
  const verb = action === "update" ? "comment edited" : "commented";
  return {
    ...threaded({ repo, number, verb, name, who, text: field(thing, "note") }),
    ...(action === "update" ? QUIET : NOTICE),
    url: scalarAt(thing, "url"),
  };
}

const MAX_BUILDS = 200;
const MAX_FAILED = 5;

function pipeline({ payload, thing, repo, site, main, who, now }: Happening): Said {
  const failed = objectsAt(payload, "builds", MAX_BUILDS)
    .filter((build) => field(build, "status") === "failed" && field(build, "allow_failure") !== true)
    .map((build) => joined([lineAt(build, "name"), reason(lineAt(build, "failure_reason"))], " "));
  const state = lineAt(thing, "status");
  const seconds = field(thing, "duration");
  const page = scalarAt(thing, "url");
  const home = scalarAt(objectAt(payload, "project"), "web_url");
  return {
    ...ran({ repo, site, kind: "pipeline", name: "pipeline", branch: lineAt(thing, "ref"), main, state }),
    lines: [
      state === "failed" && failed.length > 0 ? `Failed: ${failed.slice(0, MAX_FAILED).join(", ")}` : undefined,
      subjectOf(field(payload, "commit")),
      typeof seconds === "number" && seconds > 0 && seconds < 1e9 ? lasting("Took", seconds * 1000) : undefined,
      by(who),
    ],
    url: page ?? (home === undefined ? undefined : `${home}/-/pipelines/${lineAt(thing, "id") ?? ""}`),
    at: timeAt(thing, "finished_at", now),
  };
}

const reason = (word: string | undefined) => word && `(${words(word)})`;

/** Most of GitLab's times end in ` UTC`. */
const timeAt = (fields: Fields, name: string, now: Millis) => instant(lineAt(fields, name)?.replace(/ UTC$/, ""), now);

function job({ payload, repo, site, main, home, who }: Happening): Said {
  const state = lineAt(payload, "build_status");
  const isAllowed = state === "failed" && field(payload, "build_allow_failure") === true;
  const name = `job ${lineAt(payload, "build_name") ?? "?"}`;
  const { status, key, ...said } = ran({ repo, site, kind: "job", name, branch: lineAt(payload, "ref"), main, state });
  return {
    ...said,
    ...(isAllowed ? looks.WARNING : { status, key }),
    lines: [
      state === "failed" ? lineAt({ why: words(lineAt(payload, "build_failure_reason") ?? "") }, "why") : undefined,
      subjectOf(field(payload, "commit")),
      by(who),
    ],
    url: home === undefined ? undefined : `${home}/-/jobs/${lineAt(payload, "build_id") ?? ""}`,
  };
}

function deployment({ payload, repo, site, who }: Happening): Said {
  const name = `deployment to ${lineAt(payload, "environment") ?? "?"}`;
  return {
    ...ran({ repo, site, kind: "deployment", name, state: lineAt(payload, "status") }),
    lines: [lineAt(payload, "commit_title"), by(who)],
    url: scalarAt(payload, "deployable_url") ?? scalarAt(payload, "environment_external_url"),
  };
}

function release({ payload, repo, site, action, now }: Happening): Said {
  const [tag, name] = [lineAt(payload, "tag"), lineAt(payload, "name")];
  const isOut = action === "create";
  const verb = isOut ? "released" : verbOf(action);
  const [text, at] = [field(payload, "description"), timeAt(payload, "released_at", now)];
  return { ...released({ repo, site, tag, name, verb, isOut, text, at }), url: scalarAt(payload, "url") };
}

function token({ thing, repo }: Happening): Said {
  const expires = lineAt(thing, "expires_at");
  return {
    title: `${repo}: access token ${lineAt(thing, "name") ?? "?"} expires soon`,
    lines: [expires && `On ${expires}`],
    ...looks.WARNING,
  };
}

const OVER = new Set(["resolved", "dismissed"]);

function vulnerability({ thing, repo }: Happening): Said {
  const [state = "detected", word] = [lineAt(thing, "state"), lineAt(thing, "severity")];
  const page = scalarAt(thing, "url");
  return {
    title: `${repo}: vulnerability ${state}: ${lineAt(thing, "title") ?? "?"}`,
    lines: [word && `Severity ${word}`, lineAt(objectAt(thing, "location"), "file")],
    ...flawed(OVER.has(state), word),
    url: page,
    key: page === undefined ? undefined : siteOf("gitlab", page, repo),
  };
}

// prettier-ignore
const KINDS = new Map<string, (happening: Happening) => Said>([
  ["push",          push],
  ["tag_push",      push],
  ["issue",         thread("#")],
  ["work_item",     thread("#")],
  ["merge_request", thread("!")],
  ["note",          note],
  ["pipeline",      pipeline],
  ["build",         job],
  ["deployment",    deployment],
  ["release",       release],
  ["access_token",  token],
  ["vulnerability", vulnerability],
]);
