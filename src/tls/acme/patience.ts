/** How long the authority is left alone after failures; kept, so that a server that restarts again and again asks no more often. */
import type { Log } from "../../telemetry/log.ts";
import { DAY, MINUTE, type Clock, type Millis } from "../../util/clock.ts";
import { forget, readKept, writeKept } from "../kept.ts";
import type { Renewal } from "../tls.ts";
import { fieldsOf, parsed, textOf } from "./json.ts";
import { pauseMs } from "./when.ts";

export interface Patience {
  /** The failure that still has to be waited for. */
  waiting(): Renewal | undefined;
  /** `askedMs`: not sooner, said the other side. */
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
  /** The other side named the time itself. */
  isAsked: boolean;
}

export function createPatience(path: string, { clock, log }: { clock: Clock; log: Log }): Patience {
  /** What cannot be kept counts until the server ends. */
  function kept<T>(job: () => T): T | undefined {
    try {
      return job();
    } catch (error) {
      log.warn("how long the certificate authority is left alone is not kept over a restart", { error });
      return undefined;
    }
  }
  const leftMs = ({ until }: Failure): number => until - clock.now();
  let latest = kept(() => keptFailure(readKept(path), clock.now()));
  /** By the other clock too: setting the clock back by a month does not make the wait a month longer. */
  let untilMonotonic = clock.monotonic() + (latest === undefined ? 0 : leftMs(latest));
  return {
    waiting: () => {
      if (latest === undefined) return undefined;
      const afterMs = Math.min(leftMs(latest), untilMonotonic - clock.monotonic());
      return afterMs > 0 ? { kind: "failed", reason: latest.reason, afterMs } : undefined;
    },
    failed: (reason, askedMs) => {
      const failures = (latest?.failures ?? 0) + 1;
      const afterMs = Math.max(askedMs ?? 0, pauseMs(failures));
      const failure = { failures, until: clock.now() + afterMs, reason, isAsked: askedMs !== undefined };
      latest = failure;
      untilMonotonic = clock.monotonic() + afterMs;
      kept(() => {
        writeKept(path, JSON.stringify(failure));
      });
      return { kind: "failed", reason, afterMs };
    },
    over: () => {
      latest = undefined;
      kept(() => {
        forget(path);
      });
    },
  };
}

/** After a restart: soon again, unless the other side named the time. Pure. */
function keptFailure(text: string | undefined, now: Millis): Failure | undefined {
  if (text === undefined) return undefined;
  const fields = fieldsOf(parsed(text));
  const { failures, until } = fields;
  const reason = textOf(fields, "reason");
  if (typeof failures !== "number" || typeof until !== "number" || reason === undefined) return undefined;
  const isAsked = fields["isAsked"] === true;
  const soon = failures < PATIENT_FAILURES ? now : Math.min(until, now + RESTART_MS);
  return { failures, reason, isAsked, until: isAsked ? Math.min(until, now + DAY) : soon };
}
