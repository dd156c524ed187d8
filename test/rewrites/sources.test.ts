/** Which tool a body belongs to, and that the end of an incident closes the card of its beginning (REWRITES.md §8). */
import { describe, expect, test } from "bun:test";
import type { Draft } from "../../src/drafts/draft.ts";
import { recognized } from "../../src/rewrites/rewrite.ts";
import { fixtures } from "./fixtures.ts";
import { draftOf, NOW } from "./support.ts";

const told = (payload: unknown, headers: Record<string, string> = {}): Draft | undefined =>
  recognized(payload, { now: NOW, header: (name) => headers[name] ?? null });

describe("no tool is mistaken for another", () => {
  // prettier-ignore
  const rows: [what: string, payload: unknown][] = [
    ["a message of ours",               { message: "m", title: "t", level: "error", priority: "high", tags: ["a"], url: "https://h.example" }],
    ["a message alone",                 { message: "m" }],
    ["a text with a title",             { text: "m", title: "t" }],
    ["a text with a priority",          { text: "m", priority: "high" }],
    ["a message of ours with an actor", { message: "m", data: { sender: { login: "a" } }, status: "firing" }],
    ["a message of ours about Beszel",  { message: "Connection to nas is down", title: "Connection to nas is down 🔴" }],
    ["a message called a test",         { message: "m", title: "Test Alert" }],
    ["a message with attachments",      { message: "m", attachments: [{ color: "danger", text: "x" }], embeds: [{ title: "t" }] }],
    ["a message with a content",        { message: "m", content: "c", text: "t" }],
    ["ntfy's JSON",                     { topic: "t", message: "m", title: "T", tags: ["warning"], priority: 4, click: "https://h.example", attach: "https://h.example/a", filename: "f" }],
    ["Gotify's JSON",                   { message: "m", title: "T", priority: 5, extras: { "client::display": { contentType: "text/markdown" } } }],
    ["Apprise's JSON",                  { title: "T", body: "m", type: "failure", tag: "all", format: "text" }],
    ["a state",                         { status: "up", name: "n" }],
    ["a host",                          { host: "h", status: "up", message: "m" }],
    ["an action",                       { action: "opened", repository: "a/b", sender: "c" }],
    ["nothing",                         {}],
    ["shoutrrr's JSON",                 { title: "t", message: "m" }],
    ["Apprise's plugin's JSON",         { version: "1.0", title: "t", message: "m", attachments: [], type: "info" }],
    ["Home Assistant's JSON",           { message: "m", title: "t", target: "x", data: { a: 1 } }],
    ["a list",                          [{ message: "m" }, 1]],
    ["an empty list",                   []],
    ["a nameless field",                { "": { a: 1 } }],
    ["lists of other things",           { attachments: [{ id: 1 }, 2], blocks: [{ type: "other" }, "x"], embeds: [{ id: 1 }], components: [{ type: 1 }] }],
  ];
  test.each(rows)("%s", (_, payload) => {
    expect(told(payload)).toBeUndefined();
  });
});

describe("a header alone is enough", () => {
  // prettier-ignore
  const rows: [headers: Record<string, string>, source: string, title: string][] = [
    [{ "x-github-event": "watch" },                                             "github", "a/b: watch started"],
    [{ "x-github-event": "watch", "x-gitea-event": "watch" },                   "gitea",  "a/b: watch started"],
    [{ "x-github-event": "watch", "x-gitea-event": "watch", "x-forgejo-event": "watch" }, "gitea", "a/b: watch started"],
    [{ "x-gogs-event": "constructor" },                                         "gitea",  "a/b: constructor started"],
    [{ "x-gitlab-event": "Push Hook" },                                         "gitlab", "GitLab: event started"],
  ];
  test.each(rows)("%p", (headers, source, title) => {
    expect(told({ action: "started", repository: { full_name: "a/b" } }, headers)).toMatchObject({
      source: `rewrite:${source}`,
      title,
    });
  });
});

const fixture = (path: string): Draft | undefined => {
  const found = fixtures.find((each) => each.path === path);
  return found && recognized(JSON.parse(found.raw), found.about);
};

// prettier-ignore
const pairs: [began: string, ended: string][] = [
  ["github/workflow-failed",     "github/workflow-passed"],
  ["github/dependabot-created",  "github/dependabot-fixed"],
  ["gitea/forgejo-run-failed",   "gitea/forgejo-run-recovered"],
  ["gitlab/pipeline-failed",     "gitlab/pipeline-passed"],
  ["healthchecks/down",          "healthchecks/up"],
  ["healthchecks/nested-cron-down", "healthchecks/up"],
  ["netdata/critical",           "netdata/clear"],
  ["netdata/old-names-warning",  "netdata/clear"],
  ["netdata/unreachable",        "netdata/reachable"],
  ["zabbix/default-problem",     "zabbix/default-recovery"],
  ["zabbix/oncall-alerting",     "zabbix/oncall-ok"],
  ["zabbix/oncall-alerting",     "zabbix/guide-ok"],
  ["uptimerobot/down",           "uptimerobot/up"],
  ["gatus/n8n-triggered",        "gatus/n8n-resolved"],
  ["gatus/slack-triggered",      "gatus/slack-resolved"],
  ["gatus/teams-triggered",      "gatus/teams-workflow-resolved"],
  ["gatus/discord-triggered",    "gatus/slack-resolved"],
  ["beszel/down",                "beszel/up"],
  ["beszel/disk-above",          "beszel/disk-below"],
];
test.each(pairs)("the card of %s is closed by %s", (began, ended) => {
  const [first, last] = [fixture(began), fixture(ended)];
  expect(first).toMatchObject({ status: "firing" });
  expect(last).toMatchObject({ status: "resolved", level: "success" });
  expect(last?.dedup_key).toBe(first?.dedup_key as string);
});

test("alerts of two Netdata nodes never share a card, and neither do those without a page", () => {
  const alert = { alert: "a", chart: "c", context: "c", family: "f", severity: "critical", space: "s" };
  const key = (alert_url?: string) => draftOf("netdata", { ...alert, ...(alert_url && { alert_url }) }).dedup_key;
  expect(key("https://app.netdata.cloud/alerts/1")).not.toBe(key("https://app.netdata.cloud/alerts/2") as string);
  expect(key()).toBeUndefined();
});

test("a count from Netdata that cannot be read as a number is left out", () => {
  const alert = { alert: "a", chart: "c", context: "c", family: "f", severity: "critical", space: "s" };
  const count = (one: unknown) => draftOf("netdata", { ...alert, additional_active_critical_alerts: one }).message;
  expect(count(2)).toContain("Also active on this node: 2 critical");
  expect(count({ toString: null })).toBe(count(0));
});

test("repositories of the same name on two servers do not share a card", () => {
  const run = (host: string) =>
    draftOf("gitea", {
      workflow_run: { name: "CI", head_branch: "main", conclusion: "failure" },
      repository: { full_name: "a/b", html_url: `https://${host}/a/b`, default_branch: "main" },
      sender: { login: "a", username: "a" },
    }).dedup_key;
  expect(run("one.example")).not.toBe(run("two.example") as string);
});

describe("Zabbix", () => {
  // prettier-ignore
  const rows: [severity: string, level: string, priority: string][] = [
    ["Disaster", "error", "urgent"], ["High", "error", "high"], ["Average", "warning", "normal"],
    ["Warning", "warning", "normal"], ["Information", "info", "low"], ["Not classified", "warning", "normal"],
  ];
  test.each(rows)("severity %s", (event_severity, level, priority) => {
    const event = { event_id: "1", event_name: "n", event_value: "1", trigger_id: "2" };
    expect(draftOf("zabbix", { ...event, event_severity })).toMatchObject({ level, priority });
    const event_nseverity = ["Not classified", "Information", "Warning", "Average", "High", "Disaster"].indexOf(
      event_severity,
    );
    expect(draftOf("zabbix", { ...event, event_nseverity })).toMatchObject({ level, priority });
  });

  test("leaves out macros that were not resolved", () => {
    const event = { event_id: "1", event_name: "n", event_value: "1", trigger_id: "2" };
    const { message } = draftOf("zabbix", {
      ...event,
      event_opdata: "{EVENT.OPDATA}",
      trigger_description: "*UNKNOWN*",
    });
    expect(message).toBe("n");
  });
});

test("a comment on a pull request is reported as one", () => {
  const issue = { number: 7, title: "T", pull_request: { url: "https://h.example" } };
  const sent = {
    action: "created",
    issue,
    comment: { body: "b" },
    sender: { login: "a", node_id: "n" },
    repository: { full_name: "a/b" },
  };
  expect(draftOf("github", sent).title).toBe("a/b PR #7 commented: T");
});

test("a failed run of another branch does not ring like one of the main branch", () => {
  const run = (head_branch: string) =>
    draftOf("github", {
      workflow_run: { name: "CI", head_branch, conclusion: "failure" },
      repository: { full_name: "a/b", default_branch: "main" },
      sender: { login: "a", node_id: "b" },
    });
  expect(run("main")).toMatchObject({ level: "error", priority: "high" });
  expect(run("idea")).toMatchObject({ level: "error", priority: "normal" });
});
