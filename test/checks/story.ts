/** A check and a sequence of events; each step includes the store's round trip through JSON. */
import type { Alert, CheckEvent, CheckSettings, Decision, NamedPing, Standing } from "../../src/checks/check.ts";
import { decide, initial } from "../../src/checks/decide/decide.ts";

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** A Friday, 02:30 in Berlin. */
export const T0 = Date.parse("2026-11-20T01:30:00Z");

/** `every: 1 h`, so that the grace is 15 min. */
export const settings = (over: Partial<CheckSettings> = {}): CheckSettings => ({
  name: "nas-backup",
  tags: [],
  schedule: { kind: "every", everyMs: HOUR },
  failAfter: 1,
  recoverAfter: 1,
  remindEveryMs: DAY,
  notifyLate: false,
  notifySuccess: false,
  postOnly: false,
  armed: false,
  ...over,
});

/** Every day at 02:30 in Berlin. */
export const nightly: Partial<CheckSettings> = {
  schedule: { kind: "cron", expression: "30 2 * * *", timezone: "Europe/Berlin" },
};

/** When it happens, in minutes after T0, and what happens. */
export type Step = [minutes: number, event: CheckEvent | CheckEvent["kind"]];

export class Story {
  standing: Standing;
  readonly told: Alert[] = [];
  readonly named: NamedPing[] = [];

  constructor(over: Partial<CheckSettings> = {}, now = T0) {
    this.standing = stored(initial(settings(over), now));
  }

  /** Plays the steps without a tick in between, and returns what the last one decided. */
  play(...steps: Step[]): Decision {
    let decision: Decision = { after: this.standing, recorded: [], alerts: [], named: [] };
    for (const [minutes, event] of steps) decision = this.happen(eventOf(event), T0 + minutes * MINUTE);
    return decision;
  }

  happen(event: CheckEvent, now: number): Decision {
    const known = this.named.filter(({ rid }) => "rid" in event && event.rid === rid);
    const decision = decide(frozen(this.standing), event, now, known);
    this.standing = stored(decision.after);
    this.told.push(...decision.alerts);
    this.named.push(...decision.named);
    return decision;
  }
}

const eventOf = (event: Step[1]): CheckEvent => (typeof event === "string" ? ({ kind: event } as CheckEvent) : event);

const stored = (standing: Standing): Standing => JSON.parse(JSON.stringify(standing)) as Standing;

function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}
