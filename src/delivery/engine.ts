/** Sends what waits in the outbox, until it is accepted, too late, or its device is gone (docs/design/DELIVERY.md §2, §3). */
import type { Deps } from "../deps.ts";
import type { DeviceRow, Platform } from "../devices/device.ts";
import type { Settled } from "../store/deliveries.ts";
import { type Millis, systemClock } from "../util/clock.ts";
import { dueTimer } from "../util/duetimer.ts";
import { random } from "../util/ids.ts";
import { createTurns, SLICE_MS } from "../util/turns.ts";
import type { Courier } from "./courier.ts";
import type { Credentials } from "./credentials.ts";
import type { Lane as LaneName, Pending } from "./delivery.ts";
import { count } from "./figures.ts";
import { Lane } from "./lane.ts";
import { settle, sift, type Sifted, TOO_LATE } from "./outcome.ts";
import { planOf } from "./plan.ts";
import { createSettler } from "./settler.ts";
import type { Status } from "./status.ts";

export interface Engine {
  lane(name: LaneName): Lane | undefined;
  lanes(): Iterable<Lane>;
  start(): void;
  stop(): Promise<void>;
}

type EngineDeps = Pick<Deps, "store" | "clock" | "bus" | "log" | "metrics"> & {
  courier: Courier;
  credentials: Credentials;
  status: Status;
  labelOf: (lane: LaneName) => string;
};

/** Devices that one transaction makes deliveries for: 2 ms of the loop. */
const CHUNK = 300;
/** Of all lanes: Bun has 256 requests under way at most, and others than ours are among them. */
const MOST_BUSY = 192;
const STARTS_PER_TURN = 4;
/** Of a lane, so many that are due are looked up at once. */
const AHEAD = 100;
const FURTHEST = 20_000;
/** Of one device: what is beyond waits for the next look. */
const MOST_PENDING = 500;
/** All that is pending is due before. */
const FAR = Number.MAX_SAFE_INTEGER;
/** Nothing is polled more often: a commit wakes it. */
const LOOK_MS = 15_000;
/** Docker kills after 10 s. */
const PATIENCE_MS = 8_000;

/** A lane, and its devices that something is due for. */
interface Queue {
  lane: Lane;
  ready: DeviceRow[];
  /** More may be due than is in `ready`. */
  mayHaveMore: boolean;
  /** When the next is due, where none is now. */
  nextAt: Millis | undefined;
}

export function createEngine(deps: EngineDeps): Engine {
  const { store, clock, bus, log, metrics, courier, credentials, status, labelOf } = deps;
  const { deliveries } = store;
  const turn = createTurns();
  const settler = createSettler(deps);
  const queues = new Map<LaneName, Queue>();
  /** Devices with a push in flight, until it is noted what became of it. */
  const busy = new Set<DeviceRow>();
  const flights = new Set<Promise<void>>();
  /** Devices that get too much, and until when nothing is sent to them. */
  const resting = new Map<DeviceRow, Millis>();
  let mustExpand = true;
  let lookedAt = -Infinity;
  let expiryAt: Millis | undefined;
  let isKicked = false;
  let stopped = false;

  const lanes = () => [...queues.values()].map(({ lane }) => lane);
  function queueOf(name: LaneName): Queue {
    const known = queues.get(name);
    if (known !== undefined) return known;
    const lane = new Lane(name, clock.monotonic());
    const queue: Queue = { lane, ready: [], mayHaveMore: true, nextAt: undefined };
    queues.set(name, queue);
    return queue;
  }
  /** What is urgent comes first: what was looked up before is looked up again. */
  function refresh(queue: Queue): void {
    queue.ready = [];
    queue.mayHaveMore = true;
    queue.nextAt = undefined;
  }

  /** A slice of what waits for its fan-out. */
  async function expand(): Promise<void> {
    mustExpand = false; // what is published from here on says so again
    try {
      const { hasMore } = await deliveries.expand(planOf, CHUNK);
      for (const name of await deliveries.lanes()) refresh(queueOf(name));
      mustExpand ||= hasMore;
    } catch (error) {
      mustExpand = true;
      throw error;
    }
  }

  async function expire(isStopped: () => boolean): Promise<void> {
    expiryAt = await deliveries.nextExpiry();
    while (expiryAt !== undefined && expiryAt <= clock.now() && !isStopped()) {
      for (const [name, count] of await deliveries.expire(clock.now(), CHUNK))
        metrics.deliveries.of(labelOf(name), "expired", TOO_LATE).inc(count);
      expiryAt = await deliveries.nextExpiry();
      await turn();
    }
  }

  /** Begins with what others may have changed: the files of credentials, the store. */
  async function look(): Promise<void> {
    for (const platform of credentials.reread()) renew(platform);
    const pending = await deliveries.lanes();
    for (const name of pending) queueOf(name).mayHaveMore = true;
    const names = new Set(pending);
    for (const { lane } of queues.values())
      if (lane.isForgotten(clock.monotonic()) && !names.has(lane.name)) queues.delete(lane.name);
    for (const [device, until] of resting) if (until <= clock.now()) resting.delete(device);
    await status.tell();
    expiryAt = undefined;
    lookedAt = clock.monotonic();
  }
  function renew(platform: Platform): void {
    log.info("credentials were replaced", { platform });
    for (const lane of lanes()) if (lane.platform === platform) lane.renew(clock.monotonic());
  }

  async function work(isStopped: () => boolean): Promise<Millis | undefined> {
    for (let hasStarted = true; (hasStarted || mustExpand) && !isStopped();) {
      if (clock.monotonic() - lookedAt >= LOOK_MS) await look();
      if (expiryAt === undefined || expiryAt <= clock.now()) await expire(isStopped);
      for (const queue of queues.values()) if ((queue.nextAt ?? Infinity) <= clock.now()) refresh(queue);
      if (mustExpand) await expand();
      hasStarted = await startSome();
      await turn();
    }
    return soonest();
  }

  /** Starts a few of what may be started: requests come in between. */
  async function startSome(): Promise<boolean> {
    const pause = clock.monotonic() + SLICE_MS;
    let started = 0;
    for (const queue of [...queues.values()]) {
      const before = started;
      while (started < STARTS_PER_TURN && clock.monotonic() < pause && (await startNext(queue))) started++;
      if (started === before) continue;
      queues.delete(queue.lane.name); // and in again: the others begin the next turn
      queues.set(queue.lane.name, queue);
    }
    return started > 0;
  }

  async function startNext(queue: Queue): Promise<boolean> {
    const { lane } = queue;
    const opensAt = lane.opensAt(clock.monotonic());
    if (busy.size >= MOST_BUSY || !credentials.isConfigured(lane.platform)) return false;
    if (opensAt === undefined || opensAt > clock.monotonic()) return false;
    const device = await nextDevice(queue);
    const place = device === undefined ? undefined : lane.begin(clock.monotonic());
    if (device === undefined || place === undefined) return false;
    busy.add(device);
    const flight = fly(queue, device, place)
      .then(
        (hasMoved) => {
          queue.mayHaveMore ||= hasMoved; // else it would be looked up for ever
          kick();
        },
        (error: unknown) => {
          queue.ready = [];
          queue.mayHaveMore = false; // until the next look
          log.error("deliveries cannot be read", { lane: labelOf(lane.name), error });
        },
      )
      .finally(() => {
        busy.delete(device);
        flights.delete(flight);
      });
    flights.add(flight);
    return true;
  }

  async function nextDevice(queue: Queue): Promise<DeviceRow | undefined> {
    if (queue.ready.length === 0 && queue.mayHaveMore) await lookUp(queue);
    for (let device = queue.ready.shift(); device !== undefined; device = queue.ready.shift())
      if (!busy.has(device)) return device;
    return undefined;
  }
  /** The devices of a lane that something is due for. Those in flight stand among them, and one may have many. */
  async function lookUp(queue: Queue): Promise<void> {
    const { name } = queue.lane;
    queue.mayHaveMore = false;
    for (let limit = busy.size + AHEAD; limit <= FURTHEST && queue.ready.length === 0; limit *= 4) {
      const due = await deliveries.due(name, clock.now(), limit);
      queue.ready = [...new Set(due.map(({ device }) => device))].filter((device) => !busy.has(device));
      queue.mayHaveMore = due.length === limit;
      if (!queue.mayHaveMore) break;
    }
    if (queue.ready.length === 0) queue.nextAt = await deliveries.nextAt(name, clock.now());
  }

  async function fly({ lane }: Queue, device: DeviceRow, place: { isProbe: boolean }): Promise<boolean> {
    const settled: Settled[] = [];
    try {
      const { pending, sifted } = await readOf(lane.name, device);
      settled.push(...sifted.settled);
      if (sifted.choice !== undefined) settled.push(...(await send(lane, sifted, place)));
      count(metrics, labelOf(lane.name), { settled, pending, now: clock.now() });
    } finally {
      lane.end(place);
      kick(); // the place is free, also while this is being written
    }
    if (settled.length === 0) return false;
    await settler.settle(settled);
    for (const { news } of settled) if (news?.movedTo !== undefined) refresh(queueOf(news.movedTo.lane));
    return true;
  }
  async function readOf(lane: LaneName, device: DeviceRow): Promise<{ pending: readonly Pending[]; sifted: Sifted }> {
    const restsUntil = resting.get(device);
    const all = await deliveries.ofDevice(device, lane, FAR, MOST_PENDING);
    const sifted = sift(all, clock.now(), restsUntil);
    if (sifted.choice !== undefined || sifted.settled.length > 0) return { pending: all, sifted };
    const due = await deliveries.ofDevice(device, lane, clock.now(), MOST_PENDING);
    return { pending: due, sifted: sift(due, clock.now(), restsUntil) };
  }

  async function send(lane: Lane, { choice }: Sifted, place: { isProbe: boolean }): Promise<Settled[]> {
    if (choice === undefined) return [];
    const answer = await courier.send(lane.name, choice.chosen);
    const judged = lane.hear(answer, place, clock.monotonic());
    metrics.breakerOpen.of(labelOf(lane.name)).value = lane.status.kind === "unreachable" ? 1 : 0;
    status.look(lanes());
    void status.tell();
    if (judged.kind === "prune") metrics.pruned.of(judged.proof).inc();
    const isDown = judged.kind === "retry" && lane.status.kind !== "open";
    const settled = settle({ choice, judged, status: answer.status, isDown }, clock.now(), random());
    const [{ outcome } = {}] = settled;
    if (answer.status === 429 && judged.kind === "retry" && judged.scope === "device" && outcome?.kind === "later")
      resting.set(choice.chosen[0].device.row, outcome.dueAt);
    return settled;
  }

  /** The next time at which something is to be done that no answer and no commit will tell of. */
  function soonest(): Millis {
    const [now, monotonic] = [clock.now(), clock.monotonic()];
    let at = expiryAt ?? Infinity;
    for (const { lane, ready, mayHaveMore, nextAt } of queues.values()) {
      const opensAt = credentials.isConfigured(lane.platform) ? lane.opensAt(monotonic) : undefined;
      if (opensAt === undefined) continue;
      if (opensAt > monotonic) at = Math.min(at, now + Math.ceil(opensAt - monotonic));
      else if (ready.length === 0 && !mayHaveMore && nextAt !== undefined && nextAt > now) at = Math.min(at, nextAt);
    }
    return Math.max(at, now + 1);
  }

  const timer = dueTimer(clock, {
    work,
    longestWaitMs: LOOK_MS,
    onFailure: (error, failures) => {
      log.error("deliveries failed", { failures, error });
    },
  });
  /** In a turn of its own, for all that asks in this one. */
  function kick(): void {
    if (isKicked || stopped) return;
    isKicked = true;
    setImmediate(() => {
      isKicked = false;
      if (stopped) return;
      timer.wake(clock.now());
      timer.start();
    });
  }
  const unsubscribe = bus.onAll((event) => {
    if (event.kind !== "outbox") return;
    mustExpand = true;
    kick();
  });

  return {
    lane: (name) => queues.get(name)?.lane,
    lanes,
    start: () => {
      timer.start();
    },
    stop: async () => {
      stopped = true;
      unsubscribe();
      await timer.stop();
      // the machine's clock: how long a process may take to end is no matter of the time that it tells
      await Promise.race([Promise.all(flights), new Promise<void>((late) => systemClock.after(PATIENCE_MS, late))]);
      settler.stop();
    },
  };
}
