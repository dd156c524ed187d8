/** Which checks a list shows, and in which order: read namespace by namespace. */
import type { Check } from "../../../../checks/check.ts";
import { dayPicture, type DayPicture } from "../../../../checks/days/figures.ts";
import { pastRuns, SHOWN_RUNS } from "../../../../checks/days/past-runs.ts";
import type { Deps } from "../../../../deps.ts";
import { phrase, readQuery, whole, word } from "../../../../http/query.ts";
import { MAX_TAG_CHARACTERS } from "../../../../drafts/limits.ts";
import type { KeptDays } from "../../../../store/days.ts";
import type { TopicId } from "../../../../topics/topic.ts";
import { utcDay } from "../../../../util/calendar.ts";
import { DAY, type Millis } from "../../../../util/clock.ts";
import { compareNames } from "../../../../util/text/compare.ts";
import type { MapInTurns } from "../../../../util/turns.ts";
import type { Desk } from "../../signed-in.ts";
import { shownNamespaces } from "../../frame/filter.ts";
import { mutedUntil } from "../../topics/glance.ts";
import { type Listed, MOST_SOUGHT, type Wanted } from "./page.tsx";
import { saidBy } from "../said.ts";
import type { Sort } from "./sort.ts";
import { countStates, SHOWN_STATES, shownState, urgencyOf } from "../state.ts";

/** Rows on a page. */
const ROWS = 100;
/** Read at once, and of one namespace at most: beyond that the heading counts what it has seen. */
const PAGE = 200;
const MOST_READ = 5_000;
/** Tags to choose from. */
const MOST_TAGS = 20;
/** Slots of a strip, which are days. */
export const SLOTS = 30;

type ListDeps = Pick<Deps, "store"> & { turn: () => Promise<void>; mapInTurns: MapInTurns };

const LIST_QUERY = {
  state: word(SHOWN_STATES),
  tag: phrase(MAX_TAG_CHARACTERS),
  from: whole(0, Number.MAX_SAFE_INTEGER, 0),
};

/** What the query of a list asks for. */
export function wantedOf(query: URLSearchParams): Wanted {
  const q = query.get("q")?.slice(0, MOST_SOUGHT);
  return { ...readQuery(query, LIST_QUERY), ...(q !== undefined && { q }) };
}

export async function listOf(deps: ListDeps, desk: Desk, wanted: Wanted, sort: Sort): Promise<Listed> {
  const { now } = desk;
  const { state, tag, q, from } = wanted;
  const checks: Check[] = [];
  for (const { id } of shownNamespaces(desk)) checks.push(...(await allOf(deps, id)));
  const found = checks.filter(
    (check) =>
      (tag === undefined || check.standing.settings.tags.includes(tag)) && (q === undefined || isLike(check, q)),
  );
  const chosen = state === undefined ? found : found.filter(({ standing }) => shownState(standing, now) === state);
  const page = sorted(chosen, sort, now).slice(from, from + ROWS);
  const histories = await deps.store.checks.histories(page, SHOWN_RUNS);
  const ran = page.map((check) => ({
    check,
    runs: pastRuns(check.standing, histories.get(check.row) ?? { ends: [], incidents: [] }, now),
  }));
  const [muted, said, days] = await Promise.all([
    mutedOf(deps, page, now),
    saidBy(deps.store.checks, ran),
    daysOf(deps, page, now),
  ]);
  return {
    rows: ran.map(({ check, runs }, i) => ({
      ...{ check, runs, said: said.get(check.row), mutedUntil: muted.get(check.topic.id) },
      ...{ days: days[i]?.squares.map(({ kind }) => kind) ?? [], uptime: days[i]?.uptime[SLOTS] },
    })),
    wanted,
    sort,
    counts: countStates(checks, now),
    all: checks.length,
    found: { counts: countStates(found, now), all: found.length },
    tags: [...new Set(checks.flatMap(({ standing }) => standing.settings.tags))].sort().slice(0, MOST_TAGS),
    hasMore: chosen.length > from + page.length,
  };
}

/** Whether each of the words is in the name, the slug, the namespace or a tag. */
function isLike({ namespace, standing: { settings } }: Check, q: string): boolean {
  const { name, slug = "", tags } = settings;
  const text = folded([name, slug, namespace, ...tags].join("\n"));
  return folded(q)
    .split(/\s+/)
    .every((word) => text.includes(word));
}
const folded = (text: string): string => text.normalize("NFKC").toLowerCase();

/** Checks of one rank in the order of names, and of one name by id, so that no row ever moves without a cause. */
function sorted(checks: readonly Check[], sort: Sort, now: Millis): Check[] {
  const rank = ({ standing }: Check): number => {
    if (sort === "name") return 0;
    return sort === "need" ? urgencyOf(standing, now) : (standing.lastOkAt ?? 0);
  };
  return checks
    .map((check) => ({ check, rank: rank(check) }))
    .sort((a, b) => a.rank - b.rank || byName(a.check, b.check))
    .map(({ check }) => check);
}

const byName = (a: Check, b: Check): number =>
  compareNames(a.standing.settings.name, b.standing.settings.name) || (a.id < b.id ? -1 : 1);

/** The last days of these checks: one query, with a turn now and then, because a check that slept has many days to count. */
async function daysOf({ store, mapInTurns }: ListDeps, checks: readonly Check[], now: Millis): Promise<DayPicture[]> {
  const kept = await store.days.ofChecks(
    checks.map(({ row }) => row),
    utcDay(now) - SLOTS - 1, // in any zone, as many as are shown
  );
  const since = now - (SLOTS + 1) * DAY;
  return mapInTurns(checks, ({ row, standing }) => {
    const { countedTo, ...of } = kept.get(row) ?? NOTHING;
    return dayPicture(standing, { ...of, countedTo: Math.max(countedTo, since) }, now, SLOTS);
  });
}
/** The days of a check that is gone by now. */
const NOTHING: KeptDays = { days: [], countedTo: Number.MAX_SAFE_INTEGER, away: [] };

/** The topics of these checks that are muted themselves, and until when. */
async function mutedOf({ store }: ListDeps, checks: readonly Check[], now: Millis): Promise<Map<TopicId, Millis>> {
  const byTopic = new Map(checks.map((check) => [check.topic.id, check]));
  const muted = new Map<TopicId, Millis>();
  for (const { namespace, topic } of byTopic.values()) {
    const until = mutedUntil((await store.topics.byKey(namespace, topic.key)) ?? {}, now);
    if (until !== undefined) muted.set(topic.id, until);
  }
  return muted;
}

async function allOf({ store, turn }: ListDeps, namespaceId: Check["namespaceId"]): Promise<Check[]> {
  const all: Check[] = [];
  for (let hasMore = true; hasMore && all.length < MOST_READ;) {
    const last = all.at(-1);
    const after = last && { name: last.standing.settings.name, id: last.id };
    const page = await store.checks.list(namespaceId, { limit: PAGE, ...(after !== undefined && { after }) });
    all.push(...page.checks);
    hasMore = page.hasMore;
    if (hasMore) await turn();
  }
  return all;
}
