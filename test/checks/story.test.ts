/** What holds for every check, whatever happens to it in whatever order (docs/design/CHECKINS.md §4, §5). */
import { expect, test } from "bun:test";
import fc from "fast-check";
import type { CheckEvent, CheckSettings, Decision, Standing } from "../../src/checks/check.ts";
import { compose } from "../../src/checks/compose.ts";
import { decide } from "../../src/checks/decide.ts";
import { dueAt } from "../../src/checks/decide-tick.ts";
import { toDraft } from "../../src/messages/draft.ts";
import { LEVELS, PRIORITIES } from "../../src/messages/message.ts";
import { oneLine } from "../../src/messages/text.ts";
import { defined } from "../../src/util/defined.ts";
import { characters } from "../../src/util/schema.ts";
import { DAY, HOUR, MINUTE, SECOND, Story, T0 } from "./story.ts";
import { toldOf } from "./told.ts";

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
const someSettings: fc.Arbitrary<CheckSettings> = fc
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
  | { kind: "edit"; settings: CheckSettings }
  /** The server is away until the end of the pause, and was seen before it. */
  | { kind: "gap" }
  /** The alerter wakes as it wants to, until the end of the pause. */
  | { kind: "watch" };

const longRid = (n: number) => `${n}`.padStart(64, "r");
const rids = orAbsent(
  fc.oneof(
    fc.constantFrom("a", "b", "c"),
    fc.nat(99).map((n) => longRid(n)),
  ),
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
  { weight: 1, arbitrary: someSettings.map((settings): Happening => ({ kind: "edit", settings })) },
  { weight: 2, arbitrary: fc.constantFrom<Happening>({ kind: "gap" }, { kind: "watch" }, { kind: "watch" }) },
);
/** The clock may be set back; a server may be away for years. */
const pauses = fc.oneof(
  durations(0, 0, SECOND, 3 * SECOND, MINUTE, 14 * MINUTE, HOUR, 5 * HOUR, DAY, 40 * DAY, 900 * DAY),
  durations(-SECOND, -HOUR, -30 * DAY),
);
const lives = fc.tuple(someSettings, fc.array(fc.tuple(pauses, happenings), { maxLength: 40, size: "max" }));

interface Moment {
  before: Standing;
  event: CheckEvent;
  now: number;
  decision: Decision;
}

/** All that happens to one check. */
function* live([settings, steps]: [CheckSettings, [number, Happening][]]): Generator<Moment> {
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
        yield happen(happening);
        break;
      case "gap":
        yield happen(now > from ? { kind: "tick", gap: { from, to: now } } : { kind: "tick" });
        break;
      case "watch":
        break;
    }
  }
}

const holds = (check: (moments: Moment[]) => void, numRuns = 250) => {
  fc.assert(
    fc.property(lives, (life) => {
      check([...live(life)]);
    }),
    { numRuns },
  );
};

const PINGS = new Set(["ok", "fail", "start", "log"]);

const numbered = (moments: Moment[], kind: string) =>
  moments
    .flatMap(({ decision }) => decision.alerts)
    .filter((alert) => alert.kind === kind)
    .map(({ incident }) => incident?.n);

test("no incident is told to be down twice, nor to be up, nor up before it was down", () => {
  holds((moments) => {
    const [down, up] = [numbered(moments, "down"), numbered(moments, "up")];
    expect(down).toEqual([...new Set(down)]);
    expect(up).toEqual([...new Set(up)]);
    const told = moments.flatMap(({ decision }) => decision.alerts);
    const state = new Set<number>();
    for (const { kind, incident } of told) {
      if (kind === "down") state.add(incident?.n ?? 0);
      if (kind === "up" || kind === "changed" || kind === "reminder") expect(state).toContain(incident?.n ?? 0);
      if (kind === "up") state.delete(incident?.n ?? 0);
    }
  });
});

test("an incident is told unless the check is snoozed, and its end if it was told", () => {
  holds((moments) => {
    const told = new Set<number>();
    const ended = new Set<number>();
    for (const { before, decision } of moments) {
      for (const { kind, incident } of decision.alerts)
        (kind === "up" ? ended : kind === "down" ? told : new Set()).add(incident?.n ?? 0);
      const { incident, mutedUntil } = decision.after;
      if (incident !== undefined) {
        expect(incident.isTold).toBe(told.has(incident.n));
        expect(incident.isTold || mutedUntil !== undefined).toBe(true);
      }
      const closed = before.incident !== undefined && before.incident.n !== incident?.n ? before.incident.n : undefined;
      if (closed !== undefined) expect(ended.has(closed)).toBe(told.has(closed));
    }
  });
});

test("a check is down as long as its incident is open, and incidents are counted", () => {
  holds((moments) => {
    for (const { before, decision } of moments) {
      const { after, recorded } = decision;
      expect(after.incident !== undefined).toBe(after.state === "down");
      expect(after.incidents - before.incidents).toBe(recorded.filter(({ kind }) => kind === "down").length);
      expect(after.incident?.n ?? after.incidents).toBe(after.incidents);
    }
  });
});

test("a snoozed check says only that it is back, a paused one nothing; trying it out works", () => {
  holds((moments) => {
    for (const { before, event, now, decision } of moments) {
      const kinds = new Set(decision.alerts.map(({ kind }): string => kind));
      kinds.delete("test");
      if (before.state === "paused" && event.kind !== "resume") expect([...kinds]).toEqual([]);
      kinds.delete("up");
      if ((before.mutedUntil ?? 0) > now && event.kind !== "snooze") expect([...kinds]).toEqual([]);
    }
  });
});

test("each event is recorded in order, numbered, and none is from the time to come", () => {
  holds((moments) => {
    let [last, latest] = [-Infinity, T0];
    for (const { before, now, decision } of moments) {
      latest = Math.max(latest, now);
      expect(decision.after.events - before.events).toBe(decision.recorded.length);
      for (const { at } of decision.recorded) {
        expect(at).toBeWithin(last, latest + 1);
        last = at;
      }
      for (const { at } of decision.alerts) expect(at).toBeLessThanOrEqual(latest);
      expect(decision.after.lastEventAt ?? -Infinity).toBe(last);
    }
  });
});

test("what was recorded, and time, give the same standing again: a ping that was not leaves no trace", () => {
  holds((moments) => {
    let standing = moments[0]?.before;
    for (const { event, now, decision } of moments) {
      const isUnrecorded = PINGS.has(event.kind) && decision.recorded.length === 0;
      if (isUnrecorded) expect(decision.alerts).toEqual([]);
      else if (standing !== undefined) standing = decide(standing, event, now).after;
    }
    expect(standing).toEqual(moments.at(-1)?.decision.after);
  });
});

test("a tick leaves nothing due, and the next at the same time does nothing", () => {
  holds((moments) => {
    for (const { event, now, decision } of moments) {
      if (event.kind !== "tick") continue;
      expect(dueAt(decision.after) ?? Infinity).toBeGreaterThan(now);
      for (const again of [event, { kind: "tick" } as const])
        expect(decide(decision.after, again, now)).toEqual({ after: decision.after, recorded: [], alerts: [] });
    }
  });
});

test("a tick before a check is due changes nothing, one at that time changes something", () => {
  holds((moments) => {
    for (const { decision } of moments) {
      const { after } = decision;
      const due = dueAt(after);
      const early = due === undefined ? T0 + 9_999 * DAY : due - 1;
      expect(decide(after, { kind: "tick" }, early).after).toEqual(after);
      if (due !== undefined) expect(decide(after, { kind: "tick" }, due).after).not.toEqual(after);
    }
  });
});

test("whoever falls silent is told of: no order of events disarms a check", () => {
  holds((moments) => {
    const last = moments.at(-1)?.decision.after;
    if (last?.state !== "up" || last.settings.schedule.kind === "manual") return;
    let standing = last;
    for (let n = 0; n < 30 && standing.state === "up"; n++)
      standing = decide(standing, { kind: "tick" }, dueAt(standing) ?? Infinity).after;
    expect(standing.state).toBe("down");
  });
});

test("an edit takes nobody down, nor does the tick after it", () => {
  holds((moments) => {
    for (const { before, event, now, decision } of moments) {
      if (event.kind !== "edit" || before.incident !== undefined) continue;
      const isTimed = (["schedule", "graceMs", "maxRunMs"] as const).some(
        (field) => !Bun.deepEquals(before.settings[field], event.settings[field]),
      );
      expect(decision.after.incident).toBeUndefined();
      if (isTimed && decision.after.settings.graceMs !== 0)
        expect(decide(decision.after, { kind: "tick" }, now).after.incident).toBeUndefined();
    }
  });
});

test("what is kept of a check is bounded, whatever it is sent", () => {
  const pings = fc.array(fc.tuple(fc.constantFrom("start", "ok", "fail", "log"), fc.nat(99)), {
    minLength: 200,
    maxLength: 200,
    size: "max",
  });
  fc.assert(
    fc.property(someSettings, pings, (settings, events) => {
      const story = new Story(settings, T0);
      for (const [kind, n] of events) story.happen({ kind, rid: longRid(n), exit: 255 } as CheckEvent, T0 + n);
      expect(story.standing.runs.length).toBeLessThanOrEqual(20);
      expect(JSON.stringify(story.standing).length).toBeLessThan(10_000);
    }),
    { numRuns: 50 },
  );
});

test("each message is one that could be published, and tells each alert once", () => {
  holds((moments) => {
    for (const { now, decision } of moments) {
      const told = decision.alerts.map((alert) => toldOf({ standing: decision.after }, alert));
      // the same check many times stands for many
      for (const copies of [1, 7]) {
        const all = Array.from({ length: copies }, () => told).flat();
        const composed = compose(all, { now });
        for (const { draft } of composed) expect(toDraft(draft, "check", now)).toStrictEqual({ kind: "draft", draft });
        expect(new Set(composed.flatMap((one) => one.told))).toEqual(new Set(all));
        expect(composed.flatMap((one) => one.told)).toHaveLength(all.length);
      }
    }
  }, 100);
});
