/** Which checks a list shows: read namespace by namespace, in the order of their names. */
import type { Check } from "../../../checks/check.ts";
import { pastRuns, SHOWN_RUNS } from "../../../checks/past-runs.ts";
import type { Deps } from "../../../deps.ts";
import { integer, oneOf, text } from "../../../http/query.ts";
import { MAX_TAG_CHARACTERS } from "../../../messages/schema.ts";
import type { TopicId } from "../../../topics/topic.ts";
import type { Millis } from "../../../util/clock.ts";
import { compareNames } from "../../../util/names.ts";
import type { Desk } from "../desk.ts";
import { shownNamespaces } from "../filter.ts";
import { mutedUntil } from "../topics/seen.ts";
import type { Listed } from "./list.tsx";
import { countStates, SHOWN_STATES, shownState } from "./state.ts";

/** Rows on a page. */
const ROWS = 100;
/** Read at once, and of one namespace at most: beyond that the heading counts what it has seen. */
const PAGE = 200;
const MOST_READ = 5_000;
/** Tags to choose from. */
const MOST_TAGS = 20;

type ListDeps = Pick<Deps, "store"> & { turn: () => Promise<void> };

export async function listOf(deps: ListDeps, desk: Desk, query: URLSearchParams): Promise<Listed> {
  const state = oneOf(query, "state", SHOWN_STATES);
  const tag = text(query, "tag", MAX_TAG_CHARACTERS);
  const from = integer(query, "from", { min: 0, max: Number.MAX_SAFE_INTEGER, default: 0 });
  const { now } = desk;
  const checks: Check[] = [];
  for (const { id } of shownNamespaces(desk)) checks.push(...(await allOf(deps, id)));
  checks.sort(byName);
  const chosen = checks.filter(
    ({ standing }) =>
      (state === undefined || shownState(standing, now) === state) &&
      (tag === undefined || standing.settings.tags.includes(tag)),
  );
  const page = chosen.slice(from, from + ROWS);
  const histories = await deps.store.checks.histories(page, SHOWN_RUNS);
  const muted = await mutedOf(deps, page, now);
  return {
    rows: page.map((check) => ({
      check,
      mutedUntil: muted.get(check.topic.id),
      runs: pastRuns(check.standing, histories.get(check.row) ?? { ends: [], incidents: [] }, now),
    })),
    wanted: { ...(state !== undefined && { state }), ...(tag !== undefined && { tag }), from },
    counts: countStates(checks, now),
    all: checks.length,
    tags: [...new Set(checks.flatMap(({ standing }) => standing.settings.tags))].sort().slice(0, MOST_TAGS),
    hasMore: chosen.length > from + page.length,
  };
}

/** The topics of these checks that are muted by themselves, and until when. */
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

/** As people look for names; those of one name by id, so that no row ever jumps. */
const byName = (a: Check, b: Check): number =>
  compareNames(a.standing.settings.name, b.standing.settings.name) || (a.id < b.id ? -1 : 1);
