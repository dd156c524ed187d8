/**
 * Sends what waits in the outbox, until it is accepted, too late, or its device is gone (DELIVERY.md §2, §3). Its three
 * parts make deliveries (fanout.ts), end what is too late (expiry.ts) and send (flights.ts); here they take turns.
 */
import type { Deps } from "../deps.ts";
import type { DeviceRow } from "../devices/device.ts";
import { type Millis, systemClock } from "../util/clock.ts";
import { dueTimer } from "../util/duetimer.ts";
import { createTurns } from "../util/turns.ts";
import type { Courier } from "./courier.ts";
import type { Credentials } from "./credentials/credentials.ts";
import type { Lane as LaneName } from "./delivery.ts";
import { createExpiry } from "./expiry.ts";
import { createFanout } from "./fanout.ts";
import { Flights } from "./flights.ts";
import type { Lane } from "./lanes/lane.ts";
import { createPace } from "./lanes/pace.ts";
import { Queues } from "./lanes/queues.ts";
import { Rests } from "./lanes/rests.ts";
import { createOutcomeWriter } from "./outcome-writer.ts";
import type { Status } from "./status.ts";

export interface Engine {
  lane(name: LaneName): Lane | undefined;
  lanes(): Iterable<Lane>;
  /** Until when nothing is sent to the device, since its push service wants no more for it, epoch ms. */
  restsUntil(device: DeviceRow): Millis | undefined;
  /** The number of pushes under way, each until it is written what became of it. */
  inFlight(): number;
  /** Pushes are under way, or being started. */
  isAtWork(): boolean;
  start(): void;
  stop(): Promise<void>;
}

type EngineDeps = Pick<Deps, "store" | "clock" | "bus" | "log" | "metrics"> & {
  courier: Courier;
  credentials: Credentials;
  status: Status;
  labelOf: (lane: LaneName) => string;
};

/** Nothing is polled more often than this: a commit wakes the engine. */
const LOOK_MS = 15_000;
/** Docker kills a process 10 s after it asked it to stop. */
const PATIENCE_MS = 8_000;

export function createEngine(deps: EngineDeps): Engine {
  const { store, clock, bus, log, credentials, status } = deps;
  const turn = createTurns();
  const pace = createPace(clock);
  const rests = new Rests(clock);
  const queues = new Queues(store.deliveries, clock);
  const writer = createOutcomeWriter(deps);
  const fanout = createFanout(deps, queues);
  const expiry = createExpiry(deps);
  const alarm = onceATurn(() => {
    if (stopped) return;
    timer.wake(clock.now());
    timer.start();
  });
  const flights = new Flights({ ...deps, queues, rests, writer, wake: alarm.ask });
  let lookedAt = -Infinity;
  let stopped = false;

  /** Notices what others may have changed: the files of credentials, the store. */
  async function look(): Promise<void> {
    for (const platform of credentials.reread()) {
      log.info("credentials were replaced", { platform });
      for (const lane of queues.lanes()) if (lane.platform === platform) lane.renew(clock.monotonic());
    }
    flights.retryBroken();
    queues.keepPending(await store.deliveries.lanes());
    status.look(queues.lanes());
    await status.tell();
    expiry.forget();
    lookedAt = clock.monotonic();
  }

  /** Resolves to the next time at which something is due that no answer and no commit tells of. */
  async function work(isStopped: () => boolean): Promise<Millis> {
    for (let mayBeMore = true; (mayBeMore || fanout.isDue) && !isStopped();) {
      if (clock.monotonic() - lookedAt >= LOOK_MS) await look();
      if (expiry.isDue) await expiry.run(isStopped);
      if (rests.end()) for (const queue of queues.all()) queue.mayHaveMore = true;
      queues.refreshLate();
      if (fanout.isDue) await fanout.expand();
      const started = await flights.start(pace.slice());
      mayBeMore = started.cost > 0;
      await (started.isFull ? Bun.sleep(pace.restMs()) : turn());
    }
    return Math.max(Math.min(expiry.at, flights.nextAt()), clock.now() + 1);
  }

  const timer = dueTimer(clock, {
    work,
    longestWaitMs: LOOK_MS,
    onFailure: (error, failures) => {
      log.error("deliveries failed", { failures, error });
    },
  });
  const unsubscribe = bus.onAll((events) => {
    if (events.some(({ kind }) => kind === "message")) pace.noteMessage();
    if (!events.some(({ kind }) => kind === "outbox")) return;
    fanout.note();
    alarm.ask();
  });

  return {
    lane: (name) => queues.lane(name),
    restsUntil: (device) => rests.until(device),
    lanes: () => queues.lanes(),
    inFlight: () => flights.count,
    isAtWork: () => flights.count > 0 || alarm.isAsked() || timer.isAtWork(),
    start: () => {
      timer.start();
    },
    stop: async () => {
      stopped = true;
      unsubscribe();
      await timer.stop();
      // by the machine's clock: how long a process takes to end has nothing to do with the time that deliveries go by
      await Promise.race([flights.landed(), new Promise<void>((late) => systemClock.after(PATIENCE_MS, late))]);
      writer.stop();
    },
  };
}

/** Runs `action` once for all that ask in one turn of the event loop, in a later turn. */
function onceATurn(action: () => void): { ask: () => void; isAsked: () => boolean } {
  let isAsked = false;
  return {
    isAsked: () => isAsked,
    ask: () => {
      if (isAsked) return;
      isAsked = true;
      setImmediate(() => {
        isAsked = false;
        action();
      });
    },
  };
}
