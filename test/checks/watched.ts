/** A server that watches checks, with a clock that the test controls. */
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
  /** Makes a check in namespace `home`, without grace unless the body sets one. */
  check(body: object): Promise<TestCheck>;
  /** Makes a check and pings it once. */
  pinged(body: object): Promise<TestCheck>;
  ping(check: TestCheck, suffix?: string): Promise<void>;
  act(check: TestCheck, action: string, body?: object): Promise<void>;
  read(check: TestCheck): Promise<TestCheck>;
  /** The messages in its topic, oldest first. */
  alerts(check: TestCheck): Promise<TestMessage[]>;
  /** The alerts, once there are `count` of them. */
  alerted(check: TestCheck, count: number): Promise<TestMessage[]>;
  /** Resolves when nothing is due any more. */
  idle(): Promise<void>;
  /** Advances the clock in small steps, so that the alerter ticks on the way, then waits until nothing is due. */
  pass(ms: number): Promise<void>;
  /** Seconds since the alerter last ticked. */
  tickAge(): Promise<number>;
  /** Runs SQL on the database file without the server's knowledge. */
  tamper(sql: string): void;
}

/** The alerter ticks at least this often. */
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
        // an alert that is stored later would get a later time
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
