/** Days of checks and topics, hours of namespaces and devices, outages: counted in the job that causes them, read in one go. */
import { describe, expect, test } from "bun:test";
import type { CheckEvent } from "../../../src/checks/check.ts";
import { dayPicture } from "../../../src/checks/days/figures.ts";
import { rulesFor } from "../../../src/checks/rules.ts";
import type { DeviceHour } from "../../../src/store/days.ts";
import { dayHere } from "../../../src/util/calendar.ts";
import { heldClock } from "../../support/clock.ts";
import { bench, draft, range, type Bench, type OpenEngine } from "./engine.ts";
import { onTheWay, subscribers } from "./subscribing.ts";
import { HOUR, incident, standing, watch } from "./watching.ts";

const MINUTE = 60_000;
const DAY = 24 * HOUR;
const RETENTION = { days: 0, messages: 0 };
/** Noon in Berlin, 36 hours before the day of 25 hours. */
const NOON = Date.parse("2026-10-23T10:00:00Z");
const dayOf = (date: string) => Date.parse(`${date}T00:00:00Z`) / DAY;

/** A check that is to be pinged each hour, by the clock of Berlin, and the rules that apply. */
async function daily(open: OpenEngine, now = NOON) {
  const peal = await watch(open, {}, heldClock(now));
  const { clock, home } = peal;
  const made = standing({ state: "new" }, "hourly");
  const schedule = { kind: "cron", expression: "0 * * * *", timezone: "Europe/Berlin" } as const;
  const hourly = await peal.check("hourly", { standing: { ...made, settings: { ...made.settings, schedule } } });
  let { store } = peal;
  const happen = async (event: CheckEvent | CheckEvent["kind"], to = hourly) => {
    const one = (typeof event === "string" ? { kind: event } : event) as CheckEvent;
    await store.checks.apply(
      to,
      rulesFor(() => [one], clock.now()),
    );
  };
  const kept = async () => {
    const found = (await store.days.ofChecks([hourly.row], 0)).get(hourly.row);
    if (found === undefined) throw new Error("the check is gone");
    return found;
  };
  return {
    ...peal,
    hourly,
    happen,
    kept,
    /** The store as it is after reopening. */
    get store() {
      return store;
    },
    reopen: async () => (store = await peal.reopen()),
    publish: async (name: string) => store.messages.publish({ namespaceId: home.id, to: { name }, draft: draft() }),
    /** Pings once an hour for this many hours; each run takes this many minutes. */
    run: async (hours: number, minutes = 0) => {
      for (let n = 0; n < hours; n++) {
        if (minutes > 0) await happen("start");
        clock.advance(minutes * MINUTE);
        await happen("ok");
        clock.advance(HOUR - minutes * MINUTE);
      }
    },
    tick: async () => {
      const at = clock.now();
      const rules = rulesFor(() => [{ kind: "tick" }], at);
      await store.checks.tick(at, rules, { limit: 10, budgetMs: 1_000 });
    },
    /** Hours of up, down, quiet and away as they are read, by date. */
    hours: async () => {
      const found = await store.checks.find(hourly);
      if (found === undefined) throw new Error("the check is gone");
      const { squares } = dayPicture(found.standing, await kept(), clock.now());
      const times = squares.flatMap(({ times }) => times ?? []);
      return new Map(
        times.map(({ day, upMs, downMs, quietMs, awayMs }) => [
          day,
          [upMs, downMs, quietMs, awayMs].map((ms) => ms / HOUR),
        ]),
      );
    },
  };
}

const publishAt = async (peal: Bench, name: string, levels: readonly ("info" | "error" | "warning")[]) => {
  for (const level of levels) await peal.publish(name, { level });
};

export const days = (open: OpenEngine) => {
  describe("days of a check", () => {
    test("are in its own zone, with the hour that comes twice, and written in the job of the ping", async () => {
      await using peal = await daily(open);
      await peal.run(12 + 24 + 25 + 6);
      const hours = await peal.hours();
      expect([...hours.keys()]).toEqual(range(dayOf("2026-10-23"), dayOf("2026-10-26")));
      expect([...hours.values()].map(([up]) => up)).toEqual([12, 24, 25, 6]);
      const { days, countedTo } = await peal.kept();
      expect(days.map(({ day }) => day)).toEqual(range(dayOf("2026-10-23"), dayOf("2026-10-25")));
      expect(countedTo).toBe(Date.parse("2026-10-25T23:00:00Z"));
    });

    test("split an outage at midnight, and continue without pings", async () => {
      await using peal = await daily(open);
      await peal.run(10); // the last at 21:00, so that 22:00 counts as missed at 22:15
      peal.clock.advance(DAY);
      await peal.tick();
      peal.clock.advance(7 * HOUR);
      expect(await peal.hours()).toEqual(
        new Map([
          [dayOf("2026-10-23"), [10.25, 1.75, 0, 0]],
          [dayOf("2026-10-24"), [0, 24, 0, 0]],
          [dayOf("2026-10-25"), [0, 5, 0, 0]], // 04:00, after an hour that came twice
        ]),
      );
      const before = await peal.hours();
      await peal.happen("ok");
      expect(await peal.hours()).toEqual(before);
    });

    test("leave out pauses and snoozes, and survive a restart", async () => {
      await using peal = await daily(open);
      await peal.run(2);
      await peal.happen("pause");
      peal.clock.advance(4 * HOUR);
      await peal.happen("resume");
      await peal.happen({ kind: "snooze", until: peal.clock.now() + 3 * HOUR });
      peal.clock.advance(3 * HOUR);
      await peal.tick();
      await peal.reopen();
      await peal.tick();
      peal.clock.advance(2 * HOUR);
      // slots from 19:00 on were missed in the snooze
      expect((await peal.hours()).get(dayOf("2026-10-23"))).toEqual([2, 2, 7, 0]);
    });

    test("leave out when the server was away, also after another restart", async () => {
      await using peal = await daily(open);
      await peal.run(2);
      const from = peal.clock.now();
      peal.clock.advance(3 * HOUR);
      await peal.store.days.away({ from, to: peal.clock.now() });
      await peal.reopen();
      await peal.run(2);
      expect((await peal.hours()).get(dayOf("2026-10-23"))).toEqual([4, 0, 0, 3]);
      await peal.happen("pause"); // writes it
      expect((await peal.hours()).get(dayOf("2026-10-23"))).toEqual([4, 0, 0, 3]);
      expect((await peal.kept()).away).toEqual([]);
    });

    test("have the usual duration of the runs in the log, once they are over", async () => {
      await using peal = await daily(open);
      await peal.run(4, 10);
      await peal.run(5, 20);
      await peal.run(2, 40);
      expect((await peal.kept()).days).toEqual([]);
      await peal.run(2, 1);
      expect((await peal.kept()).days).toMatchObject([{ usualMs: 20 * MINUTE, hasOk: true }]);
    });

    test("are deleted with the check, and belong to no other", async () => {
      await using peal = await daily(open);
      await peal.run(14);
      const other = await peal.check("other", { standing: standing({}, "other") });
      peal.clock.advance(2 * DAY);
      await peal.happen("pause", other);
      const both = new Map(await peal.store.days.ofChecks([peal.hourly.row, other.row], 0));
      expect([...both.values()].map(({ days }) => days.length > 0)).toEqual([true, true]);
      expect(await peal.store.checks.remove(peal.home.id, peal.hourly.id)).toBe(true);
      both.delete(peal.hourly.row);
      expect(await peal.store.days.ofChecks([peal.hourly.row, other.row], 0)).toEqual(both);
    });

    test("and those of topics are kept for a year; the sweep deletes older ones", async () => {
      await using peal = await daily(open);
      await peal.run(14);
      const published = await peal.publish("t");
      if (published.kind !== "stored") throw new Error(published.kind);
      const { topic } = published;
      peal.clock.advance(10_001);
      await peal.publish("t"); // also writes the first one
      const count = async () => [
        (await peal.kept()).days.length,
        (await peal.store.days.ofTopic(topic.id, 0)).size,
        (await peal.store.days.hours([peal.home.id], 0)).get(peal.home.id)?.size ?? 0,
      ];
      await peal.reopen();
      peal.clock.advance(365 * DAY);
      expect(await count()).toEqual([1, 1, 1]);
      expect(await peal.store.sweep(RETENTION, 1_000)).toBe(false);
      // the second message is only counted in memory, and written with the next commit
      expect(await count()).toEqual([1, 1, 0]);
      peal.clock.advance(2 * DAY);
      await peal.store.sweep(RETENTION, 1_000);
      expect(await count()).toEqual([0, 0, 0]);
    });
  });

  describe("messages of a topic", () => {
    const today = (at: number) => dayHere(at).day;

    test("are counted by day and level, including those deleted by retention or people", async () => {
      await using peal = await bench(open, {}, heldClock(NOON));
      await publishAt(peal, "t", ["info", "error", "error"]);
      peal.clock.advance(DAY);
      await publishAt(peal, "t", ["warning"]);
      const { topic } = await peal.publish("t");
      await peal.publish("other");
      const both = [
        [today(NOON), { info: 1, success: 0, warning: 0, error: 2 }],
        [today(NOON + DAY), { info: 1, success: 0, warning: 1, error: 0 }],
      ] as const;
      const read = async (store = peal.store) => [...(await store.days.ofTopic(topic.id, 0))];
      expect(await read()).toEqual(both.map((day) => [...day]));
      await peal.store.messages.remove(topic.id, 1);
      await peal.store.sweep({ days: 0, messages: 1 }, 1_000);
      expect(await read()).toEqual(both.map((day) => [...day]));
      expect([...(await peal.store.days.ofTopic(topic.id, today(NOON + DAY))).keys()]).toEqual([today(NOON + DAY)]);
    });

    test("are counted once, whenever the store is closed and whatever was written by then", async () => {
      await using peal = await bench(open, {}, heldClock(NOON));
      let { store } = peal;
      const publish = async (count: number) => {
        for (let n = 0; n < count; n++)
          await store.messages.publish({ namespaceId: peal.home.id, to: { name: "t" }, draft: draft() });
      };
      for (const wait of [0, 10_001, 3, 10_001]) {
        await publish(3);
        peal.clock.advance(wait);
        await publish(2);
        store = await peal.reopen();
      }
      const [topic] = await store.topics.list(peal.home.id, { archived: false, limit: 5 });
      if (topic === undefined) throw new Error("no topic");
      expect([...(await store.days.ofTopic(topic.id, 0)).values()].map(({ info }) => info)).toEqual([20]);
      expect((await store.days.hours([peal.home.id], 0)).get(peal.home.id)).toEqual(
        new Map([[NOON / HOUR, { info: 20, success: 0, warning: 0, error: 0 }]]),
      );
    });

    test("are written before they exceed what fits in memory", async () => {
      await using peal = await bench(open, {}, heldClock(NOON));
      const topic = await peal.fill("t", 2_500);
      await peal.publish("t");
      const [counts] = (await peal.store.days.ofTopic(topic.id, 0)).values();
      expect(counts?.info).toBe(2_501);
    });

    test("include alerts of checks and delayed messages", async () => {
      await using peal = await daily(open);
      await peal.run(2);
      peal.clock.advance(2 * HOUR);
      await peal.tick();
      const { topic } = await peal.read(peal.hourly);
      expect([...(await peal.store.days.ofTopic(topic.id, 0)).values()]).toMatchObject([{ error: 1 }]);
      await peal.store.messages.publish({
        ...{ namespaceId: peal.home.id, to: { name: "later" }, draft: draft() },
        deliverAt: peal.clock.now(),
      });
      expect(await peal.store.scheduled.fire(peal.clock.now(), 10)).toBe(1);
      const hours = (await peal.store.days.hours([peal.home.id], 0)).get(peal.home.id);
      expect([...(hours?.values() ?? [])]).toMatchObject([{ info: 1, error: 1 }]);
    });

    test("are deleted with the topic and the namespace", async () => {
      await using peal = await bench(open, {}, heldClock(NOON));
      const { topic } = await peal.publish("t");
      peal.clock.advance(10_001);
      await peal.publish("other");
      await peal.store.topics.remove(topic.id);
      while (await peal.store.sweep(RETENTION, 1_000));
      expect((await peal.store.days.ofTopic(topic.id, 0)).size).toBe(0);
      expect((await peal.store.days.hours([peal.home.id], 0)).get(peal.home.id)?.size).toBe(1);
      await peal.store.namespaces.remove(peal.home.id);
      peal.clock.advance(10_001);
      for (let n = 0; n < 3; n++) await peal.store.sweep(RETENTION, 1_000);
      const store = await peal.reopen();
      expect((await store.days.hours([peal.home.id], 0)).get(peal.home.id)?.size).toBe(0);
    });
  });

  describe("outages", () => {
    test("are those that are open or have ended since, in the requested namespaces", async () => {
      await using peal = await daily(open);
      const { store, home } = peal;
      await peal.run(2);
      peal.clock.advance(HOUR);
      await peal.tick(); // missed 14:00 at 14:15
      const from = NOON + 2.25 * HOUR;
      const check = { id: peal.hourly.id, name: "hourly" };
      const read = async (since: number, limit = 5) => store.days.outages([home.id], since, limit);
      const lasting = { check, namespaceId: home.id, from, isGap: false };
      expect(await read(peal.clock.now())).toEqual({ outages: [lasting], isMore: false });
      await peal.happen("ok");
      const to = peal.clock.now();
      expect(await read(to)).toEqual({ outages: [{ ...lasting, to }], isMore: false });
      expect(await read(to + 1)).toEqual({ outages: [], isMore: false });
      expect(await store.days.outages([], 0, 5)).toEqual({ outages: [], isMore: false });
      for (const name of ["a", "b"])
        await peal.check(name, {
          standing: standing({ state: "down", incident: { ...incident(1, 5), gap: { from: 0, to: 5 } } }, name),
        });
      const { outages, isMore } = await read(0);
      expect([outages.map(({ from, isGap }) => [from, isGap]), isMore]).toEqual([[[5, true], [5, true], [from, false]], false]); // prettier-ignore
      expect(await read(0, 2)).toMatchObject({ outages: [{}, {}], isMore: true });
    });
  });

  describe("pushes to a device", () => {
    test("are counted in the hour in which they were to be sent, with the time that the push service took", async () => {
      await using peal = await subscribers(open, {}, heldClock(NOON));
      const { topic, device } = await onTheWay(peal);
      const send = async (seconds: number, kind: "accepted" | "failed" | "cancelled") => {
        peal.clock.advance(seconds * 1_000);
        await peal.settle(device, kind === "accepted" ? { kind, status: 200 } : { kind, reason: "no" });
      };
      const next = async () => {
        await peal.publish(topic.name);
        await peal.expand();
      };
      await send(2, "accepted");
      for (const [seconds, outcome] of [
        [4, "accepted"],
        [9, "accepted"],
        [1, "failed"],
        [1, "cancelled"],
      ] as const) {
        // prettier-ignore
        await next();
        await send(seconds, outcome);
      }
      peal.clock.advance(HOUR);
      await next();
      const hours = async (since: number) => peal.store.days.ofDevices([device.row], since);
      const first = { accepted: 3, failed: 1, medianMs: 4_000 };
      expect((await hours(0)).get(device.row)).toEqual(new Map([[NOON / HOUR, first]]));
      await send(1, "failed");
      expect((await hours(0)).get(device.row)).toEqual(
        new Map<number, DeviceHour>([
          [NOON / HOUR, first],
          [NOON / HOUR + 1, { accepted: 0, failed: 1 }],
        ]),
      );
      expect((await hours(NOON + HOUR)).get(device.row)?.size).toBe(1);
    });

    test("held by quiet hours count as to be sent at their end; a later try counts from the first", async () => {
      await using peal = await subscribers(open, {}, heldClock(NOON));
      const { device } = await onTheWay(peal);
      const until = NOON + 3 * HOUR;
      await peal.settle(device, { kind: "later", dueAt: until, isAttempt: false, reason: "quiet hours" });
      peal.clock.advance(3 * HOUR + 500);
      await peal.settle(device, { kind: "accepted", status: 200 });
      const read = async () => [...((await peal.store.days.ofDevices([device.row], 0)).get(device.row) ?? [])];
      const held: [number, DeviceHour] = [NOON / HOUR + 3, { accepted: 1, failed: 0, medianMs: 500 }];
      expect(await read()).toEqual([held]);
      await peal.publish("alerts");
      await peal.expand();
      const again = peal.clock.now() + 5_000;
      await peal.settle(device, { kind: "later", dueAt: again, isAttempt: true, status: 500, reason: "busy" });
      peal.clock.advance(6_000);
      await peal.settle(device, { kind: "accepted", status: 200 });
      expect(await read()).toEqual([[NOON / HOUR + 3, { accepted: 2, failed: 0, medianMs: 500 }]]);
      expect((await peal.store.days.ofDevices([], 0)).size).toBe(0);
    });
  });
};
