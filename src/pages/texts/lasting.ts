/** Durations as texts say them. */
import { duration } from "../../rewrites/times.ts";

const MINUTE_MS = 60_000;
/** From here on seconds do not matter. */
const ROUGH_MS = 5 * MINUTE_MS;

/** `1 h 34 min`, which no line break parts. */
export const lasting = (ms: number): string =>
  duration(ms < ROUGH_MS ? ms : Math.round(ms / MINUTE_MS) * MINUTE_MS).replaceAll(/(\d) /g, "$1\u00a0");
