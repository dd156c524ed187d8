/** Durations as texts say them. */
import { duration } from "../../rewrites/times.ts";
import { MINUTE } from "../../util/clock.ts";

/** From here on seconds do not matter. */
const ROUGH_MS = 5 * MINUTE;

/** `1 h 34 min`, which no line break parts. */
export const lasting = (ms: number): string =>
  duration(ms < ROUGH_MS ? ms : Math.round(ms / MINUTE) * MINUTE).replaceAll(/(\d) /g, "$1\u00a0");
