/** Netdata Cloud's webhook: alerts, and nodes that are lost (REWRITES.md §8). Agents post to chats. */
import { field, has, hasOne, lineAt, objectAt, proseAt, scalarAt, type Fields } from "../../fields.ts";
import { isObject } from "../../../util/json.ts";
import * as looks from "../../looks.ts";
import { joined, type State } from "../../looks.ts";
import type { Source } from "../../tool.ts";
import { cut } from "../../text.ts";
import { instant } from "../../times.ts";
import { present, sha, type Told } from "../../told.ts";
import { link, parseUrl } from "../../urls.ts";

export const netdata: Source<"netdata"> = {
  name: "netdata",
  title: "Netdata",
  fits: (payload) => isAlert(payload) || isReachability(payload),
  tell: (payload, { now }) => (isReachability(payload) ? tellNode(payload) : tellAlert(payload, now)),
};

/** `alert` was called `alarm` before. */
const isAlert = (payload: Fields): boolean =>
  has(payload, "severity", "chart", "context", "family") && hasOne(payload, "alert", "alarm");

const isReachability = (payload: Fields): boolean =>
  Object.hasOwn(payload, "host") && typeof field(objectAt(payload, "status"), "reachable") === "boolean";

const STATES = new Map<string, State>([
  ["critical", { ...looks.BROKEN, says: "is critical" }],
  ["warning", { ...looks.DOUBTFUL, says: "is in warning" }],
  ["clear", { ...looks.WELL, says: "is fine again" }],
]);
const MAX_HEADLINE = 100;

function tellAlert(payload: Fields, now: number): Told {
  const severity = lineAt(payload, "severity")?.toLowerCase() ?? "";
  const { says, ...look } = STATES.get(severity) ?? { ...looks.WARNING, says: "" };
  const name = lineAt(payload, "alert", "alarm") ?? "Alert";
  const message = lineAt(payload, "message");
  const title = `${name} ${says}`.trim();
  const lasted = lineAt(payload, "duration");
  return {
    ...look,
    title: cut(title, MAX_HEADLINE),
    lines: [
      look.status === "resolved" && lasted !== undefined ? `Lasted ${lasted}` : undefined,
      message === title ? undefined : message,
      proseAt(payload, "info"),
      joined([lineAt(payload, "chart"), lineAt(payload, "space"), roomsOf(payload)]),
      othersOf(payload),
    ],
    tags: ["netdata", severity, lineAt(payload, "class")],
    url: link(addressOf(payload)),
    key: keyOf(payload, name),
    at: instant(field(payload, "date"), now),
    data: present({ alert: name, chart: lineAt(payload, "chart"), context: lineAt(payload, "context"), severity }),
  };
}

const addressOf = (payload: Fields) => scalarAt(payload, "alert_url") ?? scalarAt(payload, "alarm_url");

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
    (level) => Number(scalarAt(payload, `additional_active_${level}_alerts`)) || 0,
  );
  const counts = joined([critical ? `${critical} critical` : "", warning ? `${warning} warning` : ""], ", ");
  return counts && `Also active on this node: ${counts}`;
}

function tellNode(payload: Fields): Told {
  const host = lineAt(payload, "host") ?? "Node";
  const isReachable = field(objectAt(payload, "status"), "reachable") === true;
  return {
    title: `${host} is ${isReachable ? "reachable again" : "unreachable"}`,
    lines: [proseAt(payload, "message")],
    ...(isReachable ? looks.WELL : looks.BROKEN),
    tags: ["netdata"],
    url: link(scalarAt(payload, "url")),
    key: `netdata:host:${host}`,
    data: present({ host }),
  };
}
