/** What is used of Temporal, which Bun has and TypeScript 5.9 has no types for (PLATFORM.md §2). */
declare namespace Temporal {
  class Instant {
    static fromEpochMilliseconds(at: number): Instant;
    /** @throws RangeError when there is no such zone */
    toZonedDateTimeISO(zone: string): ZonedDateTime;
  }
  const Now: {
    /** As `Intl.DateTimeFormat().resolvedOptions().timeZone` says it. */
    timeZoneId(): string;
  };
  interface ZonedDateTime {
    readonly epochMilliseconds: number;
    readonly year: number;
    readonly month: number;
    readonly day: number;
    readonly hour: number;
    readonly minute: number;
    readonly offsetNanoseconds: number;
    /** The zone's name in its own letter case. */
    readonly timeZoneId: string;
    /** When the clock is set next, or was set last before this instant; null: never. */
    getTimeZoneTransition(direction: "next" | "previous"): ZonedDateTime | null;
    /** Keeps the offset where that time comes twice, or `ignore`: the first; a time that is skipped is as much later. */
    with(
      fields: { hour: number; minute: number; second: number; millisecond: number },
      options?: { offset: "ignore" },
    ): ZonedDateTime;
    /** The same time of day on a later one. */
    add(duration: { days: number }): ZonedDateTime;
    /** The first instant of its day, which is not midnight where that is skipped. */
    startOfDay(): ZonedDateTime;
    /** `2026-03-29T03:00:00+02:00[Europe/Berlin]` */
    toString(): string;
  }
}
