/** The part of Temporal that is used: Bun has it, and TypeScript 5.9 has no types for it (PLATFORM.md §2). */
declare namespace Temporal {
  class Instant {
    static fromEpochMilliseconds(at: number): Instant;
    /** @throws RangeError if there is no such zone */
    toZonedDateTimeISO(zone: string): ZonedDateTime;
  }
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
    /** When the clock of the zone changes next, or changed last before this instant; null if never. */
    getTimeZoneTransition(direction: "next" | "previous"): ZonedDateTime | null;
    /** Keeps the offset if that time comes twice (`ignore`: takes the first); a skipped time becomes as much later. */
    with(
      fields: { hour: number; minute: number; second: number; millisecond: number },
      options?: { offset: "ignore" },
    ): ZonedDateTime;
    /** The same time of day on a later day. */
    add(duration: { days: number }): ZonedDateTime;
    /** The first instant of the day, which is not midnight if that is skipped. */
    startOfDay(): ZonedDateTime;
    /** `2026-03-29T03:00:00+02:00[Europe/Berlin]` */
    toString(): string;
  }
}
