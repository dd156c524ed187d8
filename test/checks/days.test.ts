/**
 * How long a check was up, day by day (CHECKINS.md §8): outages count from the deadline, and days are split at midnight
 * in the check's zone.
 */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { CheckEvent, CheckSettings, Gap, Standing } from "../../src/checks/check.ts";
import { count, spend } from "../../src/checks/days/days.ts";
import type { DayTimes } from "../../src/store/days.ts";
import { dayIn } from "../../src/util/calendar.ts";
import { live, lives } from "./lives.ts";
import { DAY, HOUR, MINUTE, nightly, settings, Story } from "./story.ts";

const ZONE = "Europe/Berlin";
const berlin = (text: string) =>
  Date.parse(`${text}${text > "2026-10-25T03" || text < "2026-03-29T02" ? "+01:00" : "+02:00"}`);
const dayOf = (date: string) => Date.parse(`${date}T00:00:00Z`) / DAY;

/** What the store keeps about the days of a check. */
class Diary {
  readonly days = new Map<number, DayTimes>();
  /** How many times something was written. */
  written = 0;
  from: number;
  story: Story;
  readonly away: Gap[] = [];
  constructor(over: Partial<CheckSettings>, at: number) {
    this.story = new Story(over, at);
    this.from = at;
  }
  happen(event: CheckEvent | CheckEvent["kind"], now: number): this {
    const before = this.story.standing;
    const { after } = this.story.happen(typeof event === "string" ? ({ kind: event } as CheckEvent) : event, now);
    this.note(before, after, now);
    return this;
  }
  note(before: Standing, after: Standing, now: number): void {
    const counted = count(before, after, now, { from: this.from, away: this.away });
    if (counted === undefined) return;
    this.written++;
    for (const times of counted.times) this.days.set(times.day, sum(times, this.days.get(times.day)));
    this.from = counted.to;
  }
  /** The days as they are read, including what is not written yet. */
  at(now: number): Map<number, DayTimes> {
    const days = new Map([...this.days].map(([day, times]) => [day, { ...times }]));
    spend(days, this.story.standing, { from: this.from, to: now }, this.away);
    return days;
  }
  /** Hours of up, down, quiet and away on a date. */
  hours(date: string, now: number): number[] {
    const { upMs = 0, downMs = 0, quietMs = 0, awayMs = 0 } = this.at(now).get(dayOf(date)) ?? {};
    return [upMs, downMs, quietMs, awayMs].map((ms) => ms / HOUR);
  }
}

const sum = (one: DayTimes, other: DayTimes | undefined): DayTimes =>
  other === undefined
    ? { ...one }
    : {
        day: one.day,
        upMs: one.upMs + other.upMs,
        downMs: one.downMs + other.downMs,
        quietMs: one.quietMs + other.quietMs,
        awayMs: one.awayMs + other.awayMs,
        hasOk: one.hasOk || other.hasOk,
      };

/** A check that has been up since 02:30 and is due daily at that time in Berlin, with a grace of 1 h. */
const since = (at: string) => new Diary({ ...nightly, graceMs: HOUR }, berlin(at) - MINUTE).happen("ok", berlin(at));

describe("a day", () => {
  test("begins with the first ping: what happened before is unknown", () => {
    const diary = new Diary(nightly, berlin("2026-11-20T01:00"));
    expect(diary.at(berlin("2026-11-20T02:00")).size).toBe(0);
    diary.happen("ok", berlin("2026-11-20T02:30"));
    expect(diary.hours("2026-11-20", berlin("2026-11-20T12:30"))).toEqual([10, 0, 0, 0]);
  });

  test("lasts from midnight to midnight in the zone of the check's schedule", () => {
    const diary = since("2026-11-20T02:30").happen("ok", berlin("2026-11-21T02:30"));
    const now = berlin("2026-11-21T06:00");
    expect(diary.hours("2026-11-20", now)).toEqual([21.5, 0, 0, 0]);
    expect(diary.hours("2026-11-21", now)).toEqual([6, 0, 0, 0]);
  });

  // prettier-ignore
  test.each([
    ["of 23 hours",                  "2026-03-28", "2026-03-29", 23],
    ["of 25 hours",                  "2026-10-24", "2026-10-25", 25],
    ["of 24 hours, as most",         "2026-05-05", "2026-05-06", 24],
  ])("%s is counted in full", (_, before, date, hours) => {
    const diary = since(`${before}T02:30`);
    const end = dayIn(ZONE, berlin(`${date}T12:00`)).to;
    diary.happen("ok", berlin(`${date}T04:30`)).happen("ok", end + HOUR);
    const { upMs = 0, downMs = 0 } = diary.at(end + HOUR).get(dayOf(date)) ?? {};
    expect((upMs + downMs) / HOUR).toBe(hours);
  });

  test("is not written with each ping, but when it is over", () => {
    const diary = since("2026-11-20T02:30");
    const written = diary.written;
    for (let hour = 3; hour < 24; hour++) diary.happen("ok", berlin("2026-11-20T00:00") + hour * HOUR);
    expect(diary.written).toBe(written);
    diary.happen("ok", berlin("2026-11-21T00:00"));
    expect(diary.written).toBe(written + 1);
    expect(diary.days.get(dayOf("2026-11-20"))).toMatchObject({ upMs: 21.5 * HOUR, hasOk: true });
  });
});

describe("an outage", () => {
  test("counts from the deadline, whenever the alerter looked, and is split at midnight", () => {
    const diary = since("2026-11-20T02:30").happen("tick", berlin("2026-11-21T03:31"));
    diary.happen("ok", berlin("2026-11-22T01:30"));
    const now = berlin("2026-11-22T12:00");
    expect(diary.hours("2026-11-21", now)).toEqual([3.5, 20.5, 0, 0]);
    expect(diary.hours("2026-11-22", now)).toEqual([10.5, 1.5, 0, 0]);
    expect([...diary.at(now).values()].map(({ hasOk }) => hasOk)).toEqual([true, false, true]);
  });

  test("that goes on without a ping is counted on each of its days", () => {
    const diary = since("2026-11-20T02:30").happen("tick", berlin("2026-11-21T03:30"));
    const now = berlin("2026-11-25T06:00");
    const down = ["2026-11-22", "2026-11-23", "2026-11-24"].map((date) => diary.hours(date, now));
    expect(down).toEqual([[0, 24, 0, 0], [0, 24, 0, 0], [0, 24, 0, 0]]); // prettier-ignore
    expect(diary.hours("2026-11-25", now)).toEqual([0, 6, 0, 0]);
  });

  test("of years is written for one year only", () => {
    const diary = since("2026-11-20T02:30").happen("tick", berlin("2026-11-21T03:30"));
    diary.happen("ok", berlin("2026-11-21T03:30") + 900 * DAY);
    expect(diary.days.size).toBeLessThanOrEqual(2 + 367);
  });
});

describe("planned time", () => {
  test("is quiet in a pause, in which nothing is down", () => {
    const diary = since("2026-11-20T02:30").happen("pause", berlin("2026-11-21T01:00"));
    diary.happen("resume", berlin("2026-11-22T12:00"));
    const now = berlin("2026-11-22T18:00");
    expect(diary.hours("2026-11-21", now)).toEqual([1, 0, 23, 0]);
    expect(diary.hours("2026-11-22", now)).toEqual([6, 0, 12, 0]);
  });

  test("is quiet in a snooze; what is down at its end is down from then on, no matter when it is looked at", () => {
    const diary = since("2026-11-20T02:30");
    diary.happen({ kind: "snooze", until: berlin("2026-11-21T10:00") }, berlin("2026-11-21T00:00"));
    diary.happen("tick", berlin("2026-11-21T03:30"));
    const seen = (now: number) => diary.hours("2026-11-21", now);
    expect(seen(berlin("2026-11-21T12:00"))).toEqual([0, 2, 10, 0]);
    diary.happen("tick", berlin("2026-11-21T12:00"));
    expect(seen(berlin("2026-11-22T12:00"))).toEqual([0, 14, 10, 0]);
  });
});

test("a snooze that is looked at too late is quiet until its end and no longer", () => {
  const diary = since("2026-11-20T02:30");
  diary.happen({ kind: "snooze", until: berlin("2026-11-21T10:00") }, berlin("2026-11-21T00:00"));
  diary.happen("tick", berlin("2026-11-21T12:00")); // missed at 03:30
  expect(diary.hours("2026-11-21", berlin("2026-11-21T13:00"))).toEqual([0, 3, 10, 0]);
});

describe("the server's absence", () => {
  test("is neither up nor down", () => {
    const diary = since("2026-11-20T02:30");
    diary.away.push({ from: berlin("2026-11-20T22:00"), to: berlin("2026-11-21T01:00") });
    diary.happen("ok", berlin("2026-11-21T02:30"));
    const now = berlin("2026-11-21T06:00");
    expect(diary.hours("2026-11-20", now)).toEqual([19.5, 0, 0, 2]);
    expect(diary.hours("2026-11-21", now)).toEqual([5, 0, 0, 1]);
  });

  test("takes precedence: it is unknown whether what was down stayed down during it", () => {
    const diary = since("2026-11-20T02:30").happen("tick", berlin("2026-11-21T03:30"));
    diary.away.push({ from: berlin("2026-11-21T12:00"), to: berlin("2026-11-21T18:00") });
    expect(diary.hours("2026-11-21", berlin("2026-11-22T00:00"))).toEqual([3.5, 14.5, 0, 6]);
  });

  /** The server is back at 04:00; the hold of a daily check ends 5 min later. */
  const missed = () => {
    const gap = { from: berlin("2026-11-21T02:00"), to: berlin("2026-11-21T04:00") };
    const diary = since("2026-11-20T02:30");
    diary.away.push(gap);
    return diary.happen({ kind: "tick", gap }, gap.to).happen("tick", gap.to + 5 * MINUTE);
  };

  test("may have swallowed a ping: the state is unknown until the next one is due, and down from then on", () => {
    const diary = missed();
    const now = berlin("2026-11-22T12:00");
    expect(diary.story.standing.state).toBe("down");
    expect(diary.hours("2026-11-21", now)).toEqual([2, 0, 0, 22]);
    expect(diary.hours("2026-11-22", now)).toEqual([0, 8.5, 0, 3.5]);
  });

  test("does not excuse what is missed after it, no matter when that is counted", () => {
    const diary = missed().happen("log", berlin("2026-11-22T12:00")); // counts the slot missed at 03:30
    const now = berlin("2026-11-23T12:00");
    expect(diary.hours("2026-11-22", now)).toEqual([0, 20.5, 0, 3.5]);
    expect(diary.hours("2026-11-23", now)).toEqual([0, 12, 0, 0]);
  });

  test("does not cover a job that fails after it", () => {
    const diary = missed().happen({ kind: "fail", exit: 1 }, berlin("2026-11-21T08:00"));
    expect(diary.hours("2026-11-21", berlin("2026-11-22T00:00"))).toEqual([2, 0, 0, 6].with(1, 16));
  });
});

test("a check that moves to another zone counts the time before in the old zone", () => {
  const diary = since("2026-11-20T02:30");
  const cron = { kind: "cron", expression: "30 2 * * *", timezone: "Asia/Tokyo" } as const;
  diary.happen(
    { kind: "edit", settings: settings({ ...nightly, graceMs: HOUR, schedule: cron }) },
    berlin("2026-11-20T20:00"),
  );
  const now = berlin("2026-11-20T22:00"); // in Tokyo the 21st began at 16:00
  expect(diary.hours("2026-11-20", now)).toEqual([17.5, 0, 0, 0]);
  expect(diary.hours("2026-11-21", now)).toEqual([2, 0, 0, 0]);
});

const total = (days: Iterable<DayTimes>) =>
  [...days].reduce((ms, { upMs, downMs, quietMs, awayMs }) => ms + upMs + downMs + quietMs + awayMs, 0);
const quiet = (days: Iterable<DayTimes>) => [...days].reduce((ms, { quietMs }) => ms + quietMs, 0);

const gaps = fc
  .array(fc.tuple(fc.nat(60 * 24), fc.nat(60 * 24)), { maxLength: 4 })
  .map((all) => all.map(([from, minutes]) => ({ from: T1 + from * MINUTE, to: T1 + (from + minutes) * MINUTE })));
const T1 = Date.parse("2026-03-27T12:00:00Z");

test("a span is the sum of its parts, and the parts of a day never exceed its length", () => {
  const span = fc.tuple(fc.nat(6 * 24 * 60), fc.nat(6 * 24 * 60), fc.nat(6 * 24 * 60));
  fc.assert(
    fc.property(lives, span, gaps, (life, minutes, away) => {
      const last = [...live(life)].at(-1)?.decision.after;
      if (last === undefined) return;
      const [from = 0, middle = 0, to = 0] = minutes.map((minute) => T1 + minute * MINUTE).sort((a, b) => a - b);
      const [whole, parts] = [new Map<number, DayTimes>(), new Map<number, DayTimes>()];
      spend(whole, last, { from, to }, away);
      spend(parts, last, { from, to: middle }, away);
      spend(parts, last, { from: middle, to }, away);
      expect(parts).toEqual(whole);
      expect(total(whole.values())).toBe(last.state === "new" ? 0 : to - from);
      for (const times of whole.values()) expect(total([times])).toBeLessThanOrEqual(25 * HOUR);
    }),
  );
});

test("days that are written late come out the same as if written at once", () => {
  fc.assert(
    fc.property(lives, ([settings, steps]) => {
      const forward = steps.map(([pause, happening]): (typeof steps)[number] => [
        Math.abs(pause) % (41 * DAY),
        happening,
      ]);
      const moments = [...live([settings, forward])];
      fc.pre(moments.every(({ before, decision }) => before.state !== "new" || decision.after.state !== "down"));
      const [first] = moments;
      if (first === undefined) return;
      const diary = new Diary({}, first.now);
      const atOnce = new Map<number, DayTimes>();
      let from = first.now;
      for (const { before, decision, now } of moments) {
        diary.note(before, decision.after, now);
        spend(atOnce, before, { from, to: now }, []);
        from = now;
        diary.story.standing = decision.after;
      }
      const late = diary.at(from).values().toArray();
      expect([total(late), quiet(late)]).toEqual([total(atOnce.values()), quiet(atOnce.values())]);
    }),
  );
});
