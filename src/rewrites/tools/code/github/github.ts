/** GitHub's webhooks (REWRITES.md §8). */
import { field, lineAt, object, scalar, type Fields } from "../../../fields.ts";
import { DONE, DOUBTFUL, NOTICE, QUIET, ran, type Said } from "../forge.ts";
import { severityOf } from "../../../severity.ts";
import type { Source } from "../../../tool.ts";
import { instant } from "../../../times.ts";
import {
  by,
  eventIn,
  EVENTS,
  isFrom,
  pageOf,
  parcel,
  remark,
  run,
  tellEvent,
  thread,
  words,
  type Events,
  type Happening,
} from "./events.ts";

export const github: Source<"github"> = {
  name: "github",
  title: "GitHub",
  setup: {
    place: "Settings, Webhooks, Add webhook",
    withHook: (url) => [
      { label: "Payload URL", value: url },
      { label: "Content type", value: "application/json", isChoice: true },
    ],
  },
  fits: (payload, { header }) =>
    Boolean(header?.("x-github-event")) || (isFrom(payload, "node_id") && isAbout(payload)),
  tell: (payload, { now, header }) =>
    tellEvent(payload, {
      source: "github",
      title: "GitHub",
      event: header?.("x-github-event") ?? eventIn(payload),
      now,
      events,
    }),
};

const isAbout = (payload: Fields): boolean =>
  ["repository", "organization", "installation", "hook_id", "sponsorship"].some((name) => Object.hasOwn(payload, name));

function deployment({ payload, repo, site, now }: Happening): Said {
  const thing = object(field(payload, "deployment_status"));
  const name = `deployment to ${lineAt(thing, "environment") ?? "?"}`;
  return {
    ...ran({ repo, site, kind: "deployment", name, branch: undefined, main: undefined, state: lineAt(thing, "state") }),
    lines: [lineAt(thing, "description")],
    url: scalar(field(thing, "log_url")) ?? scalar(field(thing, "target_url")),
    at: instant(field(thing, "updated_at"), now),
  };
}

const OVER = /^(?:fixed|dismissed|auto_dismissed|resolved|resolve|closed_by_user|dismiss|closed)$/;

/** A vulnerable dependency, a flaw in the code, a secret that was pushed. */
const alert =
  (what: string) =>
  ({ payload, repo, site, event, action }: Happening): Said => {
    const thing = object(field(payload, "alert"));
    const [advisory, rule] = [object(field(thing, "security_advisory")), object(field(thing, "rule"))];
    const number = lineAt(thing, "number") ?? "?";
    const word =
      lineAt(advisory, "severity") ?? lineAt(rule, "security_severity_level", "severity") ?? lineAt(thing, "severity");
    const severity = event === "secret_scanning_alert" ? severityOf("critical") : severityOf(word?.toLowerCase());
    const about =
      lineAt(advisory, "summary") ??
      lineAt(rule, "description") ??
      lineAt(thing, "secret_type_display_name", "secret_type", "affected_package_name");
    const isOver = OVER.test(action);
    return {
      title: `${repo}: ${what} ${isOver ? words(action) : "found"}${about === undefined ? "" : `: ${about}`}`,
      lines: [
        word === undefined ? undefined : `Severity ${word}`,
        lineAt(object(field(thing, "dependency")), "manifest_path"),
      ],
      ...(isOver
        ? { ...DONE, status: "resolved" }
        : { level: severity.level, priority: severity.priority, status: "firing" }),
      url: pageOf(thing),
      key: `${site}:${event}:${number}`,
    };
  };

// prettier-ignore
const events: Events = new Map<string, (happening: Happening) => Said>([
  ...EVENTS,
  ["ping",                        ({ repo }) => ({ title: "GitHub test", lines: [`${repo}: this notification works.`], ...NOTICE })],
  ["discussion",                  thread("discussion", "discussion ")],
  ["discussion_comment",          remark("discussion", "discussion ")],
  ["commit_comment",              remark("commit", "")],
  ["pull_request_review",         remark("pull_request", "PR ", "review")],
  ["pull_request_review_comment", remark("pull_request", "PR ")],
  ["check_run",                   run("check_run")],
  ["check_suite",                 run("check_suite")],
  ["deployment_status",           deployment],
  ["registry_package",            parcel],
  ["star",                        ({ repo, action, who }) => ({ title: `${who ?? "Somebody"} ${action === "deleted" ? "unstarred" : "starred"} ${repo}`, lines: [], ...QUIET })],
  ["public",                      ({ repo, who }) => ({ title: `${repo} is public now`, lines: [by(who)], ...DOUBTFUL })],
  ["dependabot_alert",            alert("vulnerable dependency")],
  ["repository_vulnerability_alert", alert("vulnerable dependency")],
  ["code_scanning_alert",         alert("code alert")],
  ["secret_scanning_alert",       alert("leaked secret")],
]);
