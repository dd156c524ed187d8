/** Proxmox VE and Backup Server: the webhook target with the body of REWRITES.md §8. */
import { field, has, lineAt, objectAt, proseAt, scalarAt, type Fields } from "../../fields.ts";
import { isObject } from "../../../util/json.ts";
import * as looks from "../../looks.ts";
import { firing, resolved, testNotice, type Look } from "../../looks.ts";
import type { Source } from "../../tool.ts";
import { present } from "../../told.ts";
import { cut } from "../../text.ts";
import { instant } from "../../times.ts";
import { link } from "../../urls.ts";
import { POST, type Setting } from "../../tool-setup.ts";

const SEVERITIES = new Set(["info", "notice", "warning", "error", "unknown"]);

export const proxmox: Source<"proxmox"> = {
  name: "proxmox",
  title: "Proxmox",
  setup: {
    title: "Proxmox VE, Backup Server",
    place: "Datacenter (Backup Server: Configuration), Notifications, Add, Webhook",
    withKey: (url, key) => [
      ...target(url, [{ label: "Header Authorization", value: "Bearer {{ secrets.key }}" }]),
      { label: "Secret key", value: key },
    ],
    withHook: (url) => target(url),
    notes: [
      "Then choose the target in a notification matcher. With an API key instead of a hook, add the header `Authorization: Bearer {{ secrets.key }}`",
      "and the secret `key`. `severity` sets the level and `fields` the card: a successful backup closes the card of a failed one.",
    ],
  },
  fits: (payload) =>
    SEVERITIES.has(scalarAt(payload, "severity") ?? "") &&
    isObject(field(payload, "fields")) &&
    has(payload, "title", "message"),
  tell(payload, { now }) {
    const fields = objectAt(payload, "fields");
    const [type, host] = [lineAt(fields, "type"), lineAt(fields, "hostname")];
    const message = proseAt(payload, "message") ?? "";
    if (type === undefined && lineAt(payload, "title") === "Test notification")
      return testNotice("proxmox", "Proxmox", /target '([^'\n]{1,100})'/.exec(message)?.[1]);
    const title = lineAt(payload, "title") ?? "Notification";
    const said = BACKUP.exec(title)?.[1] ?? title;
    const severity = lineAt(payload, "severity") ?? "";
    return {
      ...lookOf(severity, type),
      title: host === undefined || said.includes(host) ? said : `${host}: ${said}`,
      lines: linesOf(message),
      url: link(PAGE.exec(message)?.[1]),
      tags: ["proxmox", type, host, lineAt(fields, "datastore")],
      key: JOBS.has(type ?? "") ? keyOf(fields) : undefined,
      at: atOf(payload, now),
      data: present({ type, severity, host, job: lineAt(fields, "job-id"), datastore: lineAt(fields, "datastore") }),
    };
  },
};

/** `vzdump backup status (pve1.example): backup failed: job errors` */
const BACKUP = /^vzdump backup status \([^)]{1,255}\): (.+)$/;
/** These also report success. */
const JOBS = new Set(["vzdump", "gc", "prune", "sync", "verify", "verification", "tape-backup"]);

const LOOKS = new Map<string, Look>([
  ["error", looks.TROUBLE],
  ["warning", looks.WARNING],
  ["notice", looks.NOTICE],
  ["info", looks.QUIET],
]);

/** `unknown` is mail to root, for example smartd's. */
function lookOf(severity: string, type: string | undefined): Look {
  const look = LOOKS.get(severity) ?? looks.WARNING;
  if (!JOBS.has(type ?? "")) return look;
  return severity === "error" || severity === "warning" ? firing(look) : resolved(looks.DONE);
}

const keyOf = (fields: Fields): string =>
  ["proxmox", ...["hostname", "type", "job-id", "datastore", "media-pool"].map((name) => lineAt(fields, name) ?? "")]
    .join(":")
    .replace(/:+$/, "");

const MAX_DIGITS = 20;

/** In seconds; a template may put it in quotes. */
function atOf(payload: Fields, now: number): number | undefined {
  const seconds = Number(scalarAt(payload, "timestamp")?.slice(0, MAX_DIGITS) ?? NaN);
  return Number.isFinite(seconds) ? instant(Math.round(seconds * 1000), now) : undefined;
}

/** Backup Server ends its message with a link to what it reports. */
const PAGE = /\n *<(https:\/\/[^>\s]{1,500})> *$/;
const HINT = "Please visit the web interface for further details:";

const LOGS = /(?:^|\n)Logs\n=+\n/;
const MAX_TEXT = 1_500;
const MAX_ERRORS = 3;
const MAX_ERROR = 240;

/** A backup sends its whole log: only the text before it, and the errors in it, are shown. */
function linesOf(message: string): (string | undefined)[] {
  const log = LOGS.exec(message);
  const text = (log === null ? message : message.slice(0, log.index))
    .replace(PAGE, "")
    .split("\n")
    .filter((each) => each !== HINT && !/^(?:Details|=+|-{3,})$/.test(each))
    .join("\n")
    .trim();
  const errors =
    log === null
      ? []
      : message
          .slice(log.index)
          .split("\n")
          .filter((each) => each.includes("ERROR"));
  return [
    cut(text, MAX_TEXT),
    ...errors.slice(0, MAX_ERRORS).map((each) => cut(each.trim(), MAX_ERROR)),
    errors.length > MAX_ERRORS ? `… and ${errors.length - MAX_ERRORS} more errors` : undefined,
  ];
}

/** Level, card and the end of a card come from `severity` and `fields`. `headers`: beside the content type. */
const target = (url: string, headers: readonly Setting[] = []): Setting[] => [
  { ...POST, label: "Method" },
  { label: "URL", value: url },
  ...headers,
  { label: "Header Content-Type", value: "application/json" },
  {
    label: "Body",
    value: [
      '{"title": "{{ escape title }}", "message": "{{ escape message }}", "severity": "{{ severity }}",',
      ' "timestamp": {{ timestamp }}, "fields": {{ json fields }}}',
    ].join("\n"),
  },
];
