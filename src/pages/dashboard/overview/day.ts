/** The last 24 hours of several namespaces, bounded: which checks were down when, and how many messages came. */
import type { Namespace, NamespaceId } from "../../../keys/namespace.ts";
import { type ByLevel, type DayStore, NO_MESSAGES, type Outage, sumOf } from "../../../store/days.ts";
import { HOUR, type Millis } from "../../../util/clock.ts";
import { countOf } from "../../charts/levels.tsx";

/** A check that was down, and when, the first time first. */
export interface Row {
  check: Outage["check"];
  outages: readonly [Outage, ...Outage[]];
}

/** A namespace in which something happened. */
export interface Band {
  namespace: Namespace;
  /** The first to go down first. */
  rows: readonly Row[];
  /** Checks that were down and have no row. */
  more: number;
  /** The oldest first. */
  hours: readonly ByLevel[];
  total: ByLevel;
}

export interface LastDay {
  /** It begins with a whole hour and ends with the present one. */
  from: Millis;
  bands: readonly Band[];
  /** What happened in namespaces that have no band. */
  elsewhere: { namespaces: number; down: number; messages: number };
  /** Nothing happened in them. */
  quiet: readonly Namespace[];
  /** There were more outages than are looked at. */
  isMore: boolean;
}

export const HOURS = 24;
const MOST_OUTAGES = 500;
const MOST_ROWS = 6;
const MOST_BANDS = 6;

/** Two queries, however many namespaces. */
export async function lastDayOf(
  days: Pick<DayStore, "outages" | "hours">,
  namespaces: readonly Namespace[],
  now: Millis,
): Promise<LastDay> {
  const ids = namespaces.map(({ id }) => id);
  const first = Math.floor(now / HOUR) - HOURS + 1;
  const from = first * HOUR;
  const [{ outages, isMore }, hours] = await Promise.all([
    days.outages(ids, from, MOST_OUTAGES),
    days.hours(ids, first),
  ]);
  return { from, isMore, ...bandsOf({ namespaces, outages, hours, first }) };
}

interface Found {
  namespaces: readonly Namespace[];
  outages: readonly Outage[];
  hours: ReadonlyMap<NamespaceId, ReadonlyMap<number, ByLevel>>;
  /** Hours since 1970. */
  first: number;
}

/** Pure. If there is no room for all: what is down now comes before what was, and that before messages. */
export function bandsOf({ namespaces, outages, hours, first }: Found): Omit<LastDay, "from" | "isMore"> {
  const found = Map.groupBy(outages, ({ namespaceId }) => namespaceId);
  const all = namespaces.map((namespace): Band => {
    const byHour = hours.get(namespace.id);
    const counts = Array.from({ length: HOURS }, (_, n) => byHour?.get(first + n) ?? NO_MESSAGES);
    const rows = rowsOf(found.get(namespace.id) ?? []);
    return { namespace, rows, more: 0, hours: counts, total: counts.reduce(sumOf) };
  });
  const isQuiet = ({ rows, total }: Band) => rows.length === 0 && countOf(total) === 0;
  const some = all.filter((band) => !isQuiet(band));
  const kept = new Set(some.toSorted((a, b) => weightOf(b) - weightOf(a)).slice(0, MOST_BANDS));
  const left = some.filter((band) => !kept.has(band));
  return {
    bands: some.filter((band) => kept.has(band)).map(cut),
    elsewhere: {
      namespaces: left.length,
      down: left.reduce((sum, { rows }) => sum + rows.length, 0),
      messages: left.reduce((sum, { total }) => sum + countOf(total), 0),
    },
    quiet: all.filter(isQuiet).map(({ namespace }) => namespace),
  };
}

function rowsOf(outages: readonly Outage[]): Row[] {
  const byCheck = Map.groupBy(outages, ({ check }) => check.id);
  return [...byCheck.values()].flatMap(([outage, ...others]) =>
    outage === undefined ? [] : [{ check: outage.check, outages: [outage, ...others] as const }],
  );
}

export const isDown = ({ outages }: Row): boolean => outages.some(({ to }) => to === undefined);

function weightOf({ rows, total }: Band): number {
  if (rows.some(isDown)) return Infinity;
  return rows.length > 0 ? Number.MAX_SAFE_INTEGER : countOf(total);
}

/** In their order, without the least important: checks that are up again, and went down first. */
function cut(band: Band): Band {
  const byWeight = band.rows.toReversed().toSorted((a, b) => Number(isDown(b)) - Number(isDown(a)));
  const kept = new Set(byWeight.slice(0, MOST_ROWS));
  return { ...band, rows: band.rows.filter((row) => kept.has(row)), more: band.rows.length - kept.size };
}
