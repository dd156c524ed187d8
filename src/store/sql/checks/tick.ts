/** Handles checks whose time has come: one slice of them as one job. */
import { eq } from "drizzle-orm";
import type { CheckRow } from "../../../checks/check.ts";
import { HOUR, type Millis } from "../../../util/clock.ts";
import type { CheckStore, Rules, Slice } from "../../checks.ts";
import type { Committed } from "../../store.ts";
import type { CheckReader, Due } from "./rows.ts";
import { placeholders, prepared } from "../statements.ts";
import type { Engine } from "../engine.ts";
import { isExhausted, savepoints } from "../differences.ts";
import { check } from "../schema/schema.ts";
import { decided, isIdle, type Settle, type Settlement } from "./settle.ts";

const given = placeholders<typeof check>();

/** A check that cannot be decided or reported is tried again after this time. */
const PUT_OFF_MS = HOUR;
/**
 * `tick` of the port: topic by topic, each whole whatever the budget, so that many alerts of one topic can be one message. A
 * topic is first decided, which is pure, then stored in a savepoint; if that throws, check by check, so that only the faulty
 * one is left out.
 */
export function ticker(engine: Engine, reader: CheckReader, settle: Settle): CheckStore["tick"] {
  const { write, writer, clock } = engine;
  const nested = savepoints(write.$client);
  const putOff = prepared(() => write.update(check).set({ dueAt: given.dueAt }).where(eq(check.row, given.row)));

  const slice = (now: Millis, rules: Rules, { limit, budgetMs }: { limit: number; budgetMs: number }) => {
    const failed: { row: CheckRow; id: string; error: unknown }[] = [];
    /** Checks of deleted namespaces, which the sweeper deletes. */
    const left: CheckRow[] = [];
    const events: Committed[] = [];
    const started = clock.monotonic();
    let looked = 0;

    const decide = ({ row }: Due): Settlement | undefined => {
      looked++;
      const { id, isGone, read } = reader.at(row);
      if (isGone) {
        left.push(row);
        return undefined;
      }
      try {
        const settlement = decided(read(), rules);
        const { dueAt = Infinity } = settlement.check;
        if (isIdle(settlement) && dueAt <= now) throw new Error("nothing changes, and it stays due");
        return settlement;
      } catch (error) {
        failed.push({ row, id, error });
        return undefined;
      }
    };
    const store = (some: readonly Settlement[]) => {
      try {
        events.push(...nested(() => settle(some, rules)));
      } catch (error) {
        if (!write.$client.inTransaction || isExhausted(error)) throw error;
        if (some.length > 1) for (const one of some) store([one]);
        else failed.push(...some.map(({ check: { row, id } }) => ({ row, id, error })));
      }
    };

    for (const ofTopic of wholeTopics(reader.due(now, limit), limit)) {
      if (looked > 0 && clock.monotonic() - started >= budgetMs) break;
      store(ofTopic.map(decide).filter((one) => one !== undefined));
    }
    for (const row of [...left, ...failed.map(({ row }) => row)]) putOff.run({ row, dueAt: now + PUT_OFF_MS });
    const result: Slice = { looked, failed: failed.map(({ id, error }) => ({ id, error })) };
    const nextAt = reader.nextAt();
    if (nextAt !== undefined) result.nextAt = nextAt;
    return { result, events: [...new Set(events)] }; // several topics announce only once that deliveries are to be made
  };
  return async (now, rules, limits) => writer.run(() => slice(now, rules, limits));
}

/** Due checks by topic. A topic that may continue beyond the limit is left to the next slice, where it is whole. */
function wholeTopics(due: readonly Due[], limit: number): Due[][] {
  const topics = [...Map.groupBy(due, ({ topicId }) => topicId).values()];
  const last = due.length < limit ? undefined : due.at(-1);
  return topics.length === 1 ? topics : topics.filter((ofTopic) => ofTopic.at(-1) !== last);
}
