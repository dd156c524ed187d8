/** What each type of alert says (REWRITES.md §5). */
import { entriesOf, field, lineAt, listAt, objectAt, proseAt, scalar } from "../../../fields.ts";
import * as looks from "../../../looks.ts";
import { joined, type Look } from "../../../looks.ts";
import { cut, line, prose } from "../../../text.ts";
import { lasting, span } from "../../../times.ts";
import type { Alert } from "./alert.ts";

export interface Said extends Look {
  title: string | undefined;
  lines: (string | undefined)[];
  /** The end of the key, if it is not the type. */
  suffix?: string;
}

/** The message of an alert, by its type; a type that is unknown here is shown field by field. */
export const saidBy = (alert: Alert): Said => (TYPES.get(alert.type) ?? anyOther)(alert);

const { TROUBLE, DONE, QUIET, NOTICE, BROKEN, WELL } = looks;
const SEE_LOG = "See its log in Komodo.";

// prettier-ignore
const TYPES = new Map<string, (alert: Alert) => Said>([
  ["ServerUnreachable",              (a) => condition(a, { is: `${a.site} is unreachable`, was: `${a.site} is reachable again`, why: errorOf(a) })],
  ["SwarmUnhealthy",                 (a) => condition(a, { is: `Swarm ${a.name} is unhealthy`, was: `Swarm ${a.name} is healthy again`, why: errorOf(a) })],
  ["ServerVersionMismatch",          (a) => condition(a, { is: `${a.site}: Periphery version differs`, was: `${a.site}: Periphery version matches again`, why: versionsOf(a) })],
  ["ServerCpu",                      (a) => usage(a, "CPU", cpu(a))],
  ["ServerMem",                      (a) => usage(a, "memory", space(a))],
  ["ServerDisk",                     (a) => ({ ...usage(a, `disk ${pathOf(a)}`, space(a)), suffix: `ServerDisk:${pathOf(a)}` })],
  ["ContainerStateChange",           (a) => stateChange(a, a.name)],
  ["StackStateChange",               (a) => stateChange(a, `Stack ${a.name}`)],
  ["DeploymentImageUpdateAvailable", (a) => update(a, a.name, "update")],
  ["StackImageUpdateAvailable",      (a) => update(a, `${a.name}${after("/", serviceOf(a))}`, `update${after(":", serviceOf(a))}`)],
  ["DeploymentAutoUpdated",          (a) => ({ ...DONE, title: `${a.name} was updated`, lines: [placed(imageOf(a), a)], suffix: "updated" })],
  ["StackAutoUpdated",               (a) => ({ ...DONE, title: `Stack ${a.name} was updated`, lines: [...imagesOf(a), a.place], suffix: "updated" })],
  ["BuildFailed",                    (a) => ({ ...TROUBLE, title: `Build ${a.name} failed`, lines: [versionOf(a)] })],
  ["RepoBuildFailed",                (a) => ({ ...TROUBLE, title: `Repo build ${a.name} failed`, lines: [SEE_LOG] })],
  ["ProcedureFailed",                (a) => ({ ...TROUBLE, title: `Procedure ${a.name} failed`, lines: [SEE_LOG] })],
  ["ActionFailed",                   (a) => ({ ...TROUBLE, title: `Action ${a.name} failed`, lines: [SEE_LOG] })],
  ["AwsBuilderTerminationFailed",    (a) => ({ ...TROUBLE, title: "AWS builder was not terminated (it keeps costing money)", lines: [lineAt(a.fields, "instance_id"), proseAt(a.fields, "message")] })],
  ["ResourceSyncPendingUpdates",     (a) => ({ ...NOTICE, title: `Sync ${a.name} has pending updates`, lines: ["Review and apply them in Komodo."] })],
  ["ScheduleRun",                    (a) => ({ ...QUIET, title: `${a.name} started on schedule`, lines: [lineAt(a.fields, "resource_type")] })],
  ["Test",                           (a) => ({ ...NOTICE, title: "Komodo test", lines: [`Alerter ${a.name} works.`] })],
  ["Custom",                         custom],
]);

/** Something that is wrong until it is over. `why` is only said while it is, `now` also afterwards. */
function condition(alert: Alert, { is, was, why, now }: { is: string; was: string; why?: string; now?: string }): Said {
  if (!alert.isResolved) return { ...looks.firing(alert.look), title: is, lines: [why, now] };
  const lasted = lasting("Lasted", span(alert.at, alert.resolvedAt));
  return { ...WELL, title: was, lines: [lasted, now] };
}

const MAX_TRACE = 2;

function errorOf({ fields }: Alert): string {
  const error = objectAt(fields, "err");
  const trace = listAt(error, "trace").slice(0, MAX_TRACE);
  return joined([proseAt(error, "error"), ...trace.map((cause) => line(scalar(cause) ?? ""))], ": ") ?? "";
}

const versionsOf = ({ fields }: Alert): string =>
  `Periphery ${lineAt(fields, "server_version") ?? "unknown"}, Core ${lineAt(fields, "core_version") ?? "unknown"}`;

interface Usage {
  /** In percent; 0 if Komodo sent no figures. */
  share: number;
  figures: string;
}

function usage(alert: Alert, what: string, { share, figures }: Usage): Said {
  const at = share > 0 ? `${tenths(share)} %` : "its limit";
  const now = share > 0 ? figures : "Komodo sent no figures";
  const named = `${alert.site}: ${what}`;
  return condition(alert, { is: `${named} at ${at}`, was: `${named} is fine again`, now });
}

function cpu({ fields }: Alert): Usage {
  const share = numberOf(field(fields, "percentage"));
  return { share, figures: `CPU usage ${tenths(share)} %` };
}

function space({ fields }: Alert): Usage {
  const [used, total] = [numberOf(field(fields, "used_gb")), numberOf(field(fields, "total_gb"))];
  return { share: total > 0 ? (used / total) * 100 : 0, figures: `${size(used)} of ${size(total)} used` };
}

const pathOf = ({ fields }: Alert): string => lineAt(fields, "path") ?? "/";
const numberOf = (value: unknown): number => (typeof value === "number" ? value : 0);
const tenths = (n: number): number => Math.round(n * 10) / 10;
/** Komodo's "GB" are GiB. */
const size = (gib: number): string => (gib >= 1024 ? `${tenths(gib / 1024)} TiB` : `${tenths(gib)} GiB`);

/** A Map: `constructor` is a state like any other unknown one. */
const STATES = new Map<string, { look: Look; verb?: string }>([
  ["exited", { look: BROKEN, verb: "has exited" }],
  ["stopped", { look: BROKEN, verb: "has stopped" }],
  ["dead", { look: BROKEN }],
  ["restarting", { look: BROKEN }],
  ["unhealthy", { look: BROKEN }],
  ["running", { look: WELL, verb: "is running again" }],
  ["healthy", { look: WELL, verb: "is healthy again" }],
  ["deploying", { look: QUIET }],
]);

function stateChange(alert: Alert, named: string): Said {
  const [from, to] = [stateAt(alert, "from"), stateAt(alert, "to")];
  const { look, verb = `is ${to}` } = STATES.get(to.toLowerCase()) ?? { look: looks.DOUBTFUL };
  return { ...look, title: `${named} ${verb}`, lines: [placed(`${from} → ${to}`, alert)], suffix: "state" };
}

const stateAt = ({ fields }: Alert, name: string): string => (lineAt(fields, name) ?? "unknown").replaceAll("_", " ");

const update = (alert: Alert, named: string, suffix: string): Said => ({
  ...QUIET,
  title: `${named}: update available`,
  lines: [placed(imageOf(alert), alert)],
  suffix,
});

const imageOf = ({ fields }: Alert) => lineAt(fields, "image");
const serviceOf = ({ fields }: Alert) => lineAt(fields, "service");
const after = (mark: string, text: string | undefined) => (text === undefined ? "" : mark + text);
const placed = (text: string | undefined, { place }: Alert): string => joined([text, place]) ?? "";

const MAX_IMAGES = 10;

const imagesOf = ({ fields }: Alert): string[] =>
  listAt(fields, "images")
    .slice(0, MAX_IMAGES)
    .map((image) => line(scalar(image) ?? ""));

function versionOf({ fields }: Alert): string | undefined {
  const version = objectAt(fields, "version");
  const parts = ["major", "minor", "patch"].map((part) => lineAt(version, part));
  return parts.includes(undefined) ? undefined : `Version ${parts.join(".")}`;
}

function custom({ fields, look }: Alert): Said {
  const [title, ...rest] = (proseAt(fields, "message") ?? "Komodo").split("\n");
  return { ...look, title, lines: [rest.join("\n"), proseAt(fields, "details")] };
}

const MAX_FIELDS = 12;
/** Nobody reads a longer line. */
const MAX_JSON = 200;

function anyOther(alert: Alert): Said {
  const words = alert.type.replace(/([a-z\d])(?=[A-Z])/g, "$1 ");
  const is = alert.name === "" ? words : `${words}: ${alert.name}`;
  const now = cut(prose(JSON.stringify(Object.fromEntries(entriesOf(alert.fields, MAX_FIELDS)))), MAX_JSON);
  return alert.isCondition
    ? condition(alert, { is, was: `Resolved: ${is}`, now })
    : { ...alert.look, title: is, lines: [now] };
}
