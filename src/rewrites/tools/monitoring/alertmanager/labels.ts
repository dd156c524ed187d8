/** Labels as people read them: where it is first, then what tells one alert from another. */
import { entriesOf, field, lineAt, scalar, scalarAt, type Fields } from "../../../fields.ts";
import { cut, line, MAX_BRIEF } from "../../../text.ts";

/** Labels of an alert that are read. */
export const MAX_LABELS = 100;

/** One thing that is broken, the nearest name first. */
export const PLACES =
  "instance host hostname node nodename server pod container name device mountpoint mount target".split(" ");
/** Where it is, from the thing to the site. */
export const WHERE = [...PLACES, "service", "job", "namespace", "cluster", "site"];

/** Said elsewhere, or for machines. */
const UNSAID = new Set(
  "alertname severity rulename datasource_uid ref_id prometheus endpoint uid __alert_rule_uid__".split(" "),
);

/** The value of the first of these labels, without a port; of those that `common` does not hold already. */
export function whereOf(labels: Fields, names: readonly string[], common: Fields = {}): string | undefined {
  const name = names.find((each) => !isCommon(each, field(labels, each), common) && lineAt(labels, each) !== undefined);
  return name === undefined ? undefined : withoutPort(lineAt(labels, name) ?? "");
}

const withoutPort = (host: string): string => /^([^:]+|\[[^\]]+\]):\d{1,5}$/.exec(host)?.[1] ?? host;

/** ` (where)`, unless the text says it. */
export const placeAfter = (text: string, where: string | undefined): string =>
  where === undefined || text.toLowerCase().includes(where.toLowerCase()) ? "" : ` (${where})`;

/** `text (where)`, unless the text says it. */
export const located = (text: string, where: string | undefined): string => text + placeAfter(text, where);

export interface Label {
  name: string;
  value: string;
}

/** Up to `max` labels that mean something to people and that `common` does not hold, those of WHERE first. */
export function labelsOf(labels: Fields, max: number, common: Fields = {}): Label[] {
  const entries = entriesOf(labels, MAX_LABELS).filter(([name]) => !UNSAID.has(name));
  const places = WHERE.flatMap((place) => entries.filter(([name]) => name === place));
  return differing([...places, ...entries.filter(([name]) => !WHERE.includes(name))], max, common);
}

/** For `data`: up to `max` labels that `common` does not hold, as they were sent. */
export function labelData(labels: Fields, max: number, common: Fields = {}): Record<string, string> {
  const shown = differing(entriesOf(labels, MAX_LABELS), max, common);
  return Object.fromEntries(shown.map(({ name, value }) => [cut(name, MAX_BRIEF), cut(value, MAX_BRIEF)]));
}

function differing(entries: [string, unknown][], max: number, common: Fields): Label[] {
  const found: Label[] = [];
  for (const [name, sent] of entries) {
    if (found.length === max) break;
    const value = isCommon(name, sent, common) ? "" : line(scalar(sent) ?? "");
    if (value !== "") found.push({ name, value });
  }
  return found;
}

const isCommon = (name: string, value: unknown, common: Fields): boolean => scalar(value) === scalarAt(common, name);

/** A label as people read it. */
export const said = ({ name, value }: Label): string => `${name}=${value}`;
