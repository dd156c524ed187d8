/** TrueNAS: its alert services Slack and Mattermost, which post to any address (REWRITES.md §8). */
import { proseAt, scalarAt, type Fields } from "../../fields.ts";
import * as looks from "../../looks.ts";
import { counted, firing, items, resolved, testNotice, type Look } from "../../looks.ts";
import type { Source } from "../../tool.ts";
import { cut } from "../../text.ts";
import { present, type Told } from "../../told.ts";
import { withPassword, type Setting } from "../../tool-setup.ts";

const HEAD = /^TrueNAS @ ([^\s<]{1,255})\s/;

export const truenas: Source<"truenas"> = {
  name: "truenas",
  title: "TrueNAS",
  setup: {
    place: "System, Alert Settings, Alert Services, Add, Type: Slack",
    withKey: (url, key) => slackService(withPassword(url, key)),
    withHook: (url) => slackService(url),
    notes: [
      "Paste the URL as it is, without `/slack` at the end: this way peal reads the list of alerts, and each NAS has one card that stays open until",
      'all its alerts are cleared. After **Send Test Alert** the topic shows "TrueNAS test".',
    ],
  },
  fits: (payload) => HEAD.test(scalarAt(payload, "text") ?? ""),
  tell(payload): Told {
    const { host, added, cleared, current, rest } = readText(payload);
    if (rest === "This is a test alert") return testNotice("truenas", "TrueNAS", host);
    const open = current.length > 0 || added.length > 0;
    return {
      ...lookOf(added.length > 0 ? added : current, open, added.length > 0),
      title: titleOf(host, added, cleared, current.length),
      lines: [
        ...listed(undefined, added),
        ...listed("Cleared:", cleared),
        ...(added.length === 0 ? listed("Still there:", current) : []),
        open || cleared.length > 0 ? undefined : rest,
      ],
      tags: ["truenas", host],
      key: `truenas:${host}`,
      data: present({ host, new: added.length, cleared: cleared.length, current: current.length }),
    };
  },
};

/** A single alert needs no list. */
const listed = (heading: string | undefined, alerts: string[]): (string | undefined)[] =>
  alerts.length === 1 && heading === undefined
    ? alerts
    : [alerts.length === 0 ? undefined : heading, ...items(alerts, MAX_ITEMS, String)];

const MAX_ITEMS = 5;
const MAX_TITLE = 90;
const MAX_ITEM = 500;
const MAX_ALERTS = 100;

interface Text {
  host: string;
  added: string[];
  cleared: string[];
  current: string[];
  /** What comes after the host. */
  rest: string;
}

// prettier-ignore
const HEADINGS: [RegExp, "added" | "cleared" | "current"][] = [
  [/^New alerts?:$/,                                                  "added"],
  [/^(?:The following alert has|These alerts have) been cleared:$/,   "cleared"],
  [/^Current alerts:$/,                                               "current"],
];

/** Lists as `html2text` writes them: an alert begins with `  * `, and includes everything up to the next. */
function readText(payload: Fields): Text {
  const all = plain(proseAt(payload, "text") ?? "");
  const host = HEAD.exec(`${all} `)?.[1] ?? "TrueNAS";
  const rest = all.slice(all.indexOf("\n") + 1).trim();
  const text: Text = { host, added: [], cleared: [], current: [], rest };
  let into: string[] = [];
  for (const each of rest.split("\n")) {
    const heading = HEADINGS.find(([pattern]) => pattern.test(each.trim()));
    if (heading !== undefined) into = text[heading[1]];
    else if (/^ {0,2}\* /.test(each) && into.length < MAX_ALERTS) into.push(each.replace(/^ *\* /, "").trim());
    else if (into.length > 0 && each.trim() !== "") into.push(extended(into.pop() ?? "", each.trim()));
  }
  return text;
}

const extended = (alert: string, more: string): string =>
  alert.endsWith("…") ? alert : cut(`${alert} ${more.replace(/^\* /, "– ")}`, MAX_ITEM);

const ENTITIES = new Map(
  Object.entries({ "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#x27;": "'" } as const),
);

/** The text without escapes of HTML and Markdown. */
const plain = (text: string): string =>
  text
    .replace(/&(?:amp|lt|gt|quot|#x27);/g, (entity) => ENTITIES.get(entity) ?? entity)
    .replace(/\\([\\`*_{}[\]()#+.!-])/g, "$1");

/** The text up to the first colon or full stop that is not near its beginning. */
const HEADLINE = /^.{12,}?(?=: |\. )/;

function titleOf(host: string, added: string[], cleared: string[], left: number): string {
  const [first] = added;
  if (first !== undefined)
    return added.length === 1
      ? `${host}: ${cut(HEADLINE.exec(first)?.[0] ?? first, MAX_TITLE)}`
      : `${host}: ${counted(added.length, "new alert")}`;
  if (cleared.length === 0) return `${host}: ${counted(left, "alert")}`;
  if (left === 0) return `${host}: all alerts are cleared`;
  return `${host}: ${counted(cleared.length, "alert")} cleared, ${left} left`;
}

const BAD =
  /\b(?:degraded|faulted|offline|unavail|unhealthy|failed|failing|failure|critical|corrupt\w{0,10}|lost|on battery)\b/i;

/** TrueNAS does not say how bad an alert is. */
function lookOf(alerts: string[], isOpen: boolean, isNew: boolean): Look {
  if (!isOpen) return resolved(looks.GOOD);
  const look = alerts.some((alert) => BAD.test(alert)) ? looks.TROUBLE : looks.WARNING;
  return firing(isNew ? look : { ...look, priority: "normal" });
}

/** TrueNAS' service for Slack posts to any address: new alerts, those that are left and those that were cleared. */
const slackService = (url: string): Setting[] => [{ label: "Webhook URL", value: url }];
