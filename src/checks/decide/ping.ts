/** What a ping does to a check (CHECKINS.md §2, §4). */
import { NAMED_MS } from "../../store/checks.ts";
import type { Millis } from "../../util/clock.ts";
import { defined } from "../../util/defined.ts";
import type { Alert, CheckEvent, NamedPing, PingKind, Recorded, Run, Standing } from "../check.ts";
import { awaitSlot, type Change, changeReason, closeIncident, cover, goDown, isMuted, record } from "./change.ts";
import { resume } from "./owner.ts";
import { marginsAt, marginsNow, slotAfterPing } from "../schedule/schedule.ts";

export type Ping = Extract<CheckEvent, { kind: PingKind }>;

/** The numbers of runs and offsets that are kept of a check; the oldest are dropped. */
const MOST_RUNS = 20;
const MOST_OFFSETS = 3;
const FOLD_MS = 2_000;

export function ping(change: Change, event: Ping): void {
  const { kind, rid } = event;
  const { state, settings } = change.after;
  if (state === "paused" && settings.resumeByPing === true && kind !== "log") resume(change);
  if (rid !== undefined && kind !== "log") change.named.push({ rid, kind, at: change.now });
  switch (event.kind) {
    case "start":
      start(change, event);
      return;
    case "log":
      log(change, event);
      return;
    case "ok":
      succeed(change, event);
      if (event.rid === undefined) change.after.folds = defined({ at: change.now, exit: event.exit });
      return;
    case "fail":
      fail(change, event);
      return;
  }
}

/** Whether an event repeats an earlier one, or starts a run that has ended. Logs never repeat: each may ask for more time. */
export function isRepeat(
  { runs, folds }: Standing,
  event: CheckEvent,
  now: Millis,
  known: readonly NamedPing[],
): boolean {
  if (event.kind !== "ok" && event.kind !== "fail" && event.kind !== "start") return false;
  const { kind, rid, exit } = event;
  if (rid !== undefined)
    return (
      (kind === "start" && runs.some((run) => run.rid === rid)) ||
      known.some((one) => (kind === "start" || one.kind === kind) && Math.abs(now - one.at) < NAMED_MS)
    );
  if (kind !== "ok" || folds === undefined || folds.exit !== exit) return false;
  return now >= folds.at && now - folds.at <= FOLD_MS;
}

const lineOf = ({ kind, rid, exit }: Ping, durationMs?: number) =>
  defined<Omit<Recorded, "at">>({ kind, rid, exit, durationMs });

function start(change: Change, event: Ping): void {
  const { after, now } = change;
  record(change, lineOf(event));
  const { state, slotAt } = after;
  const { maxRunMs } = marginsNow(after, now);
  const isWatched = state !== "paused";
  const run = defined<Run>({
    rid: event.rid ?? `#${after.events}`,
    isNamed: event.rid !== undefined,
    startedAt: now,
    slotAt: isWatched ? slotAt : undefined,
    deadlineAt: isWatched && maxRunMs > 0 ? now + maxRunMs : undefined,
    hasOverrun: false,
  });
  // unnamed runs cannot be told apart, so the later one replaces the earlier one
  after.runs = [...after.runs.filter((each) => each.isNamed || run.isNamed), run].slice(-MOST_RUNS);
  cover(after, run);
}

function log(change: Change, event: Ping): void {
  const { after, now } = change;
  record(change, lineOf(event));
  const run = runOf(after.runs, event.rid);
  const isLimited = run !== undefined && (run.deadlineAt !== undefined || run.hasOverrun);
  if (event.extendMs === undefined || !isLimited) return;
  const extended = { ...run, deadlineAt: Math.max(run.deadlineAt ?? now, now + event.extendMs), hasOverrun: false };
  after.runs = after.runs.map((each) => (each === run ? extended : each));
  cover(after, extended);
}

function succeed(change: Change, event: Ping): void {
  const { after, now } = change;
  const { run, details } = end(change, event);
  after.lastOkAt = after.lastEventAt ?? now;
  delete after.lastDurationMs;
  if (details.durationMs !== undefined) after.lastDurationMs = details.durationMs;
  if (after.state === "paused") return;
  after.failStreak = 0;
  after.okStreak += 1;
  after.runs = after.runs.filter((each) => !each.hasOverrun); // they are lost, and have been reported
  noteOffset(after, run, now);
  awaitSlot(change, slotAfterPing(after.settings, after.slotAt, now));
  const { incident } = after;
  const told = change.alerts.length;
  if (incident === undefined) after.state = "up";
  else if (after.okStreak >= after.settings.recoverAfter) {
    after.state = "up";
    record(change, { kind: "up", reason: incident.reason });
    closeIncident(change, incident, details);
  }
  if (after.settings.notifySuccess && change.alerts.length === told && !isMuted(after))
    change.alerts.push({ kind: "success", at: now, ...details });
}

/** A tolerated failure is a check-in too, or its slot would be missed. */
function fail(change: Change, event: Ping): void {
  const { after, now } = change;
  const { details } = end(change, event);
  if (after.state === "paused") return;
  after.failStreak += 1;
  after.okStreak = 0;
  awaitSlot(change, slotAfterPing(after.settings, after.slotAt, now));
  const { incident } = after;
  if (after.failStreak >= after.settings.failAfter) {
    if (incident === undefined) goDown(change, { reason: "failed", openedAt: now, at: now }, details);
    else changeReason(change, incident, { reason: "failed" }, details);
  } else if (incident === undefined && !isMuted(after)) change.alerts.push({ kind: "warning", at: now, ...details });
}

/** Closes the run that the event means, if that is clear. */
function end(
  change: Change,
  event: Ping,
): { run: Run | undefined; details: Pick<Alert, "exit" | "durationMs" | "tail"> } {
  const { after, now } = change;
  const { rid, exit, tail } = event;
  const run = runOf(after.runs, rid);
  after.runs = after.runs.filter((each) => each !== run);
  const durationMs = run === undefined ? undefined : Math.max(0, now - run.startedAt);
  record(change, lineOf(event, durationMs));
  return { run, details: defined({ exit, durationMs, tail }) };
}

/** The run of that name, else the unnamed one, else the only one if the ping names none. */
function runOf(runs: readonly Run[], rid: string | undefined): Run | undefined {
  const only = rid === undefined && runs.length === 1 ? runs[0] : undefined;
  return runs.find((run) => run.rid === rid) ?? runs.find((run) => !run.isNamed) ?? only;
}

/** Notes how much too early a job on a cron schedule began; forgets it all once the job is on time. */
function noteOffset(after: Standing, run: Run | undefined, now: Millis): void {
  const { settings } = after;
  const at = run?.startedAt ?? now;
  const slotAt = run === undefined ? after.slotAt : run.slotAt;
  if (settings.schedule.kind !== "cron" || slotAt === undefined) return;
  const offset = slotAt - at;
  const isEarly = offset > marginsAt(settings, slotAt).earlyMs;
  after.offsets = isEarly ? [...after.offsets, offset].slice(-MOST_OFFSETS) : [];
}
