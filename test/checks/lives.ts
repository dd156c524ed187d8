/** Random lives of checks: settings, and events in any order and on any clock. */
import fc from "fast-check";
import type { CheckEvent, CheckSettings, Decision, Standing } from "../../src/checks/check.ts";
import { dueAt } from "../../src/checks/decide/missed.ts";
import { LEVELS, PRIORITIES } from "../../src/drafts/draft.ts";
import { oneLine } from "../../src/util/text/text.ts";
import { defined } from "../../src/util/defined.ts";
import { characters } from "../../src/util/schema.ts";
import { DAY, HOUR, MINUTE, SECOND, Story, T0 } from "./story.ts";

const orAbsent = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const durations = (...ms: number[]) => fc.constantFrom(...ms);

const schedules = fc.constantFrom<CheckSettings["schedule"]>(
  { kind: "every", everyMs: 10 * SECOND },
  { kind: "every", everyMs: HOUR },
  { kind: "every", everyMs: DAY },
  { kind: "cron", expression: "*/15 * * * *", timezone: "Europe/Berlin" },
  { kind: "cron", expression: "30 2 * * *", timezone: "Australia/Lord_Howe" },
  { kind: "cron", expression: "0 9 * * 1-5", timezone: "America/New_York" },
  { kind: "manual" },
);
const names = fc
  .oneof(fc.constantFrom("nas", "a".repeat(100)), fc.string({ unit: "binary", maxLength: 100 }))
  .map((name) => oneLine(name.toWellFormed()))
  .filter((name) => name !== "" && characters(name) <= 100);
/** Any settings that may be saved. */
export const someSettings: fc.Arbitrary<CheckSettings> = fc
  .record({
    name: names,
    slug: orAbsent(fc.constantFrom("a", "b".repeat(64))),
    tags: fc.constantFrom<string[]>(
      [],
      ["nas"],
      Array.from({ length: 16 }, (_, n) => `${n}`.repeat(16)),
    ),
    schedule: schedules,
    graceMs: orAbsent(durations(0, MINUTE, 3 * HOUR)),
    earlyMs: orAbsent(durations(0, 2 * HOUR, 30 * DAY)),
    maxRunMs: orAbsent(durations(0, MINUTE, 2 * DAY)),
    failAfter: fc.integer({ min: 1, max: 3 }),
    recoverAfter: fc.integer({ min: 1, max: 3 }),
    remindEveryMs: durations(0, MINUTE, DAY),
    remindMax: orAbsent(fc.integer({ min: 0, max: 2 })),
    notifyLate: fc.boolean(),
    notifySuccess: fc.boolean(),
    postOnly: fc.boolean(),
    armed: fc.boolean(),
    level: orAbsent(fc.constantFrom(...LEVELS)),
    priority: orAbsent(fc.constantFrom(...PRIORITIES)),
  })
  .map((fields) => defined<CheckSettings>(fields));

type Happening =
  | { kind: "ping"; event: CheckEvent }
  | { kind: "snooze"; forMs: number }
  /** Changes all settings, or one or two. */
  | { kind: "edit"; settings: Partial<CheckSettings> }
  /** The server is away until the end of the pause, and ticked just before it. */
  | { kind: "gap" }
  /** The alerter wakes when something is due, until the end of the pause. */
  | { kind: "watch" };

export const longRid = (n: number) => `${n}`.padStart(64, "r");
const rids = orAbsent(
  fc.oneof(
    fc.constantFrom("a", "b", "c"),
    fc.nat(99).map((n) => longRid(n)),
  ),
);
const edits: fc.Arbitrary<Partial<CheckSettings>> = fc.oneof(
  someSettings,
  fc.record({ graceMs: durations(MINUTE, 3 * HOUR) }),
  fc.record({ maxRunMs: durations(0, MINUTE, 2 * DAY), armed: fc.boolean() }),
  fc.record({ name: names, remindEveryMs: durations(0, MINUTE, DAY) }),
);
const happenings: fc.Arbitrary<Happening> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .record({
        kind: fc.constantFrom("ok", "fail", "start", "log"),
        rid: rids,
        exit: orAbsent(fc.integer({ min: 0, max: 255 })),
        extendMs: orAbsent(durations(0, MINUTE, DAY)),
        tail: orAbsent(fc.string({ unit: "binary", maxLength: 700 })),
      })
      .map((fields): Happening => ({ kind: "ping", event: defined<CheckEvent>(fields as CheckEvent) })),
  },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom<CheckEvent["kind"]>("ignored", "tick", "pause", "resume", "resume", "ack", "test")
      .map((kind): Happening => ({ kind: "ping", event: { kind } as CheckEvent })),
  },
  {
    weight: 1,
    arbitrary: durations(-MINUTE, MINUTE, 3 * HOUR, 9 * DAY).map((forMs): Happening => ({ kind: "snooze", forMs })),
  },
  { weight: 1, arbitrary: edits.map((settings): Happening => ({ kind: "edit", settings })) },
  { weight: 2, arbitrary: fc.constantFrom<Happening>({ kind: "gap" }, { kind: "watch" }, { kind: "watch" }) },
);
/** The clock may be set back; a server may be away for years. */
const pauses = fc.oneof(
  durations(0, 0, SECOND, 3 * SECOND, MINUTE, 14 * MINUTE, HOUR, 5 * HOUR, DAY, 40 * DAY, 900 * DAY),
  durations(-SECOND, -HOUR, -30 * DAY),
);
export const lives = fc.tuple(someSettings, fc.array(fc.tuple(pauses, happenings), { maxLength: 40, size: "max" }));

export interface Moment {
  before: Standing;
  event: CheckEvent;
  now: number;
  decision: Decision;
}

/** Plays a life and yields everything that happens to the check. */
export function* live([settings, steps]: [CheckSettings, [number, Happening][]]): Generator<Moment> {
  const story = new Story(settings, T0);
  let now = T0;
  const happen = (event: CheckEvent): Moment => {
    const before = story.standing;
    return { before, event, now, decision: story.happen(event, now) };
  };
  for (const [pause, happening] of steps) {
    const from = now;
    const to = now + pause;
    for (
      let due = dueAt(story.standing), n = 0;
      happening.kind === "watch" && due !== undefined && due <= to && n < 50;
      n++
    ) {
      now = Math.max(now, due);
      yield happen({ kind: "tick" });
      due = dueAt(story.standing);
    }
    now = to;
    switch (happening.kind) {
      case "ping":
        yield happen(happening.event);
        break;
      case "snooze":
        yield happen({ kind: "snooze", until: now + happening.forMs });
        break;
      case "edit":
        yield happen({ kind: "edit", settings: { ...story.standing.settings, ...happening.settings } });
        break;
      case "gap":
        yield happen(now > from ? { kind: "tick", gap: { from, to: now } } : { kind: "tick" });
        break;
      case "watch":
        break;
    }
  }
}
