/** Uptime Kuma's webhook, 1.23 and 2 (REWRITES.md §4). */
import type { Level, Priority, Status } from "../../../drafts/draft.ts";
import { MAX_TAGS } from "../../../drafts/limits.ts";
import type { Millis } from "../../../util/clock.ts";
import { field, lineAt, list, object, proseAt, scalar, valueAt, type Fields } from "../../fields.ts";
import { isObject } from "../../../util/json.ts";
import type { Source } from "../../tool.ts";
import { brief, cut, line, unmaskedLine } from "../../text.ts";
import { instant, lasting, span } from "../../times.ts";
import { present, sha, type Told } from "../../told.ts";
import { link, parseUrl } from "../../urls.ts";
import { POST } from "../../tool-setup.ts";

export const uptimekuma: Source<"uptimekuma"> = {
  name: "uptimekuma",
  title: "Uptime Kuma",
  setup: {
    place: "Settings, Notifications, Set Up Notification",
    manual: { page: "uptime-kuma", topic: "kuma" },
    withKey: (url, key) => [
      { label: "Notification Type", value: "Webhook", isChoice: true },
      { label: "Post URL", value: url },
      POST,
      { label: "Request Body", value: "Preset - application/json", isChoice: true },
      { label: "Additional Headers", value: JSON.stringify({ Authorization: `Bearer ${key}` }) },
    ],
  },
  fits: (payload) =>
    Object.hasOwn(payload, "msg") && (Object.hasOwn(payload, "heartbeat") || Object.hasOwn(payload, "monitor")),
  tell(payload, { now }) {
    const [heartbeat, monitor] = [field(payload, "heartbeat"), field(payload, "monitor")];
    if (isObject(heartbeat) || isObject(monitor)) return tellBeat(payload, object(heartbeat), object(monitor), now);
    return tellNotice(payload);
  },
};

interface State {
  says: string;
  level: Level;
  priority: Priority;
  status?: Status;
}

const STATES = new Map<string, State>([
  ["0", { says: " is down", level: "error", priority: "high", status: "firing" }],
  ["1", { says: " is up again", level: "success", priority: "normal", status: "resolved" }],
  ["2", { says: " does not answer (retrying)", level: "warning", priority: "normal" }],
  ["3", { says: " is under maintenance", level: "info", priority: "low" }],
]);
const STILL_DOWN = " is still down";
const NO_STATE: State = { says: "", level: "warning", priority: "normal" };

const MAX_RESPONSE = 200;
const HTML = /<(?:!doctype|html|head|body|title|h\d|p|div|center|br)\b/i;

function tellBeat(payload: Fields, heartbeat: Fields, monitor: Fields, now: Millis): Told {
  const status = scalar(field(heartbeat, "status")) ?? "";
  const state = STATES.get(status) ?? NO_STATE;
  const isDown = status === "0";
  const path = lineAt(monitor, "pathName", "name") ?? nameIn(lineAt(payload, "msg"));
  const at = instant(field(heartbeat, "time"), now);
  const wasDown = status === "1" ? span(instant(field(heartbeat, "lastDownTime"), now), at) : undefined;
  const target = targetOf(monitor);
  const isRepeated = isDown && field(heartbeat, "important") === false;
  return {
    title: `${path ?? "Monitor"}${isRepeated ? STILL_DOWN : state.says}`,
    lines: [
      lasting("Was down for", wasDown),
      state === NO_STATE ? (proseAt(payload, "msg") ?? "Status unknown") : reasonOf(heartbeat, isDown),
      isDown ? responseOf(heartbeat) : undefined,
      target,
      isDown ? proseAt(monitor, "description") : undefined,
    ],
    level: state.level,
    priority: state.priority,
    status: state.status,
    tags: ["uptimekuma", ...list(field(monitor, "tags")).slice(0, MAX_TAGS).map(tagOf)],
    url: link(scalar(field(monitor, "url"))),
    key: keyOf(heartbeat, monitor, path),
    at,
    data: {
      source: "uptimekuma",
      kind: "heartbeat",
      monitor: present({
        id: valueAt(monitor, "id"),
        name: valueAt(monitor, "name"),
        path: brief(path),
        type: valueAt(monitor, "type"),
        target: brief(target),
      }),
      heartbeat: present({
        status: valueAt(heartbeat, "status"),
        ping: valueAt(heartbeat, "ping"),
        retries: valueAt(heartbeat, "retries"),
        important: field(heartbeat, "important") === true ? true : undefined,
      }),
      down_seconds: wasDown === undefined ? undefined : Math.round(wasDown / 1000),
    },
  };
}

/** The name in `[name] [🔴 Down] …`. */
const nameIn = (msg = ""): string | undefined => /^\[(.+?)\] \[/.exec(msg)?.[1];

/** The name keeps two servers with equal ids apart. */
function keyOf(heartbeat: Fields, monitor: Fields, path: string | undefined): string | undefined {
  const id = lineAt(monitor, "id") ?? lineAt(heartbeat, "monitorID");
  const name = scalar(field(monitor, "name")) ?? path;
  return id === undefined && name === undefined ? undefined : `uptimekuma:${id ?? ""}:${sha(8, name ?? "")}`;
}

function reasonOf(heartbeat: Fields, isDown: boolean): string | undefined {
  const reason = proseAt(heartbeat, "msg");
  return reason !== undefined && reason !== "N/A" ? reason : isDown ? "No reason given" : undefined;
}

function responseOf(heartbeat: Fields): string | undefined {
  const response = lineAt(heartbeat, "response");
  return response === undefined || HTML.test(response) ? undefined : `Response: ${cut(response, MAX_RESPONSE)}`;
}

function targetOf(monitor: Fields): string | undefined {
  const url = parseUrl(scalar(field(monitor, "url")));
  if (url !== undefined) return `${url.origin}${url.pathname}`.replace(/\/$/, "");
  const [host, port] = [lineAt(monitor, "hostname"), lineAt(monitor, "port")];
  return host === undefined || port === undefined ? host : `${host}:${port}`;
}

function tagOf(tag: unknown): string | undefined {
  const [name, value] = [lineAt(object(tag), "name"), lineAt(object(tag), "value")];
  return name === undefined || value === undefined ? name : `${name}:${value}`;
}

/** A post without a monitor: only its text says what it is. */
function tellNotice(payload: Fields): Told | undefined {
  const msg = unmaskedLine(scalar(field(payload, "msg")) ?? "");
  if (msg === "") return undefined;
  return (
    testNotice(msg) ??
    certificateNotice(msg) ??
    domainNotice(msg) ?? {
      title: "Uptime Kuma",
      lines: [proseAt(payload, "msg")],
      level: "warning",
      priority: "normal",
      tags: ["uptimekuma"],
      data: { source: "uptimekuma", kind: "notice" },
    }
  );
}

const TEST = " Testing";

function testNotice(msg: string): Told | undefined {
  if (!msg.endsWith(TEST)) return undefined;
  return {
    title: "Uptime Kuma test",
    lines: [`${line(msg.slice(0, -TEST.length))}: this notification works.`],
    level: "info",
    priority: "normal",
    tags: ["uptimekuma", "test"],
    data: { source: "uptimekuma", kind: "test" },
  };
}

const EXPIRES = / will expire in (-?\d{1,6}) days?$/;

/** `[{name}][{url}] {kind} certificate {cn} will expire in {n} days`; the kind is `server`, `root CA` and so on. */
function certificateNotice(msg: string): Told | undefined {
  const expires = EXPIRES.exec(msg);
  const kind = /\] ([^\]]{1,40}?) certificate /.exec(msg);
  const between = kind === null ? -1 : msg.lastIndexOf("][", kind.index);
  if (expires === null || kind === null || between < 0 || !msg.startsWith("[")) return undefined;
  const days = Number(expires[1]);
  const name = line(msg.slice(1, between));
  const address = msg.slice(between + 2, kind.index);
  const url = parseUrl(address)?.href ?? line(address);
  const subject = line(msg.slice(kind.index + kind[0].length, expires.index));
  return {
    title: `${name}: certificate ${days < 0 ? `expired ${count(-days)} ago` : expiry(days)}`,
    lines: [`${subject} (${line(kind[1] ?? "")} certificate)`, url],
    ...urgency(days <= 3),
    tags: ["uptimekuma", "certificate"],
    url: link(address),
    key: `uptimekuma:cert:${sha(16, [name, url, subject].join("\n"))}`,
    data: {
      source: "uptimekuma",
      kind: "certificate",
      monitor: brief(name),
      subject: brief(subject),
      days_remaining: days,
    },
  };
}

const DOMAIN = "Domain name ";

/** `Domain name {d} will expire in {n} days`. */
function domainNotice(msg: string): Told | undefined {
  const expires = EXPIRES.exec(msg);
  if (expires === null || !msg.startsWith(DOMAIN)) return undefined;
  const days = Number(expires[1]);
  const domain = line(msg.slice(DOMAIN.length, expires.index));
  return {
    title: `${domain}: domain ${days < 0 ? "has expired" : expiry(days)}`,
    lines: [`Renew the domain registration of ${domain}.`],
    ...urgency(days <= 7),
    tags: ["uptimekuma", "domain"],
    key: `uptimekuma:domain:${domain}`,
    data: { source: "uptimekuma", kind: "domain", domain: brief(domain), days_remaining: days },
  };
}

const count = (days: number) => `${days} ${days === 1 ? "day" : "days"}`;
const expiry = (days: number) => (days === 0 ? "expires today" : `expires in ${count(days)}`);
const urgency = (isUrgent: boolean): { level: Level; priority: Priority } =>
  isUrgent ? { level: "error", priority: "high" } : { level: "warning", priority: "normal" };
