/** Komodo's alerts, 2.x and 1.16 (docs/design/REWRITES.md §5). */
import type { Level, Priority, Status } from "../messages/message.ts";
import { entriesOf, field, isObject, lineAt, list, object, proseAt, scalar, type Fields } from "./fields.ts";
import type { About, Source } from "./source.ts";
import { brief, cut, line, prose } from "./text.ts";
import { instant, lasting, span } from "./times.ts";
import { present, type Told } from "./told.ts";
import { link } from "./urls.ts";

export const komodo: Source<"komodo"> = {
  name: "komodo",
  title: "Komodo",
  fits: (payload) =>
    typeof field(object(field(payload, "data")), "type") === "string" && isObject(field(payload, "target")),
  tell(payload, about) {
    const alert = read(payload, about);
    if (alert.type === "None") return undefined;
    const said = (TYPES.get(alert.type) ?? anyOther)(alert);
    return {
      title: said.title,
      lines: said.lines,
      level: said.level,
      priority: said.priority,
      status: said.status,
      tags: ["komodo", alert.target.type?.toLowerCase(), alert.server],
      url: linkOf(alert, about),
      key: keyOf(alert, said),
      at: alert.isResolved ? (alert.resolvedAt ?? alert.at) : alert.at,
      data: {
        source: "komodo",
        type: brief(alert.type),
        komodo_level: brief(lineAt(payload, "level")),
        target: present({ type: brief(alert.target.type), id: brief(alert.target.id) }),
        name: brief(lineAt(alert.fields, "name")),
        server: brief(lineAt(alert.fields, "server_name")),
        from: brief(lineAt(alert.fields, "from")),
        to: brief(lineAt(alert.fields, "to")),
      },
    };
  },
};

interface Alert {
  type: string;
  fields: Fields;
  target: { type: string | undefined; id: string | undefined };
  name: string;
  /** The name, and the region of a server. */
  site: string;
  server: string | undefined;
  /** `on {server}` or `swarm {name}`. */
  place: string | undefined;
  /** Read only where it means that: alerts of events are `resolved` from the start, outages among them. */
  isResolved: boolean;
  at: number | undefined;
  resolvedAt: number | undefined;
  look: Look;
}

interface Look {
  level: Level;
  priority: Priority;
  status?: Status;
}

interface Said extends Look {
  title: string | undefined;
  lines: (string | undefined)[];
  /** The end of the key, if that is not the type. */
  suffix?: string;
}

const LEVELS = new Map<string, Look>([
  ["CRITICAL", { level: "error", priority: "high" }],
  ["WARNING", { level: "warning", priority: "normal" }],
  ["OK", { level: "info", priority: "normal" }],
]);
const WARNING: Look = { level: "warning", priority: "normal" };
const FAILED: Look = { level: "error", priority: "high" };
const GOOD: Look = { level: "success", priority: "normal" };
const QUIET: Look = { level: "info", priority: "low" };
const NOTICE: Look = { level: "info", priority: "normal" };

function read(payload: Fields, { now }: About): Alert {
  const data = object(field(payload, "data"));
  const target = object(field(payload, "target"));
  const fields = object(field(data, "data"));
  const type = lineAt(data, "type") ?? "Alert";
  const [name, region] = [lineAt(fields, "name") ?? "", lineAt(fields, "region")];
  const [on, swarm] = [lineAt(fields, "server_name"), lineAt(fields, "swarm_name")];
  return {
    type,
    fields,
    target: { type: lineAt(target, "type"), id: lineAt(target, "id") },
    name,
    site: region === undefined ? name : `${name} (${region})`,
    server: on ?? (type.startsWith("Server") ? name : undefined),
    place: on !== undefined ? `on ${on}` : swarm !== undefined ? `swarm ${swarm}` : undefined,
    isResolved: isCondition(type) && field(payload, "resolved") === true,
    at: instant(field(payload, "ts"), now),
    resolvedAt: instant(field(payload, "resolved_ts"), now),
    look: LEVELS.get(lineAt(payload, "level")?.toUpperCase() ?? "") ?? WARNING,
  };
}

/** These last until Komodo says `resolved`; all others are events. */
const isCondition = (type: string): boolean => /^(?:Server|Swarm)/.test(type);

const KEYLESS = new Set(["Test", "Custom"]);

const keyOf = ({ type, target }: Alert, { suffix }: Said): string | undefined =>
  target.id === undefined || KEYLESS.has(type)
    ? undefined
    : `komodo:${target.type ?? ""}:${target.id}:${suffix ?? type}`;

/** Komodo sends no address of its own; its pages are `/resource-syncs/{id}` and such. */
function linkOf({ target }: Alert, about: About): string | undefined {
  if (about.link === undefined) return undefined;
  const base = about.link.replace(/\/$/, "");
  if (target.id === undefined || target.type === undefined || target.type === "System") return link(base);
  const page = target.type.replace(/([a-z])(?=[A-Z])/g, "$1-").toLowerCase();
  return link(`${base}/${encodeURIComponent(page)}s/${encodeURIComponent(target.id)}`);
}

const TYPES = new Map<string, (alert: Alert) => Said>([
  ["ServerUnreachable", (a) => condition(a, `${a.site} is unreachable`, `${a.site} is reachable again`, [errorOf(a)])],
  [
    "SwarmUnhealthy",
    (a) => condition(a, `Swarm ${a.name} is unhealthy`, `Swarm ${a.name} is healthy again`, [errorOf(a)]),
  ],
  ["ServerCpu", cpu],
  ["ServerMem", (a) => usage(a, "memory")],
  ["ServerDisk", disk],
  ["ServerVersionMismatch", versions],
  ["ContainerStateChange", (a) => stateChange(a, a.name)],
  ["StackStateChange", (a) => stateChange(a, `Stack ${a.name}`)],
  ["DeploymentImageUpdateAvailable", updateAvailable],
  ["StackImageUpdateAvailable", updateAvailable],
  ["DeploymentAutoUpdated", (a) => updated(a, a.name, [joined(lineAt(a.fields, "image"), a.place)])],
  ["StackAutoUpdated", (a) => updated(a, `Stack ${a.name}`, [...imagesOf(a), a.place])],
  ["BuildFailed", (a) => ({ ...FAILED, title: `Build ${a.name} failed`, lines: [versionOf(a)] })],
  ["RepoBuildFailed", (a) => failed(`Repo build ${a.name}`)],
  ["ProcedureFailed", (a) => failed(`Procedure ${a.name}`)],
  ["ActionFailed", (a) => failed(`Action ${a.name}`)],
  ["AwsBuilderTerminationFailed", builderLeft],
  [
    "ResourceSyncPendingUpdates",
    (a) => ({ ...NOTICE, title: `Sync ${a.name} has pending updates`, lines: ["Review and apply them in Komodo."] }),
  ],
  [
    "ScheduleRun",
    (a) => ({ ...QUIET, title: `${a.name} started on schedule`, lines: [lineAt(a.fields, "resource_type")] }),
  ],
  ["Test", (a) => ({ ...NOTICE, title: "Komodo test", lines: [`Alerter ${a.name} works.`] })],
  ["Custom", custom],
]);

/** Something that is wrong until it is resolved. `still`: what is true also then. */
function condition(alert: Alert, open: string, closed: string, lines: Said["lines"], still: Said["lines"] = []): Said {
  if (!alert.isResolved) return { ...alert.look, status: "firing", title: open, lines: [...lines, ...still] };
  const lasted = lasting("Lasted", span(alert.at, alert.resolvedAt));
  return { ...GOOD, status: "resolved", title: closed, lines: [lasted, ...still] };
}

function errorOf({ fields }: Alert): string | undefined {
  const error = object(field(fields, "err"));
  const trace = list(field(error, "trace"))
    .slice(0, 2)
    .map((each) => line(scalar(each) ?? ""));
  return [proseAt(error, "error"), ...trace].filter((each) => each !== undefined && each !== "").join(": ");
}

function cpu(alert: Alert): Said {
  const used = `${tenths(numberAt(alert, "percentage"))} %`;
  const { site } = alert;
  return condition(alert, `${site}: CPU at ${used}`, `${site}: CPU is fine again`, [], [`CPU usage ${used}`]);
}

function disk(alert: Alert): Said {
  const path = lineAt(alert.fields, "path") ?? "/";
  return { ...usage(alert, `disk ${path}`), suffix: `ServerDisk:${path}` };
}

function usage(alert: Alert, what: string): Said {
  const [used, total] = [numberAt(alert, "used_gb"), numberAt(alert, "total_gb")];
  const share = total > 0 ? `${tenths((used / total) * 100)} %` : "its limit";
  const figures = total > 0 ? `${size(used)} of ${size(total)} used` : "Komodo sent no figures";
  const named = `${alert.site}: ${what}`;
  return condition(alert, `${named} at ${share}`, `${named} is fine again`, [], [figures]);
}

function versions(alert: Alert): Said {
  const [periphery, core] = [lineAt(alert.fields, "server_version"), lineAt(alert.fields, "core_version")];
  const said = `Periphery ${periphery ?? "unknown"}, Core ${core ?? "unknown"}`;
  const named = `${alert.site}: Periphery version`;
  return condition(alert, `${named} differs`, `${named} matches again`, [said]);
}

const numberAt = ({ fields }: Alert, name: string): number => {
  const value = field(fields, name);
  return typeof value === "number" ? value : 0;
};
const tenths = (n: number): number => Math.round(n * 10) / 10;
/** Komodo's "GB" are GiB. */
const size = (gib: number): string => (gib >= 1024 ? `${tenths(gib / 1024)} TiB` : `${tenths(gib)} GiB`);

/** A Map: `constructor` is a state like any other that is not known. */
const STATES = new Map<string, Look & { verb?: string }>([
  ["exited", { ...FAILED, status: "firing", verb: "has exited" }],
  ["dead", { ...FAILED, status: "firing" }],
  ["restarting", { ...FAILED, status: "firing" }],
  ["unhealthy", { ...FAILED, status: "firing" }],
  ["stopped", { ...FAILED, status: "firing", verb: "has stopped" }],
  ["running", { ...GOOD, status: "resolved", verb: "is running again" }],
  ["healthy", { ...GOOD, status: "resolved", verb: "is healthy again" }],
  ["deploying", QUIET],
]);

function stateChange({ fields, place }: Alert, named: string): Said {
  const [from, to] = ["from", "to"].map((name) => (lineAt(fields, name) ?? "unknown").replaceAll("_", " "));
  const { verb = `is ${to}`, ...look } = STATES.get(to?.toLowerCase() ?? "") ?? {
    ...WARNING,
    status: "firing" as const,
  };
  return { ...look, title: `${named} ${verb}`, lines: [joined(`${from} → ${to}`, place)], suffix: "state" };
}

function updateAvailable({ name, fields, place }: Alert): Said {
  const service = lineAt(fields, "service");
  return {
    ...QUIET,
    title: `${service === undefined ? name : `${name}/${service}`}: update available`,
    lines: [joined(lineAt(fields, "image"), place)],
    suffix: service === undefined ? "update" : `update:${service}`,
  };
}

const updated = (_: Alert, named: string, lines: Said["lines"]): Said => ({
  level: "success",
  priority: "low",
  title: `${named} was updated`,
  lines,
  suffix: "updated",
});

const MAX_IMAGES = 10;

const imagesOf = ({ fields }: Alert): string[] =>
  list(field(fields, "images"))
    .slice(0, MAX_IMAGES)
    .map((image) => line(scalar(image) ?? ""));

function versionOf({ fields }: Alert): string | undefined {
  const version = object(field(fields, "version"));
  const parts = ["major", "minor", "patch"].map((part) => lineAt(version, part) ?? "0");
  const said = lineAt(fields, "version") ?? (version === field(fields, "version") ? parts.join(".") : undefined);
  return said === undefined ? undefined : `Version ${said}`;
}

const failed = (named: string): Said => ({ ...FAILED, title: `${named} failed`, lines: ["See its log in Komodo."] });

function builderLeft({ fields }: Alert): Said {
  return {
    ...FAILED,
    title: "AWS builder was not terminated (it keeps costing money)",
    lines: [lineAt(fields, "instance_id"), proseAt(fields, "message")],
  };
}

function custom({ fields, look }: Alert): Said {
  const [title, ...rest] = (proseAt(fields, "message") ?? "").split("\n");
  return {
    ...look,
    title: title === "" ? "Komodo" : title,
    lines: [rest.join("\n").trim(), proseAt(fields, "details")],
  };
}

const MAX_FIELDS = 12;
const MAX_JSON = 1_000;

/** A type that came after this was written. */
function anyOther(alert: Alert): Said {
  const words = alert.type.replace(/([a-z\d])(?=[A-Z])/g, "$1 ");
  const title = alert.name === "" ? words : `${words}: ${alert.name}`;
  const shown = Object.fromEntries(entriesOf(alert.fields, MAX_FIELDS));
  const lines = [cut(prose(JSON.stringify(shown)), MAX_JSON)];
  return isCondition(alert.type)
    ? condition(alert, title, `Resolved: ${title}`, [], lines)
    : { ...alert.look, title, lines };
}

const joined = (...parts: (string | undefined)[]): string => parts.filter((part) => part !== undefined).join(" · ");
