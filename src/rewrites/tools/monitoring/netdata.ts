/** Netdata Cloud's webhook: alerts, and nodes that are lost (REWRITES.md §8). Agents post to chats. */
import { field, lineAt, object, proseAt, scalar, type Fields } from "../../fields.ts";
import { isObject } from "../../../util/json.ts";
import type { Source } from "../../tool.ts";
import { brief, cut } from "../../text.ts";
import { instant } from "../../times.ts";
import { sha, type Told } from "../../told.ts";
import { link, parseUrl } from "../../urls.ts";

export const netdata: Source<"netdata"> = {
  name: "netdata",
  title: "Netdata",
  fits: (payload) => isAlert(payload) || isReachability(payload),
  tell: (payload, { now }) => (isReachability(payload) ? tellNode(payload) : tellAlert(payload, now)),
};

/** `alert` was called `alarm` before. */
const isAlert = (payload: Fields): boolean =>
  ["severity", "chart", "context", "family"].every((name) => Object.hasOwn(payload, name)) &&
  (Object.hasOwn(payload, "alert") || Object.hasOwn(payload, "alarm"));

const isReachability = (payload: Fields): boolean =>
  Object.hasOwn(payload, "host") && typeof field(object(field(payload, "status")), "reachable") === "boolean";

const LOOKS = new Map([
  ["critical", { says: "is critical", level: "error", priority: "high", status: "firing" } as const],
  ["warning", { says: "is in warning", level: "warning", priority: "normal", status: "firing" } as const],
  ["clear", { says: "is fine again", level: "success", priority: "normal", status: "resolved" } as const],
]);
const NO_LOOK = { says: "", level: "warning", priority: "normal", status: undefined } as const;
const MAX_HEADLINE = 100;

function tellAlert(payload: Fields, now: number): Told {
  const severity = lineAt(payload, "severity")?.toLowerCase() ?? "";
  const look = LOOKS.get(severity) ?? NO_LOOK;
  const name = lineAt(payload, "alert", "alarm") ?? "Alert";
  const message = lineAt(payload, "message");
  const title = `${name} ${look.says}`.trim();
  const lasted = lineAt(payload, "duration");
  return {
    title: cut(title, MAX_HEADLINE),
    lines: [
      look.status === "resolved" && lasted !== undefined ? `Lasted ${lasted}` : undefined,
      message === title ? undefined : message,
      proseAt(payload, "info"),
      [lineAt(payload, "chart"), lineAt(payload, "space"), roomsOf(payload)].filter(Boolean).join(" · "),
      othersOf(payload),
    ],
    level: look.level,
    priority: look.priority,
    status: look.status,
    tags: ["netdata", severity, lineAt(payload, "class")],
    url: link(addressOf(payload)),
    key: keyOf(payload, name),
    at: instant(field(payload, "date"), now),
    data: {
      source: "netdata",
      alert: brief(name),
      chart: brief(lineAt(payload, "chart")),
      context: brief(lineAt(payload, "context")),
      severity: brief(severity),
    },
  };
}

const addressOf = (payload: Fields) => scalar(field(payload, "alert_url")) ?? scalar(field(payload, "alarm_url"));

/** The body does not name the node: only the alert's page tells those of two nodes apart. Without it, none may close another. */
function keyOf(payload: Fields, name: string): string | undefined {
  const page = parseUrl(addressOf(payload));
  if (page === undefined) return undefined;
  const parts = [page.origin, page.pathname, lineAt(payload, "space"), lineAt(payload, "chart"), name];
  return `netdata:${sha(16, parts.join("\n"))}`;
}

/** The names are the keys, or each room is an object with a name. */
function roomsOf(payload: Fields): string | undefined {
  const rooms = field(payload, "Rooms") ?? field(payload, "rooms");
  return isObject(rooms) ? lineAt({ first: Object.keys(rooms)[0] }, "first") : undefined;
}

function othersOf(payload: Fields): string | undefined {
  const [critical, warning] = ["critical", "warning"].map(
    (level) => Number(field(payload, `additional_active_${level}_alerts`)) || 0,
  );
  const counts = [critical ? `${critical} critical` : "", warning ? `${warning} warning` : ""].filter(Boolean);
  return counts.length === 0 ? undefined : `Also active on this node: ${counts.join(", ")}`;
}

function tellNode(payload: Fields): Told {
  const host = lineAt(payload, "host") ?? "Node";
  const isReachable = field(object(field(payload, "status")), "reachable") === true;
  return {
    title: `${host} is ${isReachable ? "reachable again" : "unreachable"}`,
    lines: [proseAt(payload, "message")],
    ...(isReachable
      ? { level: "success", priority: "normal", status: "resolved" }
      : { level: "error", priority: "high", status: "firing" }),
    tags: ["netdata"],
    url: link(scalar(field(payload, "url"))),
    key: `netdata:host:${host}`,
    data: { source: "netdata", host: brief(host) },
  };
}
