/** Payloads made to be slow: every way to fill 1 MiB that a mapper could stumble over. */
import type { RewriteName } from "../../src/rewrites/rewrite.ts";
import { slots } from "./slots.ts";

export interface Hostile {
  what: string;
  name: RewriteName;
  payload: unknown;
  raw: string;
}

/** What fills a text; each is repeated to the size. */
const FILLINGS = new Map([
  ["letters", "a"],
  ["spaces", " "],
  ["lines", "\n"],
  ["blank lines", " \t\n"],
  ["emoji families", "👨‍👩‍👧‍👦"],
  ["combining marks", "\u0301"],
  ["joiners", "\u200d"],
  ["zero-width characters", "\u200b"],
  ["halves of surrogate pairs", "\ud83d"],
  ["colours", "\x1b[31mx"],
  ["open escape sequences", "\x1b["],
  ["open strings of a terminal", "\x1b]"],
  ["parameters of an escape sequence", "\x1b[1;2;3;"],
  ["URLs", "https://u:p@h.example/?token=1&a=2#b "],
  ["schemes", "http://"],
  ["schemes that do not end", "://a:"],
  ["queries", "?token=1&"],
  ["questions", "?"],
  ["ends of brackets", "] ["],
  ["brackets", "]["],
  ["digits", "1"],
  ["quotes", '"\\'],
  ["certificates", "] x certificate "],
  ["expiries", " will expire in 1 days "],
  ["tags of HTML", "<h1"],
  ["opened emphasis", "*a _b ~c "],
  ["opened code", "`a "],
  ["opened links", "[a](https://h.example"],
  ["anchors", '<a href="https://h.example">'],
  ["emoji names", ":a"],
  ["entities", "&#60;b&gt;"],
  ["comments", "<!-- "],
]);

type Fill = (text: string) => unknown;

const alert = (part: Record<string, unknown>): unknown => ({ groupKey: "k", alerts: [{ status: "firing", ...part }] });
const beat = (part: Record<string, unknown>, monitor: Record<string, unknown> = {}): unknown => ({
  msg: "[n] [Down] m",
  heartbeat: { status: 0, ...part },
  monitor: { id: 1, name: "n", ...monitor },
});
const komodo = (type: string, part: Record<string, unknown>): unknown => ({
  target: { type: "Stack", id: "s" },
  data: { type, data: { name: "n", ...part } },
});

const slack = (part: Record<string, unknown>): unknown => ({ attachments: [{ color: "danger", ...part }] });
const embed = (part: Record<string, unknown>): unknown => ({ embeds: [{ title: "t", ...part }] });
const card = (part: Record<string, unknown>): unknown => ({
  type: "AdaptiveCard",
  body: [{ type: "TextBlock", ...part }],
});
const github = (part: Record<string, unknown>): unknown => ({
  sender: { login: "a", node_id: "n" },
  repository: { full_name: "a/b" },
  ...part,
});
const check = (part: Record<string, unknown>): unknown => ({
  status: "down",
  n_pings: 1,
  grace: 1,
  last_ping: null,
  ...part,
});

/** Where the text is put. */
const PLACES: [RewriteName, place: string, Fill][] = [
  ["alertmanager", "a summary", (text) => alert({ annotations: { summary: text } })],
  ["alertmanager", "a description", (text) => alert({ annotations: { description: text } })],
  ["alertmanager", "a name", (text) => alert({ labels: { alertname: text, severity: text.slice(0, 100) } })],
  ["alertmanager", "a severity", (text) => alert({ labels: { severity: text } })],
  ["alertmanager", "an instance", (text) => alert({ labels: { alertname: "n", instance: text } })],
  ["alertmanager", "a label's name", (text) => alert({ labels: { [text]: "v" } })],
  ["alertmanager", "a time", (text) => alert({ startsAt: text })],
  ["alertmanager", "a URL", (text) => alert({ generatorURL: `https://h.example/${text}` })],
  ["alertmanager", "a host", (text) => alert({ generatorURL: `https://${text}` })],
  ["alertmanager", "a group key", (text) => ({ groupKey: text, receiver: "r", alerts: [{}, {}] })],
  ["alertmanager", "a receiver", (text) => ({ receiver: text, alerts: [{}, {}] })],
  ["uptimekuma", "a notice", (text) => ({ heartbeat: null, msg: text })],
  ["uptimekuma", "a certificate", (text) => ({ heartbeat: null, msg: `[${text} will expire in 2 days` })],
  ["uptimekuma", "a test", (text) => ({ heartbeat: null, msg: `${text} Testing` })],
  ["uptimekuma", "a reason", (text) => beat({ msg: text })],
  ["uptimekuma", "a response", (text) => beat({ response: text })],
  ["uptimekuma", "a monitor's name", (text) => beat({}, { name: text })],
  ["uptimekuma", "a monitor's URL", (text) => beat({}, { url: `https://h.example/${text}` })],
  ["uptimekuma", "a name in a text", (text) => ({ msg: `[${text}`, heartbeat: { status: 7 } })],
  ["komodo", "a name", (text) => komodo("BuildFailed", { name: text })],
  ["komodo", "a type", (text) => komodo(`A${text}`, {})],
  ["komodo", "an error", (text) => komodo("ServerUnreachable", { err: { error: text, trace: [text.slice(0, 9)] } })],
  ["komodo", "a state", (text) => komodo("StackStateChange", { from: "running", to: text })],
  ["komodo", "something unknown", (text) => komodo("Unknown", { some: text })],
  ["komodo", "a message", (text) => komodo("Custom", { message: text })],
  ["komodo", "what has no shape", (text) => ({ message: text })],
  ["slack", "a text", (text) => ({ text })],
  ["slack", "a link", (text) => ({ text: `<https://h.example/${text}|${text.slice(0, 300)}` })],
  ["slack", "an attachment", (text) => slack({ title: text.slice(0, 200), text })],
  ["slack", "a field", (text) => slack({ fields: [{ title: text.slice(0, 90), value: text }] })],
  ["slack", "a field of a block", (text) => ({ blocks: [{ type: "section", fields: [{ text: `*${text}` }] }] })],
  ["discord", "a content", (text) => ({ content: text })],
  ["discord", "a description", (text) => embed({ description: text })],
  ["discord", "a component", (text) => ({ components: [{ type: 10, content: text }] })],
  ["teams", "a text", (text) => ({ "@type": "MessageCard", text })],
  ["teams", "a block", (text) => card({ text })],
  ["github", "a commit", (text) => github({ ref: "refs/heads/m", commits: [{ message: text }] })],
  ["github", "an issue", (text) => github({ action: "opened", issue: { number: 1, title: text, body: text } })],
  ["github", "a run", (text) => github({ workflow_run: { name: text, path: text, conclusion: text } })],
  ["gitea", "a run", (text) => ({ run: { workflow_id: text, prettyref: text, repository: { full_name: text } } })],
  [
    "gitlab",
    "a pipeline",
    (text) => ({ object_kind: "pipeline", object_attributes: { status: text, ref: text, finished_at: text } }),
  ],
  ["gitlab", "a kind", (text) => ({ object_kind: text, project: { web_url: `https://h.example/${text}` } })],
  ["gatus", "a sentence", (text) => slack({ text: `An alert for *${text}` })],
  [
    "gatus",
    "a description",
    (text) =>
      slack({ text: `An alert for *n* has been triggered due to having failed 1 time(s) in a row:\n> ${text}` }),
  ],
  ["gatus", "conditions", (text) => ({ endpoint_name: text, endpoint_url: text, resolved: false, message: text })],
  ["beszel", "a title", (text) => ({ title: `Connection to ${text}`, message: `m\n\nhttps://h.example/system/x` })],
  ["beszel", "a text", (text) => ({ text: `##### ${text}` })],
  [
    "healthchecks",
    "a check",
    (text) => check({ name: text, desc: text, tags: text, schedule: text, update_url: `https://${text}` }),
  ],
  [
    "netdata",
    "an alert",
    (text) => ({ alert: text, severity: text, chart: text, context: text, family: text, Rooms: { [text]: "" } }),
  ],
  ["zabbix", "a message", (text) => ({ HTTPProxy: "", Subject: text, Message: text })],
  [
    "zabbix",
    "an event",
    (text) => ({ event_id: text, event_name: text, event_value: text, link: `https://h.example/?eventid=${text}` }),
  ],
  [
    "uptimerobot",
    "a monitor",
    (text) => ({ monitorFriendlyName: text, alertType: text, alertDuration: text, alertDateTime: text }),
  ],
];

const times = (n: number, make: (i: number) => unknown): unknown[] => Array.from({ length: n }, (_, i) => make(i));
const fields = (n: number, value: unknown): Record<string, unknown> =>
  Object.fromEntries(times(n, (i) => [`k${i}`, value]) as [string, unknown][]);
function nested(depth: number): unknown {
  return depth === 0 ? [] : { a: nested(depth - 1), b: [nested(0)] };
}

function nestedIn(name: string, depth: number): unknown[] {
  return depth === 0 ? [{ text: "t" }] : [{ [name]: nestedIn(name, depth - 1) }];
}

/** Many small things instead of a large one; `n`: so many that it makes about 1 MiB. */
const CROWDS: [RewriteName, what: string, (size: number) => unknown][] = [
  ["alertmanager", "empty alerts", (size) => ({ alerts: times(size / 3, () => ({})) })],
  ["alertmanager", "alerts that are none", (size) => ({ alerts: times(size / 2, () => 1) })],
  [
    "alertmanager",
    "short alerts",
    (size) => ({
      alerts: times(size / 200, (i) => ({
        status: i % 2 === 0 ? "firing" : "resolved",
        labels: { alertname: `n${i}`, instance: `h${i}:9100`, severity: "page" },
        startsAt: "2026-11-20T19:00:45.340846365Z",
        endsAt: "2026-11-20T19:20:45.340846365Z",
        fingerprint: `${i}`,
      })),
    }),
  ],
  [
    "alertmanager",
    "alerts of many labels",
    (size) => ({ alerts: times(size / 1000, () => ({ labels: fields(100, "v") })), commonLabels: fields(10, "w") }),
  ],
  ["alertmanager", "labels", (size) => alert({ labels: fields(size / 10, "v") })],
  ["alertmanager", "common labels", (size) => ({ alerts: [{}, {}], commonLabels: fields(size / 10, "v") })],
  ["alertmanager", "group labels", (size) => ({ alerts: [{}, {}], groupLabels: fields(size / 10, "v") })],
  ["alertmanager", "values", (size) => alert({ values: fields(size / 10, 1) })],
  [
    "crowdsec",
    "alerts",
    (size) => times(size / 60, (i) => ({ scenario: `s${i}`, source: { value: "v" }, decisions: [] })),
  ],
  ["wud", "containers", (size) => times(size / 60, (i) => ({ watcher: "w", name: `n${i}`, updateKind: {} }))],
  [
    "servarr",
    "episodes",
    (size) => ({ eventType: "Grab", series: { title: "s" }, episodes: times(size / 3, () => ({})) }),
  ],
  [
    "servarr",
    "reasons",
    (size) => ({
      eventType: "ManualInteractionRequired",
      series: {},
      downloadStatusMessages: times(size / 4, () => 1),
    }),
  ],
  [
    "seerr",
    "extras",
    (size) => ({ notification_type: "MEDIA_PENDING", subject: "s", extra: times(size / 3, () => ({})) }),
  ],
  [
    "frigate",
    "objects",
    (size) => ({ before: {}, after: { camera: "c", data: { objects: times(size / 4, () => "o") } } }),
  ],
  ["unifi", "triggers", (size) => ({ timestamp: 1, alarm: { triggers: times(size / 3, () => ({})) } })],
  ["unifi", "events", (size) => ({ events: times(size / 60, () => ({ id: "event.x", alert_key: "K" })) })],
  [
    "watchtower",
    "failures",
    (size) => ({ host: "h", title: "t", entries: [], report: { failed: times(size / 3, () => ({})) } }),
  ],
  ["watchtower", "entries", (size) => ({ host: "h", title: "t", report: null, entries: times(size / 3, () => ({})) })],
  ["truenas", "alerts", (size) => ({ text: `TrueNAS @ h \n\nNew alerts:\n\n${"  * a\n".repeat(size / 6)}` })],
  [
    "truenas",
    "one long alert",
    (size) => ({ text: `TrueNAS @ h \n\nNew alerts:\n\n  * a\n${"b\n".repeat(size / 2)}` }),
  ],
  [
    "proxmox",
    "errors",
    (size) => ({ severity: "error", title: "t", fields: {}, message: `Logs\n====\n${"ERROR\n".repeat(size / 6)}` }),
  ],
  [
    "authentik",
    "facts",
    (size) => ({ severity: "alert", user_username: "u", body: `a: {${"'b': 'c', ".repeat(size / 10)}` }),
  ],
  ["uptimekuma", "tags", (size) => beat({}, { tags: times(size / 20, (i) => ({ name: `n${i}`, value: "v" })) })],
  ["komodo", "images", (size) => komodo("StackAutoUpdated", { images: times(size / 4, () => "i") })],
  ["komodo", "traces", (size) => komodo("SwarmUnhealthy", { err: { error: "e", trace: times(size / 4, () => "t") } })],
  ["komodo", "fields", (size) => komodo("Unknown", fields(size / 10, "v"))],
  ["komodo", "a long list", (size) => komodo("Unknown", { list: times(size / 2, () => 1) })],
  [
    "slack",
    "attachments",
    (size) => ({
      attachments: times(size / 60, (i) => ({ color: "good", title: `t${i}`, text: "<https://h.example|x>" })),
    }),
  ],
  [
    "slack",
    "blocks",
    (size) => ({ blocks: times(size / 60, () => ({ type: "section", fields: times(9, () => ({ text: "*a*\nb" })) })) }),
  ],
  ["slack", "fields", (size) => slack({ fields: times(size / 30, (i) => ({ title: `n${i}`, value: "v" })) })],
  [
    "slack",
    "depth",
    (size) => ({ blocks: times(size / 800, () => ({ type: "rich_text", elements: nestedIn("elements", 60) })) }),
  ],
  [
    "discord",
    "embeds",
    (size) => ({ embeds: times(size / 40, (i) => ({ title: `t${i}`, fields: [{ name: "n", value: "v" }] })) }),
  ],
  [
    "discord",
    "components",
    (size) => ({ components: times(size / 40, () => ({ components: [{ type: 10, content: "c" }] })) }),
  ],
  [
    "teams",
    "elements",
    (size) => ({ type: "AdaptiveCard", body: times(size / 40, () => ({ items: [{ text: "t" }] })) }),
  ],
  [
    "teams",
    "depth",
    (size) => ({ type: "AdaptiveCard", body: times(size / 800, () => ({ items: nestedIn("items", 60) })) }),
  ],
  ["github", "commits", (size) => github({ ref: "refs/heads/m", commits: times(size / 30, () => ({ message: "m" })) })],
  [
    "gitlab",
    "builds",
    (size) => ({
      object_kind: "pipeline",
      project: {},
      builds: times(size / 40, () => ({ name: "n", status: "failed" })),
    }),
  ],
  [
    "gatus",
    "conditions",
    (size) => ({
      endpoint_name: "n",
      endpoint_url: "",
      resolved: false,
      condition_results: times(size / 40, () => ({ condition: "c", success: false })),
    }),
  ],
  [
    "gatus",
    "elements",
    (size) => ({
      type: "message",
      attachments: times(size / 90, () => ({
        content: { body: [{ items: [{ items: [{ text: "An alert for *" }] }] }] },
      })),
    }),
  ],
  ["zabbix", "fields", (size) => ({ HTTPProxy: "", Subject: "s", Message: "m", ...fields(size / 10, "v") })],
  ["beszel", "fields", (size) => ({ text: "t", ...fields(size / 10, "v") })],
  ["komodo", "depth", (size) => komodo("Unknown", { deep: times(size / 800, () => nested(60)) })],
];

/** All of them at about `size` bytes each. */
export function* hostile(size: number): Generator<Hostile> {
  yield* slots(FILLINGS, size);
  for (const [filling, unit] of FILLINGS) {
    const text = unit.repeat(size / Buffer.byteLength(unit));
    for (const [name, place, fill] of PLACES)
      yield { what: `${filling} in ${place}`, name, payload: fill(text), raw: "" };
    for (const name of ["alertmanager", "uptimekuma", "komodo", "slack"] as const)
      yield { what: `${filling} as the body`, name, payload: undefined, raw: text };
  }
  for (const [name, what, make] of CROWDS) yield { what, name, payload: make(size), raw: "" };
}
