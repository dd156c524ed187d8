/** Deletes days that are older than a year, and hours that are older than two days, inside a job. */
import { HOUR } from "../../../util/clock.ts";
import { utcDay } from "../../../util/calendar.ts";
import type { Engine } from "../engine.ts";

const DAYS_KEPT = 366;
const HOURS_KEPT = 48;

// by hand: drizzle cannot limit a deletion
const old = (table: string, unit: string) =>
  `DELETE FROM ${table} WHERE row IN (SELECT row FROM ${table} WHERE ${unit} < ? ORDER BY ${unit} LIMIT ?)`;

/** Returns how many rows it deleted: if fewer than `limit`, none is left. */
export function daysPurger({ write, clock }: Engine): (limit: number) => number {
  const ofDays = ["check_day", "topic_day"].map((table) => write.$client.prepare(old(table, "day")));
  const ofHours = write.$client.prepare(old("namespace_hour", "hour"));
  return (limit) => {
    const now = clock.now();
    let taken = ofHours.run(Math.floor(now / HOUR) - HOURS_KEPT, limit).changes;
    for (const days of ofDays) if (taken < limit) taken += days.run(utcDay(now) - DAYS_KEPT, limit - taken).changes;
    return taken;
  };
}
