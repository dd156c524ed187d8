/** Labels as people read them: the place first, then what sets one alert apart from another. */
import { entriesOf, field, lineAt, scalar, scalarAt, type Fields } from "../../../fields.ts";
import { cut, line, MAX_BRIEF } from "../../../text.ts";

/** The most labels of an alert that are read. */
export const MAX_LABELS = 100;

/** Labels that name the broken thing, the nearest name first. */
export const PLACES =
  "instance host hostname node nodename server pod container name device mountpoint mount target".split(" ");
/** Labels that say where it is, from the thing to the site. */
export const WHERE = [...PLACES, "service", "job", "namespace", "cluster", "site"];

/** Labels that are shown elsewhere, or are for machines. */
const UNSAID = new Set(
  "alertname severity rulename datasource_uid ref_id prometheus endpoint uid __alert_rule_uid__".split(" "),
);

/** The value of the first of these labels that `common` does not have, without a port. */
export function whereOf(labels: Fields, names: readonly string[], common: Fields = {}): string | undefined {
  const name = names.find((each) => !isCommon(each, field(labels, each), common) && lineAt(labels, each) !== undefined);
  return name === undefined ? undefined : withoutPort(lineAt(labels, name) ?? "");
}

const withoutPort = (host: string): string => /^([^:]+|\[[^\]]+\]):\d{1,5}$/.exec(host)?.[1] ?? host;

/** ` (where)`, unless the text already has it. */
export const placeAfter = (text: string, where: string | undefined): string =>
  where === undefined || text.toLowerCase().includes(where.toLowerCase()) ? "" : ` (${where})`;

/** `text (where)`, unless the text already has it. */
export const located = (text: string, where: string | undefined): string => text + placeAfter(text, where);

export interface Label {
  name: string;
  value: string;
}

/** Up to `max` labels that mean something to people and are not in `common`; those of WHERE come first. */
export function labelsOf(labels: Fields, max: number, common: Fields = {}): Label[] {
  const entries = entriesOf(labels, MAX_LABELS).filter(([name]) => !UNSAID.has(name));
  const places = WHERE.flatMap((place) => entries.filter(([name]) => name === place));
  return differing([...places, ...entries.filter(([name]) => !WHERE.includes(name))], max, common);
}

/** Up to `max` labels that are not in `common`, as they were sent, for `data`. */
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
