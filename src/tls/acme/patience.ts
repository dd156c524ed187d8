/** How long the authority is left alone after failures; kept, so that a server that restarts again and again asks no more often. */
import { DAY, MINUTE, type Clock, type Millis } from "../../util/clock.ts";
import { forget, readKept, writeKept } from "../kept.ts";
import type { Renewal } from "../tls.ts";
import { fieldsOf, textOf } from "./json.ts";
import { pauseMs } from "./when.ts";

export interface Patience {
  /** The failure that still has to be waited for. */
  waiting(): Renewal | undefined;
  /** `askedMs`: not sooner, said the authority. */
  failed(reason: string, askedMs: number | undefined): Renewal;
  over(): void;
}

/** After so many failures in a row a restart waits too: one that restarts by itself would use up what the authority allows. */
const PATIENT_FAILURES = 3;
const RESTART_MS = 15 * MINUTE;

interface Failure {
  failures: number;
  until: Millis;
  reason: string;
  /** The authority named the time itself. */
  isAsked: boolean;
}

export function createPatience(path: string, clock: Clock): Patience {
  let latest = keptFailure(readKept(path), clock.now());
  return {
    waiting: () => {
      const afterMs = (latest?.until ?? 0) - clock.now();
      return latest !== undefined && afterMs > 0 ? { kind: "failed", reason: latest.reason, afterMs } : undefined;
    },
    failed: (reason, askedMs) => {
      const failures = (latest?.failures ?? 0) + 1;
      const afterMs = Math.max(askedMs ?? 0, pauseMs(failures));
      latest = { failures, until: clock.now() + afterMs, reason, isAsked: askedMs !== undefined };
      writeKept(path, JSON.stringify(latest));
      return { kind: "failed", reason, afterMs };
    },
    over: () => {
      latest = undefined;
      forget(path);
    },
  };
}

/** After a restart: soon again, unless the authority named the time. */
function keptFailure(text: string | undefined, now: Millis): Failure | undefined {
  if (text === undefined) return undefined;
  const fields = fieldsOf(JSON.parse(text));
  const { failures, until } = fields;
  const reason = textOf(fields, "reason");
  if (typeof failures !== "number" || typeof until !== "number" || reason === undefined) return undefined;
  const isAsked = fields["isAsked"] === true;
  const soon = failures < PATIENT_FAILURES ? now : Math.min(until, now + RESTART_MS);
  return { failures, reason, isAsked, until: isAsked ? Math.min(until, now + DAY) : soon };
}
