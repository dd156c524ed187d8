/** Sends what waits in the outbox, until it is accepted, too late, or its device is gone (docs/design/DELIVERY.md §2, §3). */
import type { Deps } from "../deps.ts";
import type { DeviceRow, Platform } from "../devices/device.ts";
import type { Settled } from "../store/deliveries.ts";
import { type Millis, systemClock } from "../util/clock.ts";
import { dueTimer } from "../util/duetimer.ts";
import { random } from "../util/ids.ts";
import { createTurns } from "../util/turns.ts";
import type { Courier } from "./courier.ts";
import type { Credentials } from "./credentials/credentials.ts";
import type { Lane as LaneName, Pending } from "./delivery.ts";
import { count, reasonLabel } from "./figures.ts";
import { Lane, type Place } from "./lanes/lane.ts";
import { restMs, settle, sift, type Sifted, TOO_LATE } from "./push/outcome.ts";
import { createPace, type Slice } from "./lanes/pace.ts";
import { planOf } from "./push/plan.ts";
import { Queue } from "./lanes/queue.ts";
import { Rests } from "./lanes/rests.ts";
import { createSettler } from "./outcome-writer.ts";
import type { Status } from "./status.ts";

export interface Engine {
  lane(name: LaneName): Lane | undefined;
  lanes(): Iterable<Lane>;
  /** Until when nothing is sent to the device, since its push service wants no more for it, epoch ms. */
  restsUntil(device: DeviceRow): Millis | undefined;
  /** Pushes under way, until it is written what became of them. */
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

/** Devices that one transaction makes deliveries for: 2 ms of the loop. */
const CHUNK = 300;
/** Of all lanes: Bun has 256 requests under way at most, and others than ours are among them. */
const MOST_BUSY = 192;
/** Of one device, those due first: what is beyond waits for its next turn. */
const MOST_PENDING = 500;
/** A push that was sent in time may be accepted so much later: the transport waits 15 s for an answer. */
const ANSWER_MS = 20_000;
/** Nothing is polled more often: a commit wakes it. */
const LOOK_MS = 15_000;
/** Docker kills after 10 s. */
const PATIENCE_MS = 8_000;

export function createEngine(deps: EngineDeps): Engine {
  const { store, clock, bus, log, metrics, courier, credentials, status, labelOf } = deps;
  const { deliveries } = store;
  const turn = createTurns();
  const pace = createPace(clock);
  const settler = createSettler(deps);
  const queues = new Map<LaneName, Queue>();
  /** Devices with a push in flight, until it is noted what became of it. */
  const busy = new Set<DeviceRow>();
  const flights = new Set<Promise<void>>();
  const rests = new Rests(clock);
  /** Devices that cannot be read, or what waits for them: nothing is sent to them until the next look. */
  const broken = new Set<DeviceRow>();
  /** Of those that have no deliveries made for them, the ones that were told. */
  const toldOf = new Set<DeviceRow>();
  /** Times that something came that was not due before. */
  let news = 0;
  let mustExpand = true;
  let lookedAt = -Infinity;
  let expiryAt: Millis | undefined;
  let isKicked = false;
  let stopped = false;

  const lanes = () => [...queues.values()].map(({ lane }) => lane);
  function queueOf(name: LaneName): Queue {
    const known = queues.get(name);
    if (known !== undefined) return known;
    const queue = new Queue(new Lane(name, clock.monotonic()), deliveries, clock);
    queues.set(name, queue);
    return queue;
  }
  function refresh(queue: Queue): void {
    news++;
    queue.refresh();
  }

  /** A slice of what waits for its fan-out. */
  async function expand(): Promise<void> {
    mustExpand = false; // what is published from here on says so again
    try {
      const { hasMore, unreadable } = await deliveries.expand(planOf, CHUNK);
      for (const { device, error } of unreadable) {
        if (!toldOf.has(device)) log.error("a device cannot be read: it gets no pushes", { device, error });
        toldOf.add(device);
      }
      for (const name of await deliveries.lanes()) refresh(queueOf(name));
      mustExpand ||= hasMore;
    } catch (error) {
      mustExpand = true;
      throw error;
    }
  }

  async function expire(isStopped: () => boolean): Promise<void> {
    for (;;) {
      const next = await deliveries.nextExpiry();
      expiryAt = next && next + ANSWER_MS;
      if (expiryAt === undefined || expiryAt > clock.now() || isStopped()) return;
      for (const [name, count] of await deliveries.expire(clock.now() - ANSWER_MS, CHUNK))
        metrics.deliveries.of(labelOf(name), "expired", TOO_LATE).inc(count);
      await turn();
    }
  }

  /** Begins with what others may have changed: the files of credentials, the store. */
  async function look(): Promise<void> {
    for (const platform of credentials.reread()) renew(platform);
    broken.clear();
    const pending = await deliveries.lanes();
    for (const name of pending) queueOf(name).mayHaveMore = true;
    for (const { lane } of queues.values()) if (!pending.includes(lane.name)) mayForget(lane);
    status.look(lanes());
    await status.tell();
    expiryAt = undefined;
    lookedAt = clock.monotonic();
  }
  function mayForget(lane: Lane): void {
    if (!lane.isForgotten(clock.monotonic())) return;
    queues.delete(lane.name);
  }
  function renew(platform: Platform): void {
    log.info("credentials were replaced", { platform });
    for (const lane of lanes()) if (lane.platform === platform) lane.renew(clock.monotonic());
  }

  async function work(isStopped: () => boolean): Promise<Millis | undefined> {
    for (let mayBeMore = true; (mayBeMore || mustExpand) && !isStopped();) {
      if (clock.monotonic() - lookedAt >= LOOK_MS) await look();
      if (expiryAt === undefined || expiryAt <= clock.now()) await expire(isStopped);
      if (rests.end()) for (const queue of queues.values()) queue.mayHaveMore = true;
      for (const queue of queues.values()) if (queue.isLate) refresh(queue);
      if (mustExpand) await expand();
      const started = await startSome();
      mayBeMore = started.cost > 0;
      await (started.isFull ? Bun.sleep(pace.restMs()) : turn());
    }
    return soonest();
  }

  /** A slice of what may be started: requests come in between. */
  async function startSome(): Promise<Slice> {
    const slice = pace.slice();
    for (const queue of [...queues.values()]) {
      const before = slice.cost;
      while (!slice.isFull && (await startNext(queue))) slice.add(queue.lane.platform);
      if (slice.cost === before) continue;
      queues.delete(queue.lane.name); // and in again: the others begin the next turn
      queues.set(queue.lane.name, queue);
    }
    return slice;
  }

  async function startNext(queue: Queue): Promise<boolean> {
    const { lane } = queue;
    const opensAt = lane.opensAt(clock.monotonic());
    if (busy.size >= MOST_BUSY || !credentials.isConfigured(lane.platform)) return false;
    if (opensAt === undefined || opensAt > clock.monotonic()) return false;
    const device = await queue.next(busy, broken, rests.devices);
    if (device === undefined) return false;
    const place = lane.begin(clock.monotonic());
    if (place === undefined) {
      queue.putBack(device); // an answer has come meanwhile
      return false;
    }
    busy.add(device);
    const flight = deliver(queue, device, place).finally(() => flights.delete(flight));
    flights.add(flight);
    return true;
  }
  async function deliver(queue: Queue, device: DeviceRow, place: Place): Promise<void> {
    const before = news;
    try {
      const { hasMoved, hasMore } = await fly(queue, device, place);
      busy.delete(device);
      if (!hasMore) queue.done(device);
      // it was passed over meanwhile, also in lanes that it moved from or to. Without any news it would be looked up for ever
      if (hasMoved || news !== before)
        for (const other of queues.values()) other.mayHaveMore ||= other.lane.platform === queue.lane.platform;
    } catch (error) {
      busy.delete(device);
      // one line for all between two looks: it may be the store that cannot be read
      if (broken.size === 0) log.error("deliveries cannot be read", { lane: labelOf(queue.lane.name), device, error });
      broken.add(device);
    }
    kick();
  }

  async function fly(
    { lane }: Queue,
    device: DeviceRow,
    place: Place,
  ): Promise<Record<"hasMoved" | "hasMore", boolean>> {
    let pending: readonly Pending[] = [];
    let settled: readonly Settled[] = [];
    try {
      pending = await deliveries.ofDevice(device, lane.name, MOST_PENDING);
      const sifted = sift(pending, clock.now());
      const sent = await send(lane, sifted, place);
      settled = [...sifted.settled, ...sent];
      // what is put off by a rule is no try, and is looked at again
      const counted = [...sifted.settled.filter(({ outcome }) => outcome.kind !== "later"), ...sent];
      count(metrics, labelOf(lane.name), { settled: counted, pending, now: clock.now() });
    } finally {
      lane.end(place);
      kick(); // the place is free, also while this is being written
    }
    if (settled.length > 0) await settler.settle(settled);
    for (const { news } of settled) if (news?.movedTo !== undefined) refresh(queueOf(news.movedTo.lane));
    return { hasMoved: settled.length > 0, hasMore: pending.length > settled.length };
  }

  async function send(lane: Lane, { choice }: Sifted, place: Place): Promise<Settled[]> {
    if (choice === undefined) return [];
    const { row, lastSuccessAt } = choice.chosen[0].device;
    const answer = await courier.send(lane.name, choice.chosen);
    const addressee = { device: row, isProven: lastSuccessAt !== undefined };
    const judged = lane.hear(answer, { ...place, ...addressee }, clock.monotonic());
    status.look(lanes());
    void status.tell();
    if (judged.kind === "prune") metrics.pruned.of(reasonLabel(lane.name, answer.status, judged.proof)).inc();
    const isDown = judged.kind === "retry" && lane.status.kind !== "open";
    const rest = restMs(judged, answer.status);
    if (rest !== undefined) rests.begin(row, rest);
    return settle({ choice, judged, status: answer.status, isDown }, clock.now(), random());
  }

  /** The next time at which something is to be done that no answer and no commit will tell of. */
  function soonest(): Millis {
    const [now, monotonic] = [clock.now(), clock.monotonic()];
    const onWall = (time: number) => (time > monotonic ? now + Math.ceil(time - monotonic) : Infinity);
    let at = Math.min(expiryAt ?? Infinity, rests.nextEnd);
    for (const { lane, dueAt } of queues.values()) {
      const opensAt = credentials.isConfigured(lane.platform) ? lane.opensAt(monotonic) : undefined;
      if (opensAt === undefined || busy.size >= MOST_BUSY) continue;
      at = Math.min(at, opensAt <= monotonic ? dueAt : onWall(opensAt));
      if (lane.suspects.size > 0) at = Math.min(at, onWall(lane.suspectsAt));
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
    if (event.kind === "message") pace.noteMessage();
    if (event.kind !== "outbox") return;
    mustExpand = true;
    kick();
  });

  return {
    lane: (name) => queues.get(name)?.lane,
    restsUntil: (device) => rests.until(device),
    lanes,
    inFlight: () => busy.size,
    isAtWork: () => busy.size > 0 || isKicked || timer.isAtWork(),
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
