/** Looks after the certificate: uses the one that is kept, fetches another in time, keeps the old one meanwhile. */
import type { Notices } from "../ops/notices.ts";
import type { Log } from "../telemetry/log.ts";
import { HOUR, rfc3339, type Clock, type Millis } from "../util/clock.ts";
import { defined } from "../util/defined.ts";
import { dueTimer } from "../util/duetimer.ts";
import { certificateOf, isFor, utcWords, type Certificate, type Pair } from "./certificate.ts";
import { stepAt, tellOf } from "./tell.ts";
import type { Ears, Renewal, Source, Tls } from "./tls.ts";

interface Parts {
  clock: Clock;
  log: Log;
  source: Source;
  notices: Notices;
}

/** No wait is longer, so that a clock that was set changes nothing for long. */
const LOOK_AGAIN_MS = HOUR;

export function createKeeper({ clock, log, source, notices }: Parts): Tls {
  const end = new AbortController();
  let ears: Ears | undefined;
  let current: Certificate | undefined;
  let trouble: string | undefined;
  const since = clock.monotonic();
  let failures = 0;
  /** When to look for another one. */
  const due = dueOn(clock);
  const reason = () => trouble ?? reasonOf(source, current);
  /** Undefined: it is in use. Else why it is not. */
  async function use(pair: Pair): Promise<string | undefined> {
    const certificate = certificateOf(pair);
    if (typeof certificate === "string") return certificate;
    try {
      await ears?.use(pair);
    } catch (error) {
      return wordsOf(error);
    }
    current = certificate;
    log.info("certificate in use", { names: certificate.names.join(" "), until: rfc3339(certificate.until) });
    return undefined;
  }
  function note(problem: string | undefined, afterMs = 0): void {
    failures = problem === undefined ? 0 : failures + 1;
    if (problem !== trouble) logTrouble(log, problem, current !== undefined);
    trouble = problem;
    const now = clock.now();
    due.in(problem === undefined ? source.nextAt(current, now) - now : Math.max(afterMs, source.pauseMs(failures)));
  }
  async function renew(): Promise<void> {
    const renewal = await source.renew(current, end.signal).catch(failed);
    if (end.signal.aborted) return;
    if (renewal.kind === "failed") note(renewal.reason, renewal.afterMs);
    else note(renewal.kind === "new" ? await use(renewal.pair) : undefined);
  }
  const timer = dueTimer(clock, {
    longestWaitMs: LOOK_AGAIN_MS,
    onFailure: (error) => {
      log.error("the certificate cannot be looked after", { error });
    },
    work: async () => {
      if (due.leftMs() === 0) await renew();
      const now = clock.now();
      const withoutMs = clock.monotonic() - since;
      await tellOf({ certificate: current, trouble: reason(), withoutMs }, { notices, now });
      return now + due.leftMs();
    },
  });
  const problem = () =>
    current === undefined ? reason() : problemOf(current, { trouble, reason: reason(), now: clock.now() });
  return {
    get certificate() {
      return current;
    },
    problem,
    status: () => {
      const { kind } = source;
      const planned = current && source.renewAt?.(current);
      const renewAt = planned === undefined || failures === 0 ? planned : Math.max(due.at(), planned);
      const serves = (host: string) => current !== undefined && isFor(current, host, clock.now());
      return { kind, serves, ...defined({ certificate: current, renewAt, problem: problem() }) };
    },
    challenge: (token) => source.challenge?.(token),
    start: async (given) => {
      ears = given;
      const useKept = async () => {
        const kept = await source.kept();
        return kept && use(kept);
      };
      const wrong = await useKept().catch(wordsOf); // a start never fails because of a certificate
      if (wrong !== undefined) note(wrong);
      timer.start();
    },
    stop: async () => {
      end.abort();
      await timer.stop();
    },
  };
}

/** A moment by both clocks: the first that shows it counts, so that setting the clock back delays nothing. */
function dueOn(clock: Clock) {
  let at: Millis = 0;
  let monotonic = 0;
  return {
    at: () => at,
    in: (ms: number) => {
      [at, monotonic] = [clock.now() + ms, clock.monotonic() + ms];
    },
    leftMs: () => Math.max(0, Math.min(at - clock.now(), monotonic - clock.monotonic())),
  };
}

/** `reason`: another one than before; undefined: all is well again. */
function logTrouble(log: Log, reason: string | undefined, hasOld: boolean): void {
  if (reason === undefined) log.info("the trouble with the certificate is over");
  else log.warn(hasOld ? "no new certificate: the old one stays in use" : "no certificate", { reason });
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
const failed = (error: unknown): Renewal => ({ kind: "failed", reason: wordsOf(error) });

/** Where nothing is known to be wrong. */
function reasonOf({ kind }: Source, current: Certificate | undefined): string {
  if (current === undefined) return "There is no certificate yet, so nobody can connect over HTTPS.";
  return kind === "files" ? "Replace the files." : "It should have been renewed by now.";
}

/** A sentence; undefined: all is well. `reason`: why there is no new one, or what to do. Pure. */
function problemOf(
  { from, until }: Certificate,
  { trouble, reason, now }: { trouble: string | undefined; reason: string; now: Millis },
): string | undefined {
  if (now >= until) return `The certificate expired on ${utcWords(until)}. ${reason}`;
  if (now < from)
    return `The certificate is not valid before ${utcWords(from)}: this machine’s clock is probably behind.`;
  return stepAt({ from, until }, now) === undefined
    ? trouble
    : `The certificate expires on ${utcWords(until)}. ${reason}`;
}
