/** A group of alerts that was posted, read once: each alert, and what they have in common. */
import type { Millis } from "../../../../util/clock.ts";
import { field, lineAt, listAt, objectAt, proseAt, scalarAt, type Fields } from "../../../fields.ts";
import { isObject } from "../../../../util/json.ts";
import { severityOf, type Severity } from "../../../severity.ts";
import { cut } from "../../../text.ts";
import { instant } from "../../../times.ts";

export interface Alert {
  fields: Fields;
  labels: Fields;
  annotations: Fields;
  name: string | undefined;
  isResolved: boolean;
  /** The word as it was sent, in lower case. */
  word: string | undefined;
  severity: Severity;
}

export interface Group {
  fields: Fields;
  now: Millis;
  isGrafana: boolean;
  /** The alert to show first. */
  first: Alert;
  /** The worst first; those of one rank keep their order. */
  firing: Alert[];
  resolved: Alert[];
  /** Alerts that were not sent or not read. */
  truncated: number;
  names: string[];
  labels: Fields;
  annotations: Fields;
  /** There is one alert, and no unknown one. */
  isOne: boolean;
  /** No known alert fires, and none is unknown. */
  isOver: boolean;
  /** No known alert fires, but some are unknown. */
  isDoubtful: boolean;
}

const MAX_ALERTS = 5_000;

/** Undefined if the group has no alert. */
export function readGroup(fields: Fields, now: Millis): Group | undefined {
  const sent = listAt(fields, "alerts");
  const groupStatus = lineAt(fields, "status");
  const alerts = sent
    .slice(0, MAX_ALERTS)
    .filter(isObject)
    .map((alert) => readAlert(alert, groupStatus));
  const firing = alerts.filter(({ isResolved }) => !isResolved).sort((a, b) => b.severity.rank - a.severity.rank);
  const resolved = alerts.filter(({ isResolved }) => isResolved);
  const first = firing[0] ?? resolved[0];
  if (first === undefined) return undefined;
  const truncated = Math.max(0, sent.length - MAX_ALERTS) + countAt(fields, "truncatedAlerts");
  const names = [...firing, ...resolved].map(({ name }) => name).filter((name) => name !== undefined);
  return {
    fields,
    now,
    isGrafana: Object.hasOwn(fields, "orgId"),
    first,
    firing,
    resolved,
    truncated,
    names: [...new Set(names)],
    labels: objectAt(fields, "commonLabels"),
    annotations: objectAt(fields, "commonAnnotations"),
    isOne: firing.length + resolved.length === 1 && truncated === 0,
    isOver: firing.length === 0 && truncated === 0,
    isDoubtful: firing.length === 0 && truncated > 0,
  };
}

const OVER = new Set(["resolved", "ok", "normal"]);

function readAlert(fields: Fields, groupStatus: string | undefined): Alert {
  const labels = objectAt(fields, "labels");
  const word = severityWord(labels);
  return {
    fields,
    labels,
    annotations: objectAt(fields, "annotations"),
    name: nameOf(labels),
    isResolved: OVER.has((lineAt(fields, "status") ?? groupStatus ?? "").toLowerCase()),
    word,
    severity: severityOf(word),
  };
}

/** The word in the labels for how bad it is, in lower case. */
export const severityWord = (labels: Fields): string | undefined =>
  lineAt(labels, "severity", "priority", "level", "criticality")?.toLowerCase();

/** Grafana's names for a rule that it could not evaluate. */
const UNEVALUATED = new Map([
  ["DatasourceNoData", "no data"],
  ["DatasourceError", "query failed"],
]);

function nameOf(labels: Fields): string | undefined {
  const name = lineAt(labels, "alertname");
  const why = UNEVALUATED.get(name ?? "");
  const rule = why === undefined ? undefined : lineAt(labels, "rulename");
  return rule === undefined || why === undefined ? name : `${rule}: ${why}`;
}

function countAt(fields: Fields, name: string): number {
  const count = Number(scalarAt(fields, name));
  return Number.isSafeInteger(count) && count > 0 ? count : 0;
}

/** When an alert began, and when it was over. */
export const startOf = ({ now }: Group, alert: Alert): Millis | undefined =>
  instant(field(alert.fields, "startsAt"), now);
export const endOf = ({ now }: Group, alert: Alert): Millis | undefined => instant(field(alert.fields, "endsAt"), now);

const MAX_SUMMARY = 300;

/** The summary of an alert, or the common one of a group. */
export function summaryOf(annotations: Fields): string | undefined {
  const summary = lineAt(annotations, "summary", "title");
  return summary === undefined ? undefined : cut(summary, MAX_SUMMARY);
}

/** The same for the description. */
export const descriptionOf = (annotations: Fields): string | undefined =>
  proseAt(annotations, "description", "message");
