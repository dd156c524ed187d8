/** Looks after the certificate: uses the one that is kept, fetches another in time, keeps the old one meanwhile. */
import type { Log } from "../telemetry/log.ts";
import { defined } from "../util/defined.ts";
import { HOUR, rfc3339, type Clock, type Millis } from "../util/clock.ts";
import { certificateOf, type Certificate, type Pair } from "./certificate.ts";
import type { Teller } from "./tell.ts";
import type { Ears, Source, Tls } from "./tls.ts";

interface Parts {
  clock: Clock;
  log: Log;
  source: Source;
  teller: Teller;
}

/** No wait is longer, so that a clock that was set changes nothing for long. */
const LOOK_AGAIN_MS = HOUR;

export function createKeeper({ clock, log, source, teller }: Parts): Tls {
  const end = new AbortController();
  let ears: Ears | undefined;
  let current: Certificate | undefined;
  let trouble: string | undefined;
  let failures = 0;
  /** When to look for another one, by both clocks: the first that shows it counts, so that setting the clock back delays nothing. */
  let dueAt: Millis = 0;
  let dueAtMonotonic = 0;
  let cancelTimer = () => {};
  let turn: Promise<void> = Promise.resolve();

  /** Undefined: it is in use. Else why it is not. */
  async function use(pair: Pair): Promise<string | undefined> {
    const certificate = certificateOf(pair);
    if (typeof certificate === "string") return certificate;
    try {
      await ears?.use(pair);
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
    current = certificate;
    log.info("certificate in use", { names: certificate.names.join(" "), until: rfc3339(certificate.until) });
    return undefined;
  }
  function note(problem: string | undefined, afterMs = 0): void {
    if (problem === undefined) failures = 0;
    else failures++;
    if (problem !== undefined && problem !== trouble)
      log.warn("no new certificate: the old one stays in use", { reason: problem });
    if (problem === undefined && trouble !== undefined) log.info("the trouble with the certificate is over");
    trouble = problem;
    const now = clock.now();
    dueAt = problem === undefined ? source.nextAt(current, now) : now + Math.max(afterMs, source.pauseMs(failures));
    dueAtMonotonic = clock.monotonic() + (dueAt - now);
  }
  async function renew(): Promise<void> {
    const renewal = await source.renew(current, end.signal).catch((error: unknown) => ({
      ...{ kind: "failed" as const, reason: error instanceof Error ? error.message : String(error) },
    }));
    if (end.signal.aborted) return;
    if (renewal.kind === "failed") note(renewal.reason, "afterMs" in renewal ? renewal.afterMs : 0);
    else note(renewal.kind === "new" ? await use(renewal.pair) : undefined);
  }
  const leftMs = (): number => Math.max(0, Math.min(dueAt - clock.now(), dueAtMonotonic - clock.monotonic()));
  async function look(): Promise<void> {
    if (leftMs() === 0) await renew();
    await teller.look(current, trouble);
    if (end.signal.aborted) return;
    cancelTimer();
    cancelTimer = clock.after(Math.min(leftMs(), LOOK_AGAIN_MS), lookInTurn);
  }
  function lookInTurn(): void {
    turn = turn.then(look).catch((error: unknown) => {
      log.error("unexpected error of the certificate's keeper", {
        error: error instanceof Error ? error : String(error),
      });
    });
  }
  const problem = () => problemOf(current, trouble, clock.now());
  return {
    get certificate() {
      return current;
    },
    problem,
    status: () => {
      const renewAt = current && source.renewAt?.(current);
      const at = renewAt === undefined || failures === 0 ? renewAt : Math.max(dueAt, renewAt);
      return { kind: source.kind, ...defined({ certificate: current, renewAt: at, problem: problem() }) };
    },
    challenge: (token) => source.challenge?.(token),
    start: async (given) => {
      ears = given;
      const kept = await source.kept();
      const wrong = kept && (await use(kept));
      if (wrong !== undefined) note(wrong);
      lookInTurn();
    },
    stop: async () => {
      end.abort();
      cancelTimer();
      await turn;
    },
  };
}

/** A sentence; undefined: all is well. Pure. */
function problemOf(current: Certificate | undefined, trouble: string | undefined, now: Millis): string | undefined {
  if (current === undefined) return trouble ?? "There is no certificate yet, so nobody can connect by https.";
  if (now >= current.until) return `The certificate ended on ${rfc3339(current.until)}. ${trouble ?? "Replace it."}`;
  if (now >= current.from) return trouble;
  return `The certificate is not valid before ${rfc3339(current.from)}: this machine’s clock is probably behind.`;
}
