/**
 * Counts messages by day and hour without extra writes: committed messages are counted in memory, and the counts are written with
 * a later commit. Counts that a crash or an end loses are made again from the messages when the store opens.
 */
import type { NamespaceId } from "../../../keys/namespace.ts";
import type { Level } from "../../../drafts/draft.ts";
import type { TopicId } from "../../../topics/topic.ts";
import { dayHere } from "../../../util/calendar.ts";
import { type Clock, HOUR, type Millis } from "../../../util/clock.ts";
import { type ByLevel, NO_MESSAGES } from "../../days.ts";
import type { Committed } from "../../store.ts";
import { type Orm, isDamage } from "../differences.ts";
import { dayRow, DAYS, hourRow, HOURS } from "./rollup.ts";
import type { Settings } from "../settings.ts";

/** The counts go with the next commit after this time or this many messages; as many are counted again when the store opens. */
const LONGEST_MS = 10_000;
const MOST = 1_000;

// by hand: under load they run for each topic and namespace that gets messages. A topic may be gone meanwhile
const add = (
  table: string,
  unit: string,
  owner: string,
) => `INSERT INTO ${table} AS was (row, ${unit}, info, success, warning, error)
  SELECT ?, ?, ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM ${owner} WHERE row = ?)
  ON CONFLICT (row) DO UPDATE SET info = was.info + excluded.info, success = was.success + excluded.success,
    warning = was.warning + excluded.warning, error = was.error + excluded.error`;
const ADD_DAY = add("topic_day", "day", "topic");
const ADD_HOUR = add("namespace_hour", "hour", "namespace");
const UNCOUNTED = `SELECT row AS seq, topic_id AS topicId, namespace_id AS namespaceId, created_at AS createdAt, level
  FROM message WHERE row > ? ORDER BY row`;

/** The part of a message that is counted. */
interface One {
  seq: number;
  createdAt: Millis;
  level: Level;
}
interface Of {
  topicId: TopicId;
  namespaceId: NamespaceId;
}
type Counts = Record<Level, number>;

/** What is not written yet, by row. */
export interface Untold {
  days: ReadonlyMap<number, ByLevel>;
  hours: ReadonlyMap<number, ByLevel>;
}

export interface Tally {
  /** Inside a transaction, after its jobs. */
  write(): void;
  /** Called after the commit. */
  heard(events: readonly Committed[]): void;
  untold: Untold;
}

export function openTally({ $client: db }: Orm, settings: Settings, clock: Pick<Clock, "monotonic">): Tally {
  const addDay = db.prepare(ADD_DAY);
  const addHour = db.prepare(ADD_HOUR);
  const untold = { days: new Map<number, Counts>(), hours: new Map<number, Counts>() };
  let messages = 0;
  let lastSeq = 0;
  let since = -Infinity;
  let isWritten = false;

  const bump = (counts: Map<number, Counts>, row: number, level: Level) => {
    const known = counts.get(row);
    if (known === undefined) counts.set(row, { ...NO_MESSAGES, [level]: 1 });
    else known[level]++;
  };
  const count = (topicId: TopicId, namespaceId: NamespaceId, { seq, createdAt, level }: One) => {
    if (messages++ === 0) since = clock.monotonic();
    lastSeq = seq;
    bump(untold.days, dayRow(topicId, dayHere(createdAt).day), level);
    bump(untold.hours, hourRow(namespaceId, Math.floor(createdAt / HOUR)), level);
  };
  const isDue = () => messages > 0 && (messages >= MOST || clock.monotonic() - since >= LONGEST_MS);

  try {
    const uncounted = db.query<One & Of, [number]>(UNCOUNTED).iterate(Number(settings.get("tallied_to") ?? 0));
    for (const one of uncounted) count(one.topicId, one.namespaceId, one);
  } catch (error) {
    // pictures must not prevent a start: the next read of a damaged page finds and reports it
    if (!isDamage(error)) throw error;
  }

  return {
    untold,
    write: () => {
      isWritten = isDue();
      if (!isWritten) return;
      for (const [row, { info, success, warning, error }] of untold.days)
        addDay.run(row, row % DAYS, info, success, warning, error, Math.floor(row / DAYS));
      for (const [row, { info, success, warning, error }] of untold.hours)
        addHour.run(row, row % HOURS, info, success, warning, error, Math.floor(row / HOURS));
      settings.set("tallied_to", String(lastSeq));
    },
    heard: (events) => {
      if (isWritten) {
        untold.days.clear();
        untold.hours.clear();
        messages = 0;
        isWritten = false;
      }
      for (const event of events) {
        if (event.kind === "message") count(event.topic.id, event.topic.namespaceId, event.message);
        if (event.kind !== "imported") continue;
        for (const message of event.messages) count(event.topicId, event.namespaceId, message);
      }
    },
  };
}
