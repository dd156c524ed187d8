/** Decides how much may be sent over a lane now, and what each answer means for the whole lane (DELIVERY.md §3, §5). */
import { type Bucket, full, take } from "../../util/bucket.ts";
import type { DeviceRow, Platform } from "../../devices/device.ts";
import { dropOldest } from "../../util/oldest.ts";
import { Brake } from "./brake.ts";
import { Breaker } from "./breaker.ts";
import type { Lane as LaneName } from "../delivery.ts";
import { platformOf } from "../push/plan.ts";
import type { Verdict } from "../push/push.ts";
import type { LaneStatus } from "../service.ts";
import { HOUR } from "../../util/clock.ts";

/** The answer of a push service. Without a status there was none, and the verdict says why. */
export interface Answer {
  verdict: Verdict;
  status?: number;
  /** Somebody acknowledged the message at the service. */
  isAcknowledged?: true;
  /** It is not sent again, whatever the message asks for. */
  isLast?: true;
}

/** A verdict as the lane sees it. `brake`: a device is called gone, and that is not believed. */
export type Judged = Verdict | { kind: "brake"; reason: string; tell: string };

/** A place in the lane that a push takes. `isProbe`: the push finds out whether the lane works again. */
export interface Place {
  isProbe: boolean;
}

/** The receiver of a push. `isProven`: its token was accepted before, so a refusal may be our fault. */
export interface Addressee {
  device: DeviceRow;
  isProven: boolean;
}

/** `othersAt`: when a device is tried that is not a suspect. `probeAt`: when a suspect is tried. */
type Pause = Pick<Extract<LaneStatus, { kind: "paused" }>, "reason" | "tell"> & {
  isBrake: boolean;
  /** The fault may be that of the device that was refused last. */
  isDoubtful: boolean;
  othersAt: number;
  probeAt: number;
};

/** The most pushes in flight: APNs and FCM take all over one connection, other services often one each. */
const concurrencyOf = (lane: LaneName): number => (/^(?:webpush|forward):/.test(lane) ? 8 : 50);
/** Half of what FCM takes from a project (Google, "Throttling and quotas": 600,000 a minute), and enough for the others. */
const BUCKET: Bucket = { rate: 5_000, burst: 5_000 };
/** One push is tried at this interval while the operator has something to fix. */
const PROBE_MS = 60_000;
/** Another device is tried after this time if the fault may have been that of the last one, which was refused. */
const OTHERS_MS = 1_000;
/** Beyond this many, the suspect that was refused longest ago is dropped. */
const MOST_SUSPECTS = 10_000;
/** The wait after a 429 without `Retry-After`. */
const TOO_MANY_MS = 60_000;
/** The longest wait, whatever `Retry-After` says, since it holds up the whole lane. */
const LONGEST_HOLD_MS = HOUR;

const REMEMBERED_MS = HOUR;

const OPEN: LaneStatus = { kind: "open" };

/** All times are monotonic ms. */
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
  /** While it is unreachable, the number of failed probes. */
  get probes(): number {
    return this.#breaker.probes;
  }
  /** A push was accepted with these credentials since the start. */
  get hasAccepted(): boolean {
    return this.#hasAccepted;
  }
  /** Pushes have been accepted here, so if it cannot be reached, that is not because somebody made the address up. */
  get isProven(): boolean {
    return this.#isProven;
  }
  /**
   * Whether the lane may be forgotten, if nothing waits in it: no push would find out that a failing lane works again,
   * and the state of a working one is out of date after an hour. A lane that Apple or Google refuse for a fault of the
   * operator's alone is remembered.
   */
  isForgotten(now: number): boolean {
    if (this.#inFlight > 0 || now < this.#heldUntil) return false;
    if (this.status.kind === "open") return now - this.#usedAt > REMEMBERED_MS;
    const isMisconfigured = this.#paused !== undefined && !this.#paused.isDoubtful && !this.#paused.isBrake;
    // anybody can make up the address of a browser, and a forward may have been removed or changed since
    return !isMisconfigured || this.platform === "web" || this.platform === "forward";
  }

  /**
   * Devices that were refused for a fault that may be their own, the operator's or the push service's, the one refused
   * longest ago first. Until an accepted push shows whose fault it is, they are tried only when nobody else waits. So
   * tokens of another app, or endpoints that answer with errors, hold up nobody.
   */
  get suspects(): ReadonlySet<DeviceRow> {
    return this.#suspects;
  }
  /** When the next suspect is tried, if the lane is open then. */
  get suspectsAt(): number {
    return this.#paused?.probeAt ?? -Infinity;
  }

  /** The time from which more may be sent, if only time decides: at or before `now` means at once. Undefined: after an answer. */
  opensAt(now: number): number | undefined {
    const isOpen = this.status.kind === "open";
    if (isOpen ? this.#inFlight >= concurrencyOf(this.name) : this.#isProbing) return undefined;
    const { tokens, at } = this.#level;
    const dry = tokens < 1 ? at + ((1 - tokens) / BUCKET.rate) * 1000 : now;
    return Math.max(this.#heldUntil, dry, this.#paused?.othersAt ?? dry, this.#breaker.probeAt ?? dry);
  }

  /** Takes a place for a push. Undefined if there is none now. */
  begin(now: number): Place | undefined {
    const opensAt = this.opensAt(now);
    if (opensAt === undefined || opensAt > now || !take(BUCKET, this.#level, now)) return undefined;
    this.#inFlight++;
    this.#usedAt = now;
    this.#isProbing = this.status.kind !== "open";
    return { isProbe: this.#isProbing };
  }

  /** Frees the place: the push was answered, or there was nothing to send. */
  end({ isProbe }: Place): void {
    this.#inFlight--;
    if (isProbe) this.#isProbing = false;
  }

  /** Decides what an answer means for the lane and for the device. To be called before `end`. */
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

  /** Starts again with new credentials: answers to the old ones no longer count, and the new ones are tried at once. */
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
    this.#suspects.delete(device); // added again as the last one
    dropOldest(this.#suspects, MOST_SUSPECTS);
    this.#suspects.add(device);
  }

  /** A fault that could be the operator's is the device's if the same credentials are good for others. */
  #ofDevice(verdict: Verdict): Verdict {
    if (verdict.kind !== "pause" || verdict.ifOthersAccepted === undefined || !this.#hasAccepted) return verdict;
    const { reason } = verdict;
    return verdict.ifOthersAccepted === "prune"
      ? { kind: "prune", proof: reason }
      : { kind: "retry", scope: "device", reason };
  }

  /** Applies the brake. Anybody can make up a token that was never accepted, so its loss is believed and does not count. */
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

  /** Holds the lane back after a failure. True if the push service failed, or an endpoint that only looks like its own. */
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
    // there was no answer, or one that the push service did not make, such as the page of a proxy
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
