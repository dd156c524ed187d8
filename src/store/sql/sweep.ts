/** Messages beyond retention, rows of what is deleted, and everything that has become too old or idle: all deleted in slices of time. */
import { asc, between, eq, gt, lte } from "drizzle-orm";
import { type Clock, DAY } from "../../util/clock.ts";
import { createTurns, SLICE_MS } from "../../util/turns.ts";
import { REQUESTS_KEPT_MS } from "../hooks.ts";
import type { Store } from "../store.ts";
import { execute, type Orm } from "./differences.ts";
import { deleteSome, placeholders, prepared } from "./statements.ts";
import { topicDay } from "./schema/days.ts";
import type { Discards } from "./messages/discards.ts";
import { pruner, type Retention } from "./messages/retention.ts";
import { silently } from "./job.ts";
import type { Engine } from "./engine.ts";
import type { Writer } from "./job.ts";
import type { HookSweeper } from "./hooks/hooks.ts";
import { IDEMPOTENCY_MS } from "./messages/idempotency.ts";
import type { Purge } from "./deliveries/purge.ts";
import { ofDays } from "./days/rollup.ts";
import { idempotency, type message, scheduled, topic } from "./schema/schema.ts";
import type { Subscriptions } from "./devices/subscriptions.ts";
import type { Tombs } from "./keys/tombs.ts";

const given = placeholders<typeof message, "after" | "first" | "last" | "before">();

/** How many topics are looked through at once; most need nothing. */
const TOPICS = 100;
/** How many rows the first slice deletes: 5–10 µs each. Later ones follow the time that the one before took. */
const FIRST_ROWS = 100;
const MAX_ROWS = 1_000;

/** How long settled deliveries are kept; then only their number is. */
const SETTLED_MS = 7 * DAY;
const LOST_MS = 30 * DAY;
/** Anybody may register devices: one that follows nothing is kept for this long after its last sign of life. */
const IDLE_MS = 30 * DAY;

type TopicRow = typeof topic.$inferSelect;

interface Parts {
  subscriptions: Subscriptions;
  purge: Purge;
  tombs: Tombs;
  purgeSessions: (limit: number) => number;
  discards: Pick<Discards, "purge">;
  expireAttachments: (limit: number) => number;
  hooks: HookSweeper;
  purgeDays: (limit: number) => number;
}

/** `sweep` of the port. Each call continues where the one before ended. */
export function sweeper(
  { read, write, writer, clock, namespaces }: Engine,
  { subscriptions, purge, tombs, purgeSessions, discards, expireAttachments, hooks, purgeDays }: Parts,
): Store["sweep"] {
  const q = queries(read, write);
  const turn = createTurns();
  const slice = slicer(writer, clock);
  const pruneOf = pruner(read, write, clock);
  let after = 0;

  /** False: the time was up before the end. */
  const sweepTopic = async (row: TopicRow, retention: Retention, deadline: number): Promise<boolean> => {
    const { row: topicId, deletedAt } = row;
    const prune = pruneOf(row, retention);
    if (prune !== undefined) while (await slice(prune)) if (clock.monotonic() >= deadline) return false;
    if (deletedAt !== null) {
      const unschedule = (limit: number) => execute(q.unschedule, { topicId, limit }).changes;
      const unsubscribe = (limit: number) => subscriptions.sweep(topicId, limit);
      const unhook = (limit: number) => hooks.ofTopic(topicId, limit);
      for (const take of [unschedule, unsubscribe, unhook])
        while (await slice(take)) if (clock.monotonic() >= deadline) return false;
      await silently(writer, () => {
        q.forgetDays.run(ofDays(topicId));
        q.forget.run({ topicId });
      });
    }
    return true;
  };

  return async (retention, budgetMs) => {
    const started = clock.monotonic();
    const deadline = started + budgetMs;
    let pause = started + SLICE_MS;
    for (const id of namespaces.gone()) {
      while (await slice((limit) => tombs.take(id, limit))) if (clock.monotonic() >= deadline) return true;
    }
    for (let page = q.topics.all({ after }); page.length > 0; page = q.topics.all({ after })) {
      for (const row of page) {
        if (!(await sweepTopic(row, retention, deadline))) return true;
        after = row.row;
        const now = clock.monotonic();
        if (now >= deadline) return true;
        if (now < pause) continue;
        await turn();
        pause = clock.monotonic() + SLICE_MS;
      }
    }
    after = 0;
    for (const id of namespaces.gone()) await tombs.close(id);
    const now = clock.now();
    const forget = (limit: number) => execute(q.expire, { before: now - IDEMPOTENCY_MS, limit }).changes;
    const old = { settledBefore: now - SETTLED_MS, lostBefore: now - LOST_MS, idleBefore: now - IDLE_MS };
    const forgetRequests = (limit: number) => hooks.requests(now - REQUESTS_KEPT_MS, limit);
    const purgeOld = (limit: number) => purge(old, limit);
    for (const take of [forget, purgeOld, purgeSessions, discards.purge, forgetRequests, expireAttachments, purgeDays])
      while (await slice(take)) if (clock.monotonic() >= deadline) return true;
    return false;
  };
}

/** Deletes as many rows as fit into a slice, as one job. False: there are no more. */
function slicer(writer: Writer, clock: Clock): (take: (limit: number) => number) => Promise<boolean> {
  let rows = FIRST_ROWS;
  return async (take) => {
    const limit = rows;
    let ms = 0;
    const taken = await writer.run(() => {
      const started = clock.monotonic();
      const after = () => {
        ms = clock.monotonic() - started; // with the COMMIT, which takes longer than deleting
      };
      return { result: take(limit), after };
    });
    if (taken === limit) rows = Math.round(Math.min(MAX_ROWS, 2 * rows, Math.max(1, (rows * SLICE_MS) / ms)));
    return taken === limit;
  };
}

function queries(read: Orm, write: Orm) {
  return {
    topics: prepared(() =>
      read.select().from(topic).where(gt(topic.row, given.after)).orderBy(asc(topic.row)).limit(TOPICS),
    ),
    unschedule: prepared(() => deleteSome(write, scheduled, eq(scheduled.topicId, given.topicId))),
    forgetDays: prepared(() => write.delete(topicDay).where(between(topicDay.row, given.first, given.last))),
    forget: prepared(() => write.delete(topic).where(eq(topic.row, given.topicId))),
    expire: prepared(() =>
      deleteSome(write, idempotency, lte(idempotency.createdAt, given.before), asc(idempotency.createdAt)),
    ),
  };
}
