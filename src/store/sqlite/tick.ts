/** The checks whose time has come: one slice of them as one job. */
import { eq, sql } from "drizzle-orm";
import type { Millis } from "../../util/clock.ts";
import type { CheckStore, Rules, Slice } from "../checks.ts";
import type { Committed } from "../store.ts";
import type { CheckReader } from "./checkrows.ts";
import type { Engine } from "./engine.ts";
import { isExhausted, savepoints } from "./savepoint.ts";
import { check } from "./schema.ts";
import { decided, isIdle, type Settle, type Settlement } from "./settle.ts";

/** A check that cannot be decided or told is looked at again after so long. */
const PUT_OFF_MS = 3_600_000;
/** What storing a check takes, before it was measured. */
const FIRST_STORE_MS = 0.05;

/**
 * `tick` of the port. A slice first decides, which is pure, then stores topic by topic, each in a savepoint, so that five alerts
 * of one topic can be one message; where that throws, check by check, so that only the one at fault stays behind.
 */
export function ticker(engine: Engine, reader: CheckReader, settle: Settle): CheckStore["tick"] {
  const { write, writer, clock } = engine;
  const nested = savepoints(write.$client);
  const putOff = write
    .update(check)
    .set({ dueAt: sql`${sql.placeholder("dueAt")}` })
    .where(eq(check.id, sql.placeholder("id")))
    .prepare();

  /** Of the slice before, by the check. */
  let storeMs = FIRST_STORE_MS;

  const slice = (now: Millis, rules: Rules, { limit, budgetMs }: { limit: number; budgetMs: number }) => {
    const failed: { id: string; error: unknown }[] = [];
    const events: Committed[] = [];
    const settlements: Settlement[] = [];

    const decide = (due: ReturnType<CheckReader["due"]>[number]) => {
      try {
        const settlement = decided(due.read(), rules);
        const { dueAt = Infinity } = settlement.check;
        if (isIdle(settlement) && dueAt <= now) throw new Error("nothing changes, and it stays due");
        settlements.push(settlement);
      } catch (error) {
        failed.push({ id: due.id, error });
      }
    };
    const store = (some: readonly Settlement[]) => {
      try {
        events.push(...nested(() => settle(some, rules)));
      } catch (error) {
        if (!write.$client.inTransaction || isExhausted(error)) throw error;
        if (some.length > 1) for (const one of some) store([one]);
        else failed.push(...some.map(({ check: { id } }) => ({ id, error })));
      }
    };

    const started = clock.monotonic();
    let looked = 0;
    for (const due of reader.due(now, limit)) {
      if (looked > 0 && clock.monotonic() - started + looked * storeMs >= budgetMs) break;
      decide(due);
      looked++;
    }
    const decidedAt = clock.monotonic();
    for (const ofTopic of Map.groupBy(settlements, ({ check }) => check.topic.id).values()) store(ofTopic);
    for (const { id } of failed) putOff.run({ id, dueAt: now + PUT_OFF_MS });
    const took = (clock.monotonic() - decidedAt) / looked;
    const result: Slice = { looked, failed };
    const nextAt = reader.nextAt();
    if (nextAt !== undefined) result.nextAt = nextAt;
    const after = () => {
      if (looked > 0) storeMs = took;
    };
    return { result, events, after };
  };
  return async (now, rules, limits) => writer.run(() => slice(now, rules, limits));
}
