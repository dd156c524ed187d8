/** GitHub's webhooks (REWRITES.md §8). */
import { field, hasOne, lineAt, objectAt, scalarAt, type Fields } from "../../../fields.ts";
import { NOTICE, QUIET, WARNING } from "../../../looks.ts";
import { by, flawed, ran, words, type Said } from "../forge.ts";
import type { Source } from "../../../tool.ts";
import { instant } from "../../../times.ts";
import {
  eventIn,
  EVENTS,
  isFrom,
  pageOf,
  parcel,
  remark,
  run,
  tellEvent,
  thread,
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
  hasOne(payload, "repository", "organization", "installation", "hook_id", "sponsorship");

function deployment({ payload, repo, site, now }: Happening): Said {
  const thing = objectAt(payload, "deployment_status");
  const name = `deployment to ${lineAt(thing, "environment") ?? "?"}`;
  return {
    ...ran({ repo, site, kind: "deployment", name, state: lineAt(thing, "state") }),
    lines: [lineAt(thing, "description")],
    url: scalarAt(thing, "log_url") ?? scalarAt(thing, "target_url"),
    at: instant(field(thing, "updated_at"), now),
  };
}

const OVER = /^(?:fixed|dismissed|auto_dismissed|resolved|resolve|closed_by_user|dismiss|closed)$/;

/** A vulnerable dependency, a flaw in the code, a secret that was pushed. */
const alert =
  (what: string) =>
  ({ payload, repo, site, event, action }: Happening): Said => {
    const thing = objectAt(payload, "alert");
    const [advisory, rule] = [objectAt(thing, "security_advisory"), objectAt(thing, "rule")];
    const number = lineAt(thing, "number") ?? "?";
    const word =
      lineAt(advisory, "severity") ?? lineAt(rule, "security_severity_level", "severity") ?? lineAt(thing, "severity");
    const about =
      lineAt(advisory, "summary") ??
      lineAt(rule, "description") ??
      lineAt(thing, "secret_type_display_name", "secret_type", "affected_package_name");
    const isOver = OVER.test(action);
    return {
      title: `${repo}: ${what} ${isOver ? words(action) : "found"}${about === undefined ? "" : `: ${about}`}`,
      lines: [word && `Severity ${word}`, lineAt(objectAt(thing, "dependency"), "manifest_path")],
      ...flawed(isOver, event === "secret_scanning_alert" ? "critical" : word),
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
  ["public",                      ({ repo, who }) => ({ title: `${repo} is public now`, lines: [by(who)], ...WARNING })],
  ["dependabot_alert",            alert("vulnerable dependency")],
  ["repository_vulnerability_alert", alert("vulnerable dependency")],
  ["code_scanning_alert",         alert("code alert")],
  ["secret_scanning_alert",       alert("leaked secret")],
]);
