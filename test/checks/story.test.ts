/** Invariants of every check, whatever happens to it and in whatever order (CHECKINS.md §4, §5). */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { compose } from "../../src/checks/alerts/compose.ts";
import { decide } from "../../src/checks/decide/decide.ts";
import { dueAt } from "../../src/checks/decide/missed.ts";
import { toDraft } from "../../src/messages/reading/draft.ts";
import { examples } from "../support/rounds.ts";
import { live, lives, longRid, type Moment, someSettings } from "./lives.ts";
import { DAY, Story, T0 } from "./story.ts";
import { toldOf } from "./told.ts";

const holds = (check: (moments: Moment[]) => void, numRuns = examples(250)) => {
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

test("no incident is reported down twice or up twice, or up before it was down", () => {
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

test("an incident is reported unless the check is snoozed, and its end if the incident was reported", () => {
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

test("a check is down as long as its incident is open, and incidents are numbered", () => {
  holds((moments) => {
    for (const { before, decision } of moments) {
      const { after, recorded } = decision;
      expect(after.incident !== undefined).toBe(after.state === "down");
      expect(after.incidents - before.incidents).toBe(recorded.filter(({ kind }) => kind === "down").length);
      expect(after.incident?.n ?? after.incidents).toBe(after.incidents);
    }
  });
});

test("a snoozed check reports only its recovery, a paused one nothing; a test alert always works", () => {
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

test("each event is recorded in order, numbered, and none lies in the future", () => {
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

test("the recorded events and the passed time give the same standing again: an ignored ping leaves no trace", () => {
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

test("a named run starts once and ends once with each outcome within a day, and does not start again in the next", () => {
  holds((moments) => {
    const pings: { rid: string; kind: string; now: number }[] = [];
    for (const { before, event, now, decision } of moments) {
      if (!("rid" in event) || event.kind === "log") continue;
      const { kind, rid } = event;
      const isKnown = pings.some(
        (one) => one.rid === rid && (one.kind === kind || kind === "start") && Math.abs(now - one.now) < DAY,
      );
      const isOpen = kind === "start" && before.runs.some((run) => run.rid === rid);
      expect(decision.recorded.length === 0).toBe(isKnown || isOpen);
      if (decision.recorded.length > 0) pings.push({ rid, kind, now });
    }
  });
});

test("a tick leaves nothing due, and another at the same time does nothing", () => {
  holds((moments) => {
    for (const { event, now, decision } of moments) {
      if (event.kind !== "tick") continue;
      expect(dueAt(decision.after) ?? Infinity).toBeGreaterThan(now);
      for (const again of [event, { kind: "tick" } as const])
        expect(decide(decision.after, again, now)).toEqual({
          after: decision.after,
          recorded: [],
          alerts: [],
          named: [],
        });
    }
  });
});

test("a tick before a check is due changes nothing, and one at that time changes something", () => {
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

test("a check that falls silent is reported: no order of events disarms it", () => {
  holds((moments) => {
    for (const { decision } of moments) {
      let standing = decision.after;
      if (standing.state !== "up" || standing.settings.schedule.kind === "manual") continue;
      for (let n = 0; n < 30 && standing.state === "up"; n++)
        standing = decide(standing, { kind: "tick" }, dueAt(standing) ?? Infinity).after;
      expect(standing.state).toBe("down");
    }
  });
});

test("an edit takes no check down, nor does the tick after it", () => {
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

test("what is kept of a check is bounded, whatever is sent to it", () => {
  const pings = fc.array(fc.tuple(fc.constantFrom("start", "ok", "fail", "log"), fc.nat(99)), {
    minLength: 200,
    maxLength: 200,
    size: "max",
  });
  fc.assert(
    fc.property(someSettings, pings, (settings, events) => {
      const story = new Story(settings, T0);
      for (const [kind, n] of events) story.happen({ kind, rid: longRid(n), exit: 255 }, T0 + n);
      expect(story.standing.runs.length).toBeLessThanOrEqual(20);
      expect(JSON.stringify(story.standing).length).toBeLessThan(10_000);
    }),
    { numRuns: examples(50) },
  );
});

test("each message could be published, and covers each alert once", () => {
  holds((moments) => {
    for (const { now, decision } of moments) {
      const told = decision.alerts.map((alert) => toldOf({ standing: decision.after }, alert));
      // many copies of one check stand for many checks
      for (const copies of [1, 7]) {
        const all = Array.from({ length: copies }, () => told).flat();
        const composed = compose(all, { now, zone: "UTC" });
        for (const { draft } of composed) expect(toDraft(draft, "check", now)).toStrictEqual({ kind: "draft", draft });
        expect(new Set(composed.flatMap((one) => one.told))).toEqual(new Set(all));
        expect(composed.flatMap((one) => one.told)).toHaveLength(all.length);
      }
    }
  }, 100);
});
