/** What the overview shows, read at once. */
import { pastRuns, SHOWN_RUNS, type PastRun } from "../../../checks/past-runs.ts";
import type { Check } from "../../../checks/check.ts";
import type { Deps } from "../../../deps.ts";
import type { NamespaceId } from "../../../keys/namespace.ts";
import { draftOf, type Draft, type Message } from "../../../messages/message.ts";
import type { Failure, Trouble } from "../../../store/overview.ts";
import type { Topic } from "../../../topics/topic.ts";
import { countStates } from "../checks/state.ts";
import { FAILED_MS, type Desk } from "../desk.ts";
import { shownNamespaces } from "../filter.ts";

/** A message of any topic. */
export interface Peek {
  topic: Topic;
  message: Message;
  draft: Draft;
}

export interface Overview {
  trouble: Trouble;
  checks: { all: number; late: number };
  down: { check: Check; runs: readonly PastRun[] }[];
  failures: (Failure & { draft: Draft })[];
  /** Urgent ones that nobody has acknowledged. */
  waiting: Peek[];
  latest: Peek[];
  started: { message: boolean; device: boolean; check: boolean; https: boolean };
}

const LATEST = 20;
/** Rows of what is wrong; the rest is a number and a link. */
const MOST_DOWN = 20;
const MOST_FAILURES = 5;
const MOST_WAITING = 5;
/** Who is late is asked of every check: not where there are more. */
const MOST_CHECKS = 200;
/** An urgent message is repeated for an hour; whoever has not answered for a day will not. */
const WAITING_MS = FAILED_MS;

export async function gather({ store }: Pick<Deps, "store">, desk: Desk): Promise<Overview> {
  const { now, view } = desk;
  const ids = shownNamespaces(desk).map(({ id }) => id);
  const failedSince = now - FAILED_MS;
  const [trouble, states, down, failures, waiting, latest, lastSeq, hasDevice] = await Promise.all([
    desk.chosen === undefined ? desk.trouble : store.overview.trouble(ids, failedSince),
    store.overview.checks(ids),
    store.overview.down(ids, MOST_DOWN),
    store.overview.failures(ids, failedSince, MOST_FAILURES),
    store.overview.unanswered(ids, now - WAITING_MS, MOST_WAITING),
    store.overview.latest(ids, LATEST),
    store.messages.lastSeq(),
    store.overview.hasDevice(),
  ]);
  const all = states.new + states.up + states.down + states.paused;
  const histories = await store.checks.histories(down, SHOWN_RUNS);
  const peek = <One extends { message: Message }>(one: One) => ({ ...one, draft: draftOf(one.message) });
  return {
    trouble,
    checks: { all, late: all > MOST_CHECKS ? 0 : await lateOf(store, ids, now) },
    down: down.map((check) => ({
      check,
      runs: pastRuns(check.standing, histories.get(check.row) ?? { ends: [], incidents: [] }, now),
    })),
    failures: failures.map(peek),
    waiting: waiting.map(peek).filter(({ draft }) => draft.status !== "resolved"),
    latest: latest.map(peek),
    started: {
      message: lastSeq > 0,
      device: hasDevice,
      check: all > 0,
      https: view.url.startsWith("https:"),
    },
  };
}

async function lateOf(store: Deps["store"], ids: readonly NamespaceId[], now: number): Promise<number> {
  const lists = await Promise.all(ids.map(async (id) => store.checks.list(id, { limit: MOST_CHECKS })));
  return countStates(
    lists.flatMap(({ checks }) => checks),
    now,
  ).late;
}
