/** When a certificate is renewed, and how long to wait after a failure. Pure. */
import { createHash } from "node:crypto";
import { HOUR, MINUTE, type Millis } from "../../util/clock.ts";
import { fieldsOf, textOf, type Fields } from "./json.ts";

/** When the authority wants it to be renewed (RFC 9773 §4.2). */
export interface Window {
  start: Millis;
  end: Millis;
}

export function windowOf(fields: Fields): Window | undefined {
  const window = fieldsOf(fields["suggestedWindow"]);
  const [start, end] = [Date.parse(textOf(window, "start") ?? ""), Date.parse(textOf(window, "end") ?? "")];
  return end > start ? { start, end } : undefined;
}

/** Of the last third, this much is spread, so that not all servers come at the same hour. */
const JITTER = 1 / 10;

/** `fraction`: 0 to 1, the same for the same certificate. */
export function renewAt(
  { from, until }: { from: Millis; until: Millis },
  window: Window | undefined,
  fraction: number,
): Millis {
  if (window !== undefined) return window.start + fraction * (window.end - window.start);
  const third = (until - from) / 3;
  return until - third + third * JITTER * fraction;
}

/** By the certificate itself, so that a restart throws no new dice. */
export const fractionOf = (cert: string): number =>
  createHash("sha256").update(cert).digest().readUInt32BE(0) / 2 ** 32;

const PAUSES_MS = [MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR];
const LONGEST_MS = 6 * HOUR;

/** Let's Encrypt allows five failed tries an hour. */
export const pauseMs = (failures: number): number => PAUSES_MS[failures - 1] ?? LONGEST_MS;
