/** Uptime Kuma's webhook, 1.23 and 2 (REWRITES.md §4). */
import { MAX_TAGS } from "../../../drafts/limits.ts";
import type { Millis } from "../../../util/clock.ts";
import { field, hasOne, lineAt, listAt, object, proseAt, scalarAt, valueAt, type Fields } from "../../fields.ts";
import { isObject } from "../../../util/json.ts";
import * as looks from "../../looks.ts";
import { counted, testNotice, type Look, type State } from "../../looks.ts";
import type { Source } from "../../tool.ts";
import { cut, line, unmaskedLine } from "../../text.ts";
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
  fits: (payload) => Object.hasOwn(payload, "msg") && hasOne(payload, "heartbeat", "monitor"),
  tell(payload, { now }) {
    const [heartbeat, monitor] = [field(payload, "heartbeat"), field(payload, "monitor")];
    if (isObject(heartbeat) || isObject(monitor)) return tellBeat(payload, object(heartbeat), object(monitor), now);
    return tellNotice(payload);
  },
};

const STATES = new Map<string, State>([
  ["0", { ...looks.BROKEN, says: " is down" }],
  ["1", { ...looks.WELL, says: " is up again" }],
  ["2", { ...looks.WARNING, says: " does not answer (retrying)" }],
  ["3", { ...looks.QUIET, says: " is under maintenance" }],
]);
const STILL_DOWN = " is still down";
const NO_STATE: State = { ...looks.WARNING, says: "" };

const MAX_RESPONSE = 200;
const HTML = /<(?:!doctype|html|head|body|title|h\d|p|div|center|br)\b/i;

function tellBeat(payload: Fields, heartbeat: Fields, monitor: Fields, now: Millis): Told {
  const status = scalarAt(heartbeat, "status") ?? "";
  const state = STATES.get(status) ?? NO_STATE;
  const { says, ...look } = state;
  const isDown = status === "0";
  const path = lineAt(monitor, "pathName", "name") ?? nameIn(lineAt(payload, "msg"));
  const at = instant(field(heartbeat, "time"), now);
  const wasDown = status === "1" ? span(instant(field(heartbeat, "lastDownTime"), now), at) : undefined;
  const target = targetOf(monitor);
  const isRepeated = isDown && field(heartbeat, "important") === false;
  return {
    ...look,
    title: `${path ?? "Monitor"}${isRepeated ? STILL_DOWN : says}`,
    lines: [
      lasting("Was down for", wasDown),
      state === NO_STATE ? (proseAt(payload, "msg") ?? "Status unknown") : reasonOf(heartbeat, isDown),
      isDown ? responseOf(heartbeat) : undefined,
      target,
      isDown ? proseAt(monitor, "description") : undefined,
    ],
    tags: ["uptimekuma", ...listAt(monitor, "tags").slice(0, MAX_TAGS).map(tagOf)],
    url: link(scalarAt(monitor, "url")),
    key: keyOf(heartbeat, monitor, path),
    at,
    data: present({
      kind: "heartbeat",
      monitor: present({
        id: valueAt(monitor, "id"),
        name: valueAt(monitor, "name"),
        path,
        type: valueAt(monitor, "type"),
        target,
      }),
      heartbeat: present({
        status: valueAt(heartbeat, "status"),
        ping: valueAt(heartbeat, "ping"),
        retries: valueAt(heartbeat, "retries"),
        important: field(heartbeat, "important") === true ? true : undefined,
      }),
      down_seconds: wasDown === undefined ? undefined : Math.round(wasDown / 1000),
    }),
  };
}

/** The name in `[name] [🔴 Down] …`. */
const nameIn = (msg = ""): string | undefined => /^\[(.+?)\] \[/.exec(msg)?.[1];

/** The name keeps two servers with equal ids apart. */
function keyOf(heartbeat: Fields, monitor: Fields, path: string | undefined): string | undefined {
  const id = lineAt(monitor, "id") ?? lineAt(heartbeat, "monitorID");
  const name = scalarAt(monitor, "name") ?? path;
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
  const url = parseUrl(scalarAt(monitor, "url"));
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
  const msg = unmaskedLine(scalarAt(payload, "msg") ?? "");
  if (msg === "") return undefined;
  return (
    testedBy(msg) ??
    certificateNotice(msg) ??
    domainNotice(msg) ?? {
      ...looks.WARNING,
      title: "Uptime Kuma",
      lines: [proseAt(payload, "msg")],
      tags: ["uptimekuma"],
      data: { kind: "notice" },
    }
  );
}

const TEST = " Testing";

const testedBy = (msg: string): Told | undefined =>
  msg.endsWith(TEST) ? testNotice("uptimekuma", "Uptime Kuma", line(msg.slice(0, -TEST.length))) : undefined;

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
    title: `${name}: certificate ${days < 0 ? `expired ${counted(-days, "day")} ago` : expiry(days)}`,
    lines: [`${subject} (${line(kind[1] ?? "")} certificate)`, url],
    ...urgency(days <= 3),
    tags: ["uptimekuma", "certificate"],
    url: link(address),
    key: `uptimekuma:cert:${sha(16, [name, url, subject].join("\n"))}`,
    data: present({ kind: "certificate", monitor: name, subject, days_remaining: days }),
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
    data: present({ kind: "domain", domain, days_remaining: days }),
  };
}

const expiry = (days: number) => (days === 0 ? "expires today" : `expires in ${counted(days, "day")}`);
const urgency = (isUrgent: boolean): Look => (isUrgent ? looks.TROUBLE : looks.WARNING);
