/** Gitea's and Forgejo's webhooks: GitHub's bodies, but for reviews, Forgejo's runs and the test (REWRITES.md §8). */
import { field, lineAt, objectAt, scalarAt, type Fields } from "../../fields.ts";
import { isObject } from "../../../util/json.ts";
import { NOTICE, QUIET } from "../../looks.ts";
import { by, ran, words, type Said } from "./forge.ts";
import type { About, Source } from "../../tool.ts";
import { instant, lasting } from "../../times.ts";
import { eventIn, EVENTS, isFrom, remark, tellEvent, type Events, type Happening } from "./github/events.ts";
import { POST } from "../../tool-setup.ts";

export const gitea: Source<"gitea"> = {
  name: "gitea",
  title: "Gitea",
  setup: {
    title: "Gitea, Forgejo",
    place: "Settings, Webhooks, Add Webhook",
    withHook: (url) => [{ label: "Target URL", value: url }, POST],
  },
  fits: (payload, about) =>
    eventNamed(about) !== undefined ||
    isForgejoRun(payload) ||
    (isFrom(payload, "username") && Object.hasOwn(objectAt(payload, "repository"), "full_name")),
  tell(payload, about) {
    const isForgejo = about.header?.("x-forgejo-event") || isForgejoRun(payload);
    const event = isForgejoRun(payload) ? "run" : isTest(payload) ? "ping" : (eventNamed(about) ?? eventIn(payload));
    const title = isForgejo ? "Forgejo" : "Gitea";
    // a run of Forgejo's names its repository, but not who sent it
    const run = objectAt(payload, "run");
    const whole = isForgejoRun(payload)
      ? { ...payload, repository: field(run, "repository"), sender: field(run, "trigger_user") }
      : payload;
    return tellEvent(whole, { source: "gitea", title, event, now: about.now, events });
  },
};

/** Forgejo sends Gitea's headers beside its own, and both send GitHub's. */
const eventNamed = ({ header }: About): string | undefined =>
  header?.("x-forgejo-event") ?? header?.("x-gitea-event") ?? header?.("x-gogs-event") ?? undefined;

const isForgejoRun = (payload: Fields): boolean => {
  const run = field(payload, "run");
  return isObject(run) && Object.hasOwn(run, "workflow_id") && isObject(field(run, "repository"));
};

/** The test pushes a commit that was there already. */
const isTest = (payload: Fields): boolean => {
  const [before, after] = [scalarAt(payload, "before"), scalarAt(payload, "after")];
  return before !== undefined && before === after && Object.hasOwn(payload, "commits");
};

const STATES = new Map([
  ["failed", "failure"],
  ["recovered", "success"],
  ["recover", "success"],
]);

function forgejoRun({ payload, repo, site, main, action, now }: Happening): Said {
  const run = objectAt(payload, "run");
  const nanoseconds = field(run, "duration");
  const state = STATES.get(action) ?? (action || lineAt(run, "status"));
  const took = typeof nanoseconds === "number" && nanoseconds > 0 && nanoseconds < 1e18 ? nanoseconds / 1e6 : undefined;
  const branch = lineAt(run, "prettyref");
  return {
    ...ran({ repo, site, kind: "run", name: lineAt(run, "workflow_id") ?? "workflow", branch, main, state }),
    lines: [lineAt(run, "title"), lasting("Took", took), by(lineAt(objectAt(run, "trigger_user"), "login"))],
    url: scalarAt(run, "html_url") ?? scalarAt(run, "run_html_url"),
    at: instant(field(run, "stopped"), now),
  };
}

const changed =
  (what: string, name: string) =>
  ({ payload, repo, action, who }: Happening): Said => ({
    title: `${repo}: ${what} ${lineAt(payload, name) ?? ""} ${words(action)}`.replace("  ", " "),
    lines: [lineAt(payload, "comment"), by(who)],
    ...QUIET,
  });

const review = remark("pull_request", "PR ", "review");

// prettier-ignore
const events: Events = new Map<string, (happening: Happening) => Said>([
  ...EVENTS,
  ["ping",                  ({ title, repo }) => ({ title: `${title} test`, lines: [`${repo}: this notification works.`], ...NOTICE })],
  ["run",                   forgejoRun],
  ["pull_request_review",   review],
  ["pull_request_approved", review],
  ["pull_request_rejected", review],
  ["pull_request_comment",  review],
  ["wiki",                  changed("wiki page", "page")],
  ["repository",            changed("repository", "")],
]);
