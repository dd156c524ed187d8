/** How the settings of a device decide about its pushes (DELIVERY.md §2). */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { quietUntil } from "../../src/delivery/push/quiet-hours.ts";
import { ruleOf, type Ruling } from "../../src/delivery/push/owner-rules.ts";
import type { Device } from "../../src/devices/device.ts";
import type { Draft } from "../../src/drafts/draft.ts";
import { examples } from "../support/rounds.ts";
import { aDevice, aPending, aTopic, type Other, HOUR, MINUTE, NOW } from "./pendings.ts";

const night = { ...aDevice, quietHours: { from: "11:00", to: "14:30", timezone: "UTC" } };
const day = { ...aDevice, quietHours: { from: "14:00", to: "14:30", timezone: "UTC" } };
const aForward = (kind: string): Device => ({
  ...{ ...aDevice, platform: "forward" },
  forward: { namespaceId: aTopic.namespaceId, kind, host: "far.example", account: "0", settings: {}, secrets: [] },
});
const send: Ruling = { kind: "send" };
const drop = (reason: string): Ruling => ({ kind: "drop", reason });
const held: Ruling = { kind: "hold", until: NOW + 2.5 * HOUR, reason: "quiet hours" };

// prettier-ignore
test.each<[string, Partial<Draft>, Other, Ruling]>([
  ["a message is sent",                      {},                       {},                                                    send],
  ["what was deleted is not",                {},                       { message: undefined },           drop("the message was deleted")],
  ["nor what was unsubscribed",              {},                       { subscription: undefined },      drop("unsubscribed")],
  ["below the device's priority",            {},                       { device: { ...aDevice, minPriority: "high" } },       drop("below the priority it shows")],
  ["as high",                                { priority: "high" },     { device: { ...aDevice, minPriority: "high" } },       send],
  ["the subscription's stands above it",     {},                       { device: { ...aDevice, minPriority: "high" }, subscription: { minPriority: "low" } }, send],
  ["in both directions",                     {},                       { device: { ...aDevice, minPriority: "low" }, subscription: { minPriority: "high" } }, drop("below the priority it shows")],
  ["while it is muted",                      {},                       { subscription: { mutedUntil: NOW + 1 } },             drop("muted")],
  ["urgent ones too",                        { priority: "urgent" },   { subscription: { mutedUntil: NOW + 1 } },             drop("muted")],
  ["no longer",                              {},                       { subscription: { mutedUntil: NOW } },                 send],
  ["while its topic is muted",               { priority: "urgent" },   { topic: { ...aTopic, mutedUntil: NOW + 1 } },         drop("muted")],
  ["no longer either",                       {},                       { topic: { ...aTopic, mutedUntil: NOW } },             send],
  ["while its namespace is muted",           { priority: "urgent" },   { namespaceMutedUntil: NOW + 1 },                      drop("muted")],
  ["nor longer",                             {},                       { namespaceMutedUntil: NOW },                          send],
  ["the longest holds",                      {},                       { subscription: { mutedUntil: NOW }, topic: { ...aTopic, mutedUntil: NOW + 1 }, namespaceMutedUntil: NOW - 1 }, drop("muted")],
  ["quiet hours hold it",                    { priority: "high" },     { device: night },                                     held],
  ["only while it is quiet",                 {},                       { device: day },                                      send],
  ["but nothing urgent",                     { priority: "urgent" },   { device: night },                                     send],
  ["what takes another back is nothing to ntfy's upstream", { source: "ntfy:delete" }, { device: aForward("upstream") }, drop("takes another message back")],
  ["nor what clears another",                { source: "ntfy:clear" }, { device: aForward("upstream") },                      drop("takes another message back")],
  ["but to others",                          { source: "ntfy:delete" }, { device: aForward("webhook") },                      send],
  ["a test passes all",                      {},                       { kind: "test", message: undefined, device: night }, send],
])("%s", (_, draft, other, ruling) => {
  expect(ruleOf(aPending(1, draft, other), NOW)).toEqual(ruling);
});

describe("quiet hours", () => {
  const inBerlin = (from: string, to: string) => ({ from, to, timezone: "Europe/Berlin" });
  const at = (time: string) => Date.parse(time);
  // prettier-ignore
  test.each([
    ["in their midst",                  inBerlin("22:00", "07:00"), "2026-01-15T23:30:00+01:00", "2026-01-16T07:00:00+01:00"],
    ["after midnight",                  inBerlin("22:00", "07:00"), "2026-01-16T06:59:59+01:00", "2026-01-16T07:00:00+01:00"],
    ["they have ended",                 inBerlin("22:00", "07:00"), "2026-01-16T07:00:00+01:00", undefined],
    ["they begin",                      inBerlin("22:00", "07:00"), "2026-01-15T22:00:00+01:00", "2026-01-16T07:00:00+01:00"],
    ["before",                          inBerlin("22:00", "07:00"), "2026-01-15T21:59:59+01:00", undefined],
    ["within a day",                    inBerlin("13:00", "15:00"), "2026-01-15T14:00:00+01:00", "2026-01-15T15:00:00+01:00"],
    ["of no length",                    inBerlin("13:00", "13:00"), "2026-01-15T13:00:00+01:00", undefined],
    ["over the start of summer time",   inBerlin("22:00", "07:00"), "2026-03-28T23:00:00+01:00", "2026-03-29T07:00:00+02:00"],
    ["to a time that it skips",         inBerlin("22:00", "02:30"), "2026-03-29T01:00:00+01:00", "2026-03-29T03:00:00+02:00"],
    ["from a time that it skips",       inBerlin("02:30", "07:00"), "2026-03-29T03:00:00+02:00", "2026-03-29T07:00:00+02:00"],
    ["over its end",                    inBerlin("22:00", "07:00"), "2026-10-24T23:00:00+02:00", "2026-10-25T07:00:00+01:00"],
    ["to a time that comes twice",      inBerlin("22:00", "02:30"), "2026-10-25T01:00:00+02:00", "2026-10-25T02:30:00+02:00"],
    ["that its end repeats",            inBerlin("02:30", "02:15"), "2026-10-25T02:45:00+02:00", "2026-10-25T02:15:00+01:00"],
    ["seen from the day before",        inBerlin("02:30", "02:15"), "2026-10-24T23:00:00+02:00", "2026-10-25T02:15:00+02:00"],
    ["where the clock skips midnight",  { from: "14:45", to: "02:15", timezone: "America/Nuuk" }, "2026-03-27T23:00:00-02:00", "2026-03-28T02:15:00-02:00"],
    ["the second time",                 inBerlin("22:00", "02:30"), "2026-10-25T02:10:00+01:00", "2026-10-25T02:30:00+01:00"],
  ])("%s", (_, hours, now, until) => {
    expect(quietUntil(hours, at(now))).toBe(until === undefined ? undefined : at(until));
  });

  test("end in the first minute that is not quiet by local time, in every zone and season", () => {
    const time = fc
      .integer({ min: 0, max: 24 * 4 - 1 })
      .map(
        (quarter) =>
          `${String(Math.floor(quarter / 4)).padStart(2, "0")}:${String((quarter % 4) * 15).padStart(2, "0")}`,
      );
    const zone = fc.constantFrom(
      "UTC",
      "Europe/Berlin",
      "America/St_Johns",
      "Asia/Kathmandu",
      "Australia/Lord_Howe",
      "America/Sao_Paulo",
      "America/Nuuk",
    );
    const change = fc.constantFrom(
      "2026-03-08",
      "2026-03-29",
      "2026-04-05",
      "2026-07-01",
      "2026-10-04",
      "2026-10-25",
      "2026-11-01",
    );
    fc.assert(
      fc.property(
        time,
        time,
        zone,
        change,
        fc.integer({ min: -24 * 4, max: 48 * 4 }),
        (from, to, timezone, day, quarters) => {
          const hours = { from, to, timezone };
          const clock = new Intl.DateTimeFormat("en-GB", {
            timeZone: timezone,
            hour: "2-digit",
            minute: "2-digit",
            hourCycle: "h23",
          });
          const isQuiet = (now: number) => {
            const shown = clock.format(now);
            return from <= to ? from <= shown && shown < to : from <= shown || shown < to;
          };
          const now = at(`${day}T00:00:00Z`) + quarters * 15 * MINUTE;
          let end: number | undefined = now;
          while (end < now + 50 * HOUR && isQuiet(end)) end += 15 * MINUTE;
          expect(quietUntil(hours, now)).toBe(end === now ? undefined : end);
        },
      ),
      { numRuns: examples(300) },
    );
  });
});
