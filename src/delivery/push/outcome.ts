/** Decides what becomes of deliveries: of those that are not sent, and of those that were (DELIVERY.md §2, §3). Pure. */
import type { Settled } from "../../store/deliveries.ts";
import type { Millis } from "../../util/clock.ts";
import { defined } from "../../util/defined.ts";
import { type Choice, choose } from "./choose.ts";
import type { Outcome, Pending } from "../delivery.ts";
import { receiptOf } from "../forwards/receipts.ts";
import type { Judged } from "../lanes/lane.ts";
import { laneOf, repeatAt, repeatedUntil, retryAt } from "./plan.ts";
import { ruleOf } from "./owner-rules.ts";

/** The reason that the store writes too. */
export const TOO_LATE = "its time ran out";

/** What is sent next to a device, and what becomes of all that its owner does not want, or not now. */
export interface Sifted {
  choice?: Choice;
  settled: readonly Settled[];
}

/** `pending`: the deliveries that wait for a device. */
export function sift(pending: readonly Pending[], now: Millis): Sifted {
  const settled: Settled[] = [];
  const wanted = pending.flatMap((one) => {
    if (one.dueAt > now) return [one];
    const over = silenced(one, now);
    if (over !== undefined) return [over];
    const outcome = unwanted(one, now);
    if (outcome === undefined) return [one];
    settled.push({ rows: [one.row], outcome });
    return [];
  });
  const choice = choose(wanted, now);
  return { settled, ...(choice !== undefined && { choice }) };
}

/**
 * What a service still rings for although nobody is to hear of it any more: it was acknowledged, deleted, muted or unsubscribed. The
 * service is told to stop, as of a message that is gone.
 */
const silenced = (one: Pending, now: Millis): Pending | undefined =>
  receiptOf(one) !== undefined && ruleOf(one, now).kind === "drop" ? withoutMessage(one) : undefined;

const withoutMessage = ({ message: _message, ...gone }: Pending): Pending => gone;

function unwanted(one: Pending, now: Millis): Outcome | undefined {
  if (one.expiresAt <= now) return ended(one, { kind: "expired", reason: TOO_LATE });
  const ruling = ruleOf(one, now);
  switch (ruling.kind) {
    case "send":
      return undefined;
    case "hold":
      return { kind: "later", dueAt: ruling.until, isAttempt: false, reason: ruling.reason };
    case "drop":
      return ended(one, { kind: "cancelled", reason: ruling.reason });
  }
}

/** A delivery that was accepted and only waits to be repeated stays accepted, however its repeats end. */
const ended = ({ acceptedAt }: Pending, outcome: Outcome): Outcome =>
  acceptedAt === undefined ? outcome : defined<Outcome>({ kind: "accepted", status: outcome.status });

/** A push that was tried. */
export interface Tried {
  choice: Choice;
  judged: Judged;
  /** Absent if there was no answer. */
  status?: number | undefined;
  /** The push service is down, which is not the fault of the push. */
  isDown: boolean;
  /** It is not sent again, whatever the message asks for. */
  isLast?: boolean;
}

/** The rest of a device if the push service names no time. */
const REST_MS = 60_000;

/** How long a device gets nothing since its push service wants no more for it; undefined if the answer does not say that. */
export function restMs(judged: Judged, status: number | undefined): number | undefined {
  const isTooMany = judged.kind === "retry" && judged.scope === "device" && status === 429;
  return isTooMany ? (judged.afterMs ?? REST_MS) : undefined;
}

/** Decides what becomes of the deliveries that a push was for. `random`: from 0 up to 1. */
export function settle(
  { choice, judged, status, isDown, isLast = false }: Tried,
  now: Millis,
  random: number,
): Settled[] {
  const { chosen, superseded } = choice;
  const [first] = chosen;
  const { row, registeredAt, platform } = first.device;
  const device = { row, registeredAt };
  const all = (outcome: (one: Pending) => Outcome): Settled[] =>
    chosen.map((one) => ({ rows: [one.row], outcome: outcome(one) }));
  const withStatus = status === undefined ? {} : { status };
  const said = wordsOf(judged);
  const isUnasked = platform === "forward" && status === undefined && judged.kind === "fail";
  const asked = `${SERVICES[platform]} ${status === undefined ? "could not be reached:" : answered(status)}`;
  const failed = isUnasked ? said : `${asked} ${said}`;

  // the whole lane waits, but `Retry-After` holds for this push too
  const afterMs = judged.kind === "retry" ? (judged.afterMs ?? 0) : 0;
  const asBefore = ({ dueAt }: Pending): Outcome => ({
    kind: "later",
    dueAt: afterMs === 0 ? dueAt : Math.max(dueAt, now + afterMs),
    isAttempt: false,
    reason: said,
    ...withStatus,
  });

  switch (judged.kind) {
    case "accepted": {
      const accepted = (one: Pending) =>
        defined<Outcome>({
          ...{ kind: "accepted", providerId: judged.id, status },
          repeatAt: isLast ? undefined : repeatOf(one, chosen, now),
        });
      const old = superseded.map((one) => ({
        rows: [one.row],
        outcome: ended(one, { kind: "cancelled", reason: "a newer one took its place" }),
      }));
      const warning = judged.warning === undefined ? {} : { error: judged.warning };
      return withNews([...all(accepted), ...old], { device, succeeded: true, ...warning });
    }
    case "pause":
      // only its owner can mend a forward, and looks at it alone
      return platform === "forward" ? withNews(all(asBefore), { device, error: judged.tell }) : all(asBefore);
    case "brake":
    case "retry": {
      // a refusal concerns the device even while its lane is paused
      if (isDown && !isRefusal(status)) return all(asBefore);
      const attempts = Math.max(...chosen.map((one) => one.attempts));
      const failure = { lane: first.lane, isUrgent: first.isUrgent, attempts, status };
      const rest = restMs(judged, status);
      const triedAt =
        rest === undefined
          ? retryAt({ ...failure, ...(judged.kind === "retry" && { afterMs: judged.afterMs }) }, now, random)
          : now + rest;
      const isAttempt = judged.kind === "retry";
      const tried = all((one) =>
        triedAt < endOf(one)
          ? // while a device rests everything for it waits, and keeps its order
            { kind: "later", dueAt: rest === undefined ? triedAt : one.dueAt, isAttempt, reason: said, ...withStatus }
          : ended(one, { kind: "expired", reason: said, ...withStatus }),
      );
      return withNews(tried, { device, error: failed });
    }
    case "move": {
      const environment = first.device.environment === "production" ? "sandbox" : "production";
      const moved = all(() => ({ kind: "later", dueAt: now, isAttempt: true, reason: said, ...withStatus }));
      const lane = laneOf({ ...first.device, environment });
      return withNews(moved, { device, movedTo: { environment, lane } });
    }
    case "prune":
    case "reauthorize":
    case "shrink":
    case "fail": {
      const news = judged.kind === "prune" ? { lost: said } : { error: failed };
      const gone = all((one) => ended(one, { kind: "failed", reason: said, ...withStatus }));
      return withNews(gone, { device, ...news });
    }
  }
}

const answered = (status: number): string => `answered ${status}:`;

/** The push service wanted no more for the device at some time since this was published. */
export const isHeldBack = ({ device: { lastError }, createdAt }: Pending): boolean =>
  lastError !== undefined && lastError.at >= createdAt && lastError.text.includes(` ${answered(429)} `);

const isRefusal = (status: number | undefined): boolean => status !== undefined && status >= 400 && status < 500;

const SERVICES = { ios: "APNs", android: "FCM", web: "The push service", forward: "The service" };

function wordsOf(judged: Judged): string {
  switch (judged.kind) {
    case "accepted":
      return "accepted";
    case "prune":
      return judged.proof;
    default:
      return judged.reason;
  }
}

const withNews = ([first, ...others]: Settled[], news: NonNullable<Settled["news"]>): Settled[] =>
  first === undefined ? [] : [{ ...first, news }, ...others];

function repeatOf(one: Pending, { length }: readonly Pending[], now: Millis): Millis | undefined {
  return length > 1 || one.message === undefined ? undefined : repeatAt(one.message, one, now);
}

/** After this time nothing is tried. */
const endOf = (one: Pending): Millis =>
  one.acceptedAt === undefined ? one.expiresAt : Math.min(one.expiresAt, repeatedUntil(one));
