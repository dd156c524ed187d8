/** When the clock is set back, everything that waits is moved once, whatever is written meanwhile (CHECKINS.md §5). */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { createClockWatch } from "../../src/ops/clockwatch.ts";
import { noticing } from "../../src/util/setback.ts";
import { heldClock } from "../support/clock.ts";
import { keptLog } from "../support/log.ts";
import { turns } from "../support/turns.ts";
import type { OpenEngine } from "./conformance/engine.ts";
import { HOUR, plan, subscribers } from "./conformance/subscribing.ts";
import { folder, openIn } from "./sqlite.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** A store with a clock that notices changes, and its file. */
async function watchedStore() {
  const dir = folder();
  const held = heldClock();
  const clock = noticing(held);
  const open: OpenEngine = async (options) => {
    const store = await openIn(dir.path, { ...options, clock });
    return { store, reopen: async () => store, [Symbol.asyncDispose]: async () => store.close() };
  };
  const peal = await subscribers(open, {}, held);
  const watch = createClockWatch({ store: peal.store, clock, log: keptLog(held).log });
  return {
    ...{ peal, held, clock },
    tamper: (sql: string) => {
      using db = new Database(`${dir.path}/peal.db`);
      db.run(sql);
    },
    [Symbol.asyncDispose]: async () => {
      await watch.stop();
      await peal[Symbol.asyncDispose]();
      dir[Symbol.dispose]();
    },
  };
}

test("a push that is written in the commit that notices the change keeps its full time", async () => {
  await using on = await watchedStore();
  const { peal, held } = on;
  const topic = await peal.topic("alerts");
  const { device } = await peal.device("phone", [topic]);
  await peal.publish("alerts");
  held.advance(MINUTE);
  held.jump(-3 * HOUR);
  const [, { made }] = await Promise.all([peal.publish("alerts"), peal.store.deliveries.expand(plan, 10)]);
  expect(made).toBe(2);
  await turns();
  const [now, waiting] = [held.now(), await peal.waiting(device)];
  expect(waiting.map(({ createdAt, dueAt }) => [createdAt, dueAt])).toEqual([[now, now], [now, now]]); // prettier-ignore
  expect(waiting.map(({ expiresAt }) => expiresAt)).toEqual([now + HOUR, now + HOUR - MINUTE]);
});

test("when a failed move is tried again, what was delayed since is not moved", async () => {
  await using on = await watchedStore();
  const { peal, held, clock } = on;
  const delay = async (message: string) => {
    const draft = { message, level: "info", priority: "normal", format: "text", source: "api" } as const;
    const given = { namespaceId: peal.home.id, to: { name: "later" }, draft };
    await peal.store.messages.publish({ ...given, deliverAt: clock.now() + 4 * HOUR, delayMs: 4 * HOUR });
  };
  await delay("before");
  on.tamper(
    "CREATE TRIGGER stuck BEFORE UPDATE ON scheduled BEGIN SELECT RAISE(ABORT, 'not now'); END", // makes only the move fail
  );
  held.jump(-3 * HOUR);
  await delay("after");
  await turns();
  on.tamper("DROP TRIGGER stuck");
  held.advance(SECOND);
  await turns();
  const { scheduled } = await peal.store.scheduled.list(peal.home.id, { limit: 10 });
  const due = scheduled.map(({ draft, deliverAt }) => [draft.message, deliverAt - held.now()]);
  expect(due).toEqual([
    ["before", 4 * HOUR - SECOND],
    ["after", 4 * HOUR - SECOND],
  ]);
});
