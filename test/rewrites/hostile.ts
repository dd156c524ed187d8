/** Payloads designed to be slow: every way to fill 1 MiB that could slow down a mapper. */
import type { RewriteName } from "../../src/rewrites/rewrite.ts";
import { alert, beat, card, check, embed, github, komodo, slack } from "./bodies.ts";
import { CROWDS } from "./crowds.ts";
import { slots } from "./slots.ts";

export interface Hostile {
  what: string;
  name: RewriteName;
  payload: unknown;
  raw: string;
}

/** Patterns that fill a text; each is repeated to the required size. */
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

/** Where the text is inserted. */
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

/** All of them, at about `size` bytes each. */
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
