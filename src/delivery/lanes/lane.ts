/** How much may be sent over one lane now, and what its answers mean for all that is sent there (docs/design/DELIVERY.md §3, §5). */
import { type Bucket, full, take } from "../../util/bucket.ts";
import type { DeviceRow, Platform } from "../../devices/device.ts";
import { dropOldest } from "../../util/oldest.ts";
import { Brake } from "./brake.ts";
import { Breaker } from "./breaker.ts";
import type { Lane as LaneName } from "../delivery.ts";
import { platformOf } from "../push/plan.ts";
import type { Verdict } from "../push/push.ts";
import type { LaneStatus } from "../service.ts";

/** What a push service said. Without a status: nothing, and the verdict says why. */
export interface Answer {
  verdict: Verdict;
  status?: number;
}

/** A verdict as it stands once the lane has been asked: `brake`: a device is said to be gone, and that is not believed. */
export type Judged = Verdict | { kind: "brake"; reason: string; tell: string };

/** Of a send. `isProbe`: it finds out whether the lane works again. */
export interface Place {
  isProbe: boolean;
}

/** Whom a push is for. `isProven`: its token was accepted before, so that what is said of it may be our fault. */
export interface Addressee {
  device: DeviceRow;
  isProven: boolean;
}

/** `othersAt`: when a device is tried that is no suspect; `probeAt`: when one that is. */
type Pause = Pick<Extract<LaneStatus, { kind: "paused" }>, "reason" | "tell"> & {
  isBrake: boolean;
  /** It may be the fault of the device that was refused last. */
  isDoubtful: boolean;
  othersAt: number;
  probeAt: number;
};

/** Sends in flight. APNs and FCM take them all over one connection, a push service of browsers often one each. */
const concurrencyOf = (lane: LaneName): number => (lane.startsWith("webpush:") ? 8 : 50);
/** Half of what FCM takes from a project (Google, "Throttling and quotas": 600,000 a minute), and enough for the others. */
const BUCKET: Bucket = { rate: 5_000, burst: 5_000 };
/** One push is tried so often while the operator has something to mend. */
const PROBE_MS = 60_000;
/** So soon another device, where the last one may have been refused for a fault of its own. */
const OTHERS_MS = 1_000;
/** Beyond it the one that was refused the longest ago is taken for another. */
const MOST_SUSPECTS = 10_000;
/** Where too much was sent and the push service names no time. */
const TOO_MANY_MS = 60_000;
/** Whatever it names: a lane is everybody's. */
const LONGEST_HOLD_MS = 3_600_000;

const REMEMBERED_MS = 3_600_000;

const OPEN: LaneStatus = { kind: "open" };

/** Times are monotonic ms. */
export class Lane {
  readonly name: LaneName;
  readonly platform: Platform;
  readonly #level;
  readonly #breaker = new Breaker();
  readonly #brake = new Brake();
  #inFlight = 0;
  #isProbing = false;
  #heldUntil = -Infinity;
  #paused: Pause | undefined;
  #hasAccepted = false;
  #isProven = false;
  readonly #suspects = new Set<DeviceRow>();
  #failure = "";
  #usedAt: number;

  constructor(name: LaneName, now: number) {
    this.name = name;
    this.platform = platformOf(name);
    this.#level = full(BUCKET, now);
    this.#usedAt = now;
  }

  get status(): LaneStatus {
    if (this.#paused !== undefined) return { kind: "paused", reason: this.#paused.reason, tell: this.#paused.tell };
    return this.#breaker.isOpen ? { kind: "unreachable", reason: this.#failure } : OPEN;
  }
  /** While it is unreachable: times that it was asked in vain. */
  get probes(): number {
    return this.#breaker.probes;
  }
  /** With these credentials, since the start. */
  get hasAccepted(): boolean {
    return this.#hasAccepted;
  }
  /** Pushes are known to be accepted there: that it cannot be reached is no fault of an address that somebody made up. */
  get isProven(): boolean {
    return this.#isProven;
  }
  /**
   * Where nothing waits: nothing of it has to be remembered. Nobody would find out that it works again; and of one that
   * does, nobody knows after a while. What Apple or Google refuse for a fault of the operator's alone stays refused.
   */
  isForgotten(now: number): boolean {
    if (this.#inFlight > 0 || now < this.#heldUntil) return false;
    if (this.status.kind === "open") return now - this.#usedAt > REMEMBERED_MS;
    const isMisconfigured = this.#paused !== undefined && !this.#paused.isDoubtful && !this.#paused.isBrake;
    return !isMisconfigured || this.platform === "web"; // anybody makes up an address of a browser
  }

  /**
   * Devices that were refused for a fault of their own, of the operator's or of the push service, the one longest ago
   * first. Until one is accepted, which tells whose, they are tried only when nobody else waits: whoever registers tokens of
   * another app, or endpoints that answer with errors, stops nobody.
   */
  get suspects(): ReadonlySet<DeviceRow> {
    return this.#suspects;
  }
  /** When one of them is tried again, as far as the lane is open then. */
  get suspectsAt(): number {
    return this.#paused?.probeAt ?? -Infinity;
  }

  /** When more may be sent, as far as that is a question of time: `now` or before, at once. Undefined: once an answer comes. */
  opensAt(now: number): number | undefined {
    const isOpen = this.status.kind === "open";
    if (isOpen ? this.#inFlight >= concurrencyOf(this.name) : this.#isProbing) return undefined;
    const { tokens, at } = this.#level;
    const dry = tokens < 1 ? at + ((1 - tokens) / BUCKET.rate) * 1000 : now;
    return Math.max(this.#heldUntil, dry, this.#paused?.othersAt ?? dry, this.#breaker.probeAt ?? dry);
  }

  /** Takes a place for a send. Undefined: not now. */
  begin(now: number): Place | undefined {
    const opensAt = this.opensAt(now);
    if (opensAt === undefined || opensAt > now || !take(BUCKET, this.#level, now)) return undefined;
    this.#inFlight++;
    this.#usedAt = now;
    this.#isProbing = this.status.kind !== "open";
    return { isProbe: this.#isProbing };
  }

  /** The send has ended, or there was nothing to send. */
  end({ isProbe }: Place): void {
    this.#inFlight--;
    if (isProbe) this.#isProbing = false;
  }

  /** What an answer means, for the lane and for the device that it is about. Before `end`. */
  hear({ verdict, status }: Answer, { isProbe, device, isProven }: Place & Addressee, now: number): Judged {
    if (status === undefined && verdict.kind === "fail") return verdict; // nobody was asked
    this.#isProven ||= isProven || verdict.kind === "accepted";
    const judged = this.#judge(this.#ofDevice(verdict), { status, device, isProven }, now);
    if (this.#paused !== undefined && isProbe) wait(this.#paused, now);
    switch (judged.kind) {
      case "pause":
      case "brake": {
        this.#breaker.succeed();
        const isBrake = judged.kind === "brake" || this.#paused?.isBrake === true;
        const isDoubtful = judged.kind === "brake" || judged.ifOthersAccepted !== undefined;
        if (isDoubtful) this.#suspect(device);
        this.#paused = wait({ ...judged, isBrake, isDoubtful, othersAt: now, probeAt: now }, now);
        break;
      }
      case "retry":
        if (this.#put(judged, status, isProbe, now)) this.#suspect(device);
        break;
      default:
        this.#breaker.succeed();
        if (judged.kind === "accepted") this.#hasAccepted = true;
        if (judged.kind === "accepted" || (this.#paused?.isBrake === false && !this.#paused.isDoubtful)) this.#resume();
    }
    return judged;
  }

  /** Other credentials: nothing of what was said to the old ones counts, and they are tried at once. */
  renew(now: number): void {
    this.#hasAccepted = false;
    this.#brake.release();
    this.#suspects.clear();
    if (this.#paused !== undefined) this.#paused.othersAt = this.#paused.probeAt = now;
  }

  #resume(): void {
    if (this.#paused?.isBrake === true) this.#brake.release();
    this.#paused = undefined;
    this.#suspects.clear();
  }

  #suspect(device: DeviceRow): void {
    this.#suspects.delete(device); // and in again, as the last one
    dropOldest(this.#suspects, MOST_SUSPECTS);
    this.#suspects.add(device);
  }

  /** What would be the operator's fault is the device's where the same credentials are good for others. */
  #ofDevice(verdict: Verdict): Verdict {
    if (verdict.kind !== "pause" || verdict.ifOthersAccepted === undefined || !this.#hasAccepted) return verdict;
    const { reason } = verdict;
    return verdict.ifOthersAccepted === "prune"
      ? { kind: "prune", proof: reason }
      : { kind: "retry", scope: "device", reason };
  }

  /** A token that was never accepted can be made up by anybody: that it is gone pulls no brake, and is believed under one. */
  #judge(
    verdict: Verdict,
    { status, device, isProven }: { status: number | undefined } & Addressee,
    now: number,
  ): Judged {
    if (status === undefined) return verdict;
    const isLoss = verdict.kind === "prune" && isProven;
    const isBraked = this.#brake.note(isLoss ? device : undefined, now) || this.#paused?.isBrake === true;
    if (verdict.kind !== "prune" || !isProven || !isBraked) return verdict;
    const tell = `So many devices were called gone (${verdict.proof}) that none is removed. Check that the credentials are those of the app: its environment, its project, the VAPID key.`;
    return { kind: "brake", reason: verdict.proof, tell };
  }

  /**
   * It may be tried again: of a lane that fails, or has had too much, nothing else is for a while. True: it is the push
   * service that failed, or an endpoint which only looks like one of its own.
   */
  #put(
    { scope, afterMs, reason }: Extract<Verdict, { kind: "retry" }>,
    status: number | undefined,
    isProbe: boolean,
    now: number,
  ): boolean {
    if (scope === "lane" && (afterMs !== undefined || status === 429))
      this.#heldUntil = Math.max(this.#heldUntil, now + Math.min(afterMs ?? TOO_MANY_MS, LONGEST_HOLD_MS));
    if (status !== undefined && status >= 400 && status < 500) {
      this.#breaker.succeed();
      return false;
    }
    // no answer, or none of the push service's own doing: a proxy's page is one too
    this.#failure = reason;
    this.#breaker.fail(now, isProbe);
    return true;
  }
}

function wait(pause: Pause, now: number): Pause {
  pause.othersAt = now + (pause.isDoubtful ? OTHERS_MS : PROBE_MS);
  pause.probeAt = now + PROBE_MS;
  return pause;
}
