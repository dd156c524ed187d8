/** The frames of an event stream, as bytes (WHATWG HTML, "Server-sent events"; API.md §4). */
import type { Millis } from "../../util/clock.ts";
import { positionText, type Position } from "./resume.ts";

const encoder = new TextEncoder();
const encode = (text: string): Uint8Array => encoder.encode(text);

/** A comment that keeps the connection from looking idle to proxies and to ourselves. */
export const HEARTBEAT = encode(":\n\n");
/** Says that the topic key no longer works; the stream ends after it. */
export const GONE = encode("event: gone\ndata: {}\n\n");
/** How long a client waits before it connects again, in milliseconds. */
const RETRY_MS = 3_000;

/**
 * The first frame of a stream. `position`: the place that the stream begins at, so that a reader who is cut off before the first
 * message resumes there. `last_id`: the feed's newest id. `reset`: this database lacks what the reader resumes from.
 */
export function readyFrame(
  position: Required<Position>,
  ready: { namespace: string; topic?: string; last_id: number; reset?: true },
): Uint8Array {
  return encode(
    `retry: ${RETRY_MS}\n\nid: ${positionText(position)}\nevent: ready\ndata: ${JSON.stringify(ready)}\n\n`,
  );
}

/** `json` has one line: JSON escapes line ends in strings. */
export function messageFrame(position: Required<Position>, json: string): Uint8Array {
  return encode(`id: ${positionText(position)}\nevent: message\ndata: ${json}\n\n`);
}

/** The first frame of a stream of hints. `changedAt` (epoch ms): a page that was made later is up to date. */
export const hintsReadyFrame = (changedAt: Millis): Uint8Array =>
  encode(`retry: ${RETRY_MS}\n\nevent: ready\ndata: {"changed_at":${changedAt}}\n\n`);

/** Says what changed: `["message","delivery"]`. */
export const hintFrame = (changed: Iterable<string>): Uint8Array =>
  encode(`event: changed\ndata: ${JSON.stringify([...changed])}\n\n`);

/** Sent before a shutdown ends the stream: the reader is to reconnect after `ms`. */
export const retryFrame = (ms: number): Uint8Array => encode(`retry: ${ms}\n\n`);
