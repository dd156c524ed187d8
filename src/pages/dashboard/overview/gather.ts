/** Everything that the overview shows, read at once. */
import { pastRuns, SHOWN_RUNS, type PastRun } from "../../../checks/days/past-runs.ts";
import type { Check, CheckState } from "../../../checks/check.ts";
import type { Deps } from "../../../deps.ts";
import type { NamespaceId } from "../../../keys/namespace.ts";
import { draftOf, type Message } from "../../../messages/message.ts";
import type { Draft } from "../../../drafts/draft.ts";
import type { Failure, Trouble } from "../../../store/overview.ts";
import { type Opened, openedOf } from "../../feed/opened.ts";
import type { Millis } from "../../../util/clock.ts";
import type { Topic } from "../../../topics/topic.ts";
import { saidBy } from "../checks/said.ts";
import { countStates } from "../checks/state.ts";
import { type BlockedLanes, blockedLanes, NONE_BLOCKED } from "../deliveries/notes.tsx";
import { FAILED_MS } from "../desk.ts";
import type { Desk } from "../signed-in.ts";
import { shownNamespaces } from "../frame/filter.ts";
import { mutedUntil } from "../topics/glance.ts";
import { type LastDay, lastDayOf } from "./day.ts";

/** A message of any topic. */
export interface Peek {
  topic: Topic;
  message: Message;
  draft: Draft;
}

export interface Down {
  check: Check;
  runs: readonly PastRun[];
  /** The last line that its job printed before it failed. */
  said?: string;
  /** Nothing of its topic is pushed until then. */
  mutedUntil?: Millis;
}

/** What is open, and what somebody is on. */
export interface Open {
  trouble: Trouble;
  down: Down[];
  /** Down, and somebody is on it: as many as are shown. */
  takenDown: Down[];
  failures: (Failure & Peek)[];
  /** Messages that somebody should act on, or acts on. */
  opened: Opened;
}

export interface Overview extends Open {
  checks: Standings;
  /** How many checks are down that somebody is on. */
  handled: number;
  latest: Peek[];
  day: LastDay;
  /** Why publishes are refused, and what the operator is to do. */
  refusing: string | undefined;
  /** What keeps pushes from being sent: for admins, if no namespace is chosen. */
  blocked: BlockedLanes;
  started?: Started;
}

/** How many checks are down, fine and so on. Absent: it is not known which are late, so neither which are fine. */
export interface Standings {
  all: number;
  fine?: number;
  late?: number;
  paused: number;
  /** Never checked in. */
  fresh: number;
}

/** Which of the first steps are done. */
export type Started = Record<"message" | "device" | "check" | "https", boolean>;

const LATEST = 20;
/** The most rows of what is wrong; the rest is a number and a link. */
const MOST_DOWN = 20;
const MOST_FAILURES = 5;
/** To find late checks, each is looked at: not if there are more than this. */
const MOST_CHECKS = 200;

type GatherDeps = Pick<Deps, "store" | "delivery">;

/** `isBegun`: nothing of `started` is shown. */
export async function gather(deps: GatherDeps, desk: Desk, isBegun: boolean): Promise<Overview> {
  const { store } = deps;
  const { now } = desk;
  const ids = shownNamespaces(desk).map(({ id }) => id);
  // push services belong to the whole server: nobody is shown those that only others use
  const isAboutAll = desk.visitor.person.isAdmin && desk.chosen === undefined;
  const [states, open, latest, day, blocked, started] = await Promise.all([
    store.overview.checks(ids),
    openOf(deps, desk),
    store.overview.latest(ids, LATEST),
    lastDayOf(store.days, shownNamespaces(desk), now),
    isAboutAll ? blockedLanes(deps) : NONE_BLOCKED,
    isBegun ? undefined : startedOf(store, desk),
  ]);
  return {
    ...open,
    checks: await standings(store, { ids, now, states }),
    handled: states.down - open.trouble.down,
    latest: latest.map(peek),
    day,
    refusing: store.trouble(),
    blocked,
    ...(started && { started }),
  };
}

const peek = <One extends { message: Message }>(one: One) => ({ ...one, draft: draftOf(one.message) });

/** What is open in the namespaces that the page is about. */
export async function openOf({ store }: Pick<Deps, "store">, desk: Desk): Promise<Open> {
  const { now } = desk;
  const ids = shownNamespaces(desk).map(({ id }) => id);
  const [trouble, open, taken, failures, opened] = await Promise.all([
    store.overview.trouble(ids, now - FAILED_MS),
    store.overview.down(ids, MOST_DOWN),
    store.overview.down(ids, MOST_DOWN, true),
    store.overview.failures(ids, now - FAILED_MS, MOST_FAILURES),
    openedOf(store, { namespaces: ids }, now),
  ]);
  const histories = await store.checks.histories([...open, ...taken], SHOWN_RUNS);
  const runsOf = ({ row, standing }: Check) =>
    pastRuns(standing, histories.get(row) ?? { ends: [], incidents: [] }, now);
  const printed = await saidBy(
    store.checks,
    open.map((check) => ({ check, runs: runsOf(check) })),
  );
  const downOf = async (check: Check): Promise<Down> => {
    const topic = await store.topics.byKey(check.namespace, check.topic.key);
    const until = topic && mutedUntil(topic, now);
    const said = printed.get(check.row);
    return {
      ...{ check, runs: runsOf(check) },
      ...(said !== undefined && { said }),
      ...(until !== undefined && { mutedUntil: until }),
    };
  };
  return {
    trouble,
    down: await Promise.all(open.map(downOf)),
    takenDown: await Promise.all(taken.map(downOf)),
    failures: failures.latest.map(peek),
    opened,
  };
}

/** In all namespaces that the visitor sees, whichever is chosen, and in no other. */
async function startedOf({ overview, messages }: Deps["store"], { namespaces, visitor, view }: Desk): Promise<Started> {
  const { person } = visitor;
  const ids = namespaces.map(({ id }) => id);
  const [hasDevice, states, latest, lastSeq] = await Promise.all([
    overview.hasDevice(ids),
    overview.checks(ids),
    overview.latest(ids, 1),
    messages.lastSeq(),
  ]);
  return {
    // somebody who sees all namespaces is shown it as done even if retention has deleted it
    message: latest.length > 0 || (lastSeq > 0 && (person.isAdmin || person.namespaces === undefined)),
    device: hasDevice,
    check: Object.values(states).some((count) => count > 0),
    https: view.url.startsWith("https:"),
  };
}

interface Asked {
  ids: readonly NamespaceId[];
  now: number;
  states: Readonly<Record<CheckState, number>>;
}

async function standings(store: Deps["store"], { ids, now, states }: Asked): Promise<Standings> {
  const { new: fresh, up, down, paused } = states;
  const all = fresh + up + down + paused;
  if (all > MOST_CHECKS) return { all, paused, fresh };
  const lists = await Promise.all(ids.map(async (id) => store.checks.list(id, { limit: MOST_CHECKS })));
  const { late } = countStates(
    lists.flatMap(({ checks }) => checks),
    now,
  );
  return { all, fine: up - late, late, paused, fresh };
}
