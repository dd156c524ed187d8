/** A server that watches checks, with the clock in the test's hand. */
import { Database } from "bun:sqlite";
import { join } from "node:path";
import { actOn, checkOf, newCheck, type TestCheck } from "../support/checks.ts";
import type { TestMessage } from "../support/client.ts";
import { heldClock, type HeldClock } from "../support/clock.ts";
import { eventually } from "../support/eventually.ts";
import { type InProcess, inProcess } from "../support/server.ts";
import { turns } from "../support/turns.ts";

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

export interface Watched extends AsyncDisposable {
  peal: InProcess;
  clock: HeldClock;
  /** Makes a check of namespace `home`, without grace unless the body has one. */
  check(body: object): Promise<TestCheck>;
  /** The same, after its first ping. */
  pinged(body: object): Promise<TestCheck>;
  ping(check: TestCheck, suffix?: string): Promise<void>;
  act(check: TestCheck, action: string, body?: object): Promise<void>;
  read(check: TestCheck): Promise<TestCheck>;
  /** What its topic was told, oldest first. */
  alerts(check: TestCheck): Promise<TestMessage[]>;
  /** The alerts, once there are so many. */
  alerted(check: TestCheck, count: number): Promise<TestMessage[]>;
  /** Until nothing is due any more. */
  idle(): Promise<void>;
  /** Lets time pass as it does, so that the alerter ticks on the way, and then until nothing is due. */
  pass(ms: number): Promise<void>;
  /** Seconds since the alerter ticked. */
  tickAge(): Promise<number>;
  /** The database file under the server's hands. */
  tamper(sql: string): void;
}

/** At least so often the alerter ticks. */
const STEP_MS = 15 * SECOND;

export async function watched(): Promise<Watched> {
  const clock = heldClock();
  const peal = await inProcess({ clock });

  const check: Watched["check"] = async (body) => newCheck(peal, { grace: 0, ...body });
  const ping: Watched["ping"] = async ({ ping_url }, suffix = "") => {
    const response = await peal.request(new URL(ping_url).pathname + suffix, { method: "POST" });
    if (response.status !== 200) throw new Error(`the ping was answered ${response.status}`);
  };
  const alerts: Watched["alerts"] = async ({ topic }) => peal.history({ namespace: "home", key: topic });
  const tickAge = async () => {
    const text = await (await peal.request("/metrics")).text();
    return Number(/^peal_alerter_tick_age_seconds (.*)$/m.exec(text)?.[1]);
  };
  const nextAt = async () => (await peal.running.deps.store.checks.nextAt()) ?? Infinity;
  const nothingDue = async () => eventually("nothing to be due", async () => (await nextAt()) > clock.now());
  const idle = async () => {
    await nothingDue();
    await eventually("a tick", async () => (await tickAge()) <= STEP_MS / SECOND);
  };

  return {
    [Symbol.asyncDispose]: async () => peal[Symbol.asyncDispose](),
    ...{ peal, clock, check, ping, alerts, idle, tickAge },
    pinged: async (body) => {
      const made = await check(body);
      await ping(made);
      return made;
    },
    act: async (one, action, body = {}) => {
      await actOn(peal, one.id, action, body);
    },
    read: async ({ id }) => checkOf(peal, id),
    alerted: async (one, count) =>
      eventually(`${count} alerts`, async () => {
        const found = await alerts(one);
        return found.length >= count ? found : undefined;
      }),
    pass: async (ms) => {
      for (const end = clock.now() + ms; clock.now() < end;) {
        // an alert that is stored later would have a later time
        clock.advance(Math.min(await nextAt(), end, clock.now() + STEP_MS) - clock.now());
        await turns();
        await nothingDue();
      }
      await idle();
    },
    tamper: (sql) => {
      using database = new Database(join(peal.dataDir, "peal.db"));
      database.run("PRAGMA busy_timeout = 5000");
      database.run(sql);
    },
  };
}
