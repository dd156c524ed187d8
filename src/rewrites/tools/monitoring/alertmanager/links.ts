/** The links of an alert: what a tap opens, and the buttons (REWRITES.md §3). */
import type { Action } from "../../../../drafts/draft.ts";
import { entriesOf, objectAt, scalar, scalarAt, type Fields } from "../../../fields.ts";
import { line } from "../../../text.ts";
import { bestLink, isDotted, link, parseUrl } from "../../../urls.ts";
import type { Group } from "./group.ts";
import { MAX_LABELS } from "./labels.ts";

const ALERT_PAGES = ["panelURL", "dashboardURL"];
const ANNOTATED_PAGES = ["dashboard_url", "dashboard", "grafana_url", "link", "url"];
const RUNBOOKS = ["runbook_url", "runbook"];

/** The links of the first alert; but a group is silenced as a whole. */
export function linksOf(group: Group): { url: string | undefined; actions: Action[] } {
  const { fields, annotations } = group.first;
  const source = scalarAt(fields, "generatorURL");
  const runbooks = values(annotations, RUNBOOKS);
  const url = bestLink([
    ...values(fields, ALERT_PAGES),
    ...values(annotations, ANNOTATED_PAGES),
    source,
    ...runbooks,
    scalarAt(group.fields, "externalURL"),
  ]);
  const sourceLink = link(source);
  const runbook = runbooks.map(link).find((href) => href !== undefined);
  const buttons: [string, string | undefined][] = [
    ["Runbook", other(runbook, url)],
    ["Silence", group.isOver ? undefined : silence(group)],
    ["Source", sourceLink !== undefined && isDotted(sourceLink) ? other(sourceLink, url) : undefined],
  ];
  return { url, actions: buttons.flatMap(([label, href]) => (href === undefined ? [] : [{ label, url: href }])) };
}

const values = (fields: Fields, names: string[]) => names.map((name) => scalarAt(fields, name));
const other = (href: string | undefined, url: string | undefined) => (href === url ? undefined : href);

function silence({ fields, first, labels, isGrafana, isOne }: Group): string | undefined {
  const own = link(scalarAt(first.fields, "silenceURL"));
  const address = scalarAt(fields, "externalURL");
  const external = link(address);
  if (own !== undefined || isGrafana || external === undefined || !isDotted(external)) return own;
  const filter = isOne ? matchers(first.labels) : (matchers(objectAt(fields, "groupLabels")) ?? matchers(labels));
  const { origin, pathname } = parseUrl(external) ?? {};
  const base = `${origin ?? ""}${pathname?.replace(/\/$/, "") ?? ""}`;
  return filter === undefined ? undefined : link(`${base}/#/silences/new?filter=${encodeURIComponent(filter)}`);
}

/** `{k="v", …}`; undefined if there is none, or if the part of a value that may be shown would match another alert. */
function matchers(labels: Fields): string | undefined {
  const pairs = entriesOf(labels, MAX_LABELS).map(([name, value]) => ({ name, value: scalar(value) ?? "" }));
  if (pairs.length === 0 || pairs.some(({ value }) => line(value) !== value)) return undefined;
  const said = pairs.map(({ name, value }) => `${/^\w+$/.test(name) ? name : quoted(name)}=${quoted(value)}`);
  return `{${said.join(", ")}}`;
}

const quoted = (text: string): string => `"${text.replace(/["\\]/g, "\\$&")}"`;
