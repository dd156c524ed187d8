/** The title and text of one alert and of a group (REWRITES.md §3). */
import { entriesOf, lineAt, objectAt, type Fields } from "../../../fields.ts";
import { joined } from "../../../looks.ts";
import { cut } from "../../../text.ts";
import { lasting, span } from "../../../times.ts";
import { descriptionOf, endOf, startOf, summaryOf, type Alert, type Group } from "./group.ts";
import { labelData, labelsOf, located, placeAfter, PLACES, said, WHERE, whereOf } from "./labels.ts";

export interface Words {
  title: string;
  lines: (string | undefined)[];
}

const REPEATED = "repeat interval elapsed";

/** The words of a group with a single alert. */
export function wordsOfOne(group: Group): Words {
  const { fields, first: alert } = group;
  const summary = summaryOf(alert.annotations);
  const description = descriptionOf(alert.annotations);
  const title = titleOfOne(alert, summary);
  const isRepeat = lineAt(fields, "notification_reason") === REPEATED;
  const facts = joined([summary && alert.name, ...labelsOf(alert.labels, 6).map(said)]);
  const lines = [
    alert.isResolved ? lasting("Lasted", spanOf(group, alert)) : undefined,
    description === summary || (alert.isResolved && summary !== undefined) ? undefined : description,
    alert.isResolved ? undefined : valuesOf(alert.fields),
    facts === title ? undefined : facts,
  ];
  const state = alert.isResolved ? "resolved" : "firing";
  return {
    title: `${alert.isResolved ? "Resolved: " : isRepeat ? "Still firing: " : ""}${title}`,
    lines: lines.some((each) => each !== undefined) ? lines : [`The alert is ${state}.`],
  };
}

function titleOfOne({ name, labels }: Alert, summary: string | undefined): string {
  if (summary !== undefined) return located(summary, whereOf(labels, PLACES));
  if (name !== undefined) return located(name, whereOf(labels, WHERE));
  return labelsOf(labels, 3).map(said).join(" · ") || "Alert";
}

/** Grafana's numbers: `Values: B=18.982, C=1`. */
function valuesOf(fields: Fields): string | undefined {
  const numbers = entriesOf(objectAt(fields, "values"), 4)
    .filter((entry): entry is [string, number] => typeof entry[1] === "number")
    .map(([name, value]) => `${name}=${Number(value.toPrecision(5))}`);
  return numbers.length === 0 ? undefined : `Values: ${numbers.join(", ")}`;
}

const MAX_DESCRIPTION = 600;

/** The words of several alerts, or of one among several. */
export function wordsOfMany(group: Group): Words {
  const { firing, resolved, truncated, isOver, isDoubtful, annotations } = group;
  const description = descriptionOf(annotations);
  const more = `${truncated} more alerts`;
  const named = namesOf(group);
  return {
    title: `${named}: ${countsOf(group)}${placeAfter(named, whereOf(group.labels, WHERE))}`,
    lines: [
      summaryOf(annotations),
      ...items(group, firing, 10, "firing"),
      firing.length > 0 && resolved.length > 0 ? "Resolved:" : undefined,
      ...items(group, resolved, firing.length > 0 ? 5 : 10, "resolved"),
      isDoubtful ? `${more} of this group were cut off by max_alerts and may still be firing.` : undefined,
      truncated > 0 && !isDoubtful ? `${more} were cut off by max_alerts.` : undefined,
      isOver || description === undefined ? undefined : cut(description, MAX_DESCRIPTION),
    ],
  };
}

function namesOf({ names, fields }: Group): string {
  const [first, second] = names;
  if (first !== undefined && second !== undefined)
    return `${first}, ${second}${names.length > 2 ? ` +${names.length - 2}` : ""}`;
  return first ?? Object.values(labelData(objectAt(fields, "groupLabels"), 1))[0] ?? "Alert";
}

function countsOf({ firing, resolved, truncated, isOver, isDoubtful }: Group): string {
  if (isOver) return `all ${resolved.length} resolved`;
  if (isDoubtful) return `${resolved.length} resolved, ${truncated} not shown`;
  const count = `${firing.length}${truncated > 0 ? "+" : ""} firing`;
  return resolved.length > 0 ? `${count}, ${resolved.length} resolved` : count;
}

function items(group: Group, alerts: Alert[], max: number, state: string): string[] {
  const shown = alerts.slice(0, max).map((alert) => item(group, alert));
  return alerts.length > max ? [...shown, `… and ${alerts.length - max} more ${state}`] : shown;
}

const MAX_ITEM = 240;

function item(group: Group, alert: Alert): string {
  const isMixed = group.firing[0]?.severity.rank !== group.firing.at(-1)?.severity.rank;
  const word = isMixed && !alert.isResolved ? `[${alert.word ?? "none"}] ` : "";
  const ran = alert.isResolved ? lasting(" (lasted", spanOf(group, alert)) : undefined;
  const after = ran === undefined ? "" : `${ran})`;
  return cut(`• ${word}${told(group, alert)}`, MAX_ITEM - after.length) + after;
}

/** What sets an alert apart from the others in its group. */
function told({ names, labels: common, annotations }: Group, { name, labels, annotations: own }: Alert): string {
  const prefix = names.length > 1 && name !== undefined ? `${name}: ` : "";
  const summary = summaryOf(annotations) === undefined ? summaryOf(own) : undefined;
  if (summary !== undefined) return located(prefix + summary, whereOf(labels, WHERE, common));
  const differing = labelsOf(labels, 3, common).map((each) => (WHERE.includes(each.name) ? each.value : said(each)));
  return differing.length > 0 ? prefix + differing.join(", ") : (name ?? "Alert");
}

const spanOf = (group: Group, alert: Alert) => span(startOf(group, alert), endOf(group, alert));
