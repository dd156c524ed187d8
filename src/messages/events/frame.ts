/** What goes over an event stream, as bytes (WHATWG HTML, "Server-sent events"; API.md §4). */
import type { Millis } from "../../util/clock.ts";
import { positionText, type Position } from "./resume.ts";

const encoder = new TextEncoder();
const encode = (text: string): Uint8Array => encoder.encode(text);

/** A comment: keeps the connection from looking idle to proxies and to ourselves. */
export const HEARTBEAT = encode(":\n\n");
/** The topic key stopped working; the stream ends behind it. */
export const GONE = encode("event: gone\ndata: {}\n\n");
/** What a client waits before it connects again, milliseconds. */
const RETRY_MS = 3_000;

/**
 * The first frame of a stream. `position`: where it goes on from, so that a reader who is cut off before the first message
 * comes back there. `last_id`: where the feed stands. `reset`: what the reader resumes from is not in this database.
 */
export function readyFrame(
  position: Required<Position>,
  ready: { namespace: string; topic?: string; last_id: number; reset?: true },
): Uint8Array {
  return encode(
    `retry: ${RETRY_MS}\n\nid: ${positionText(position)}\nevent: ready\ndata: ${JSON.stringify(ready)}\n\n`,
  );
}

/** `json` is one line: JSON escapes line ends within strings. */
export function messageFrame(position: Required<Position>, json: string): Uint8Array {
  return encode(`id: ${positionText(position)}\nevent: message\ndata: ${json}\n\n`);
}

/** The first frame of a stream of hints. `changedAt` (epoch ms): a page that was made later than that shows what there is. */
export const hintsReadyFrame = (changedAt: Millis): Uint8Array =>
  encode(`retry: ${RETRY_MS}\n\nevent: ready\ndata: {"changed_at":${changedAt}}\n\n`);

/** What changed: `["message","delivery"]`. */
export const hintFrame = (changed: Iterable<string>): Uint8Array =>
  encode(`event: changed\ndata: ${JSON.stringify([...changed])}\n\n`);

/** Said before a shutdown ends the stream: come back after `ms`. */
export const retryFrame = (ms: number): Uint8Array => encode(`retry: ${ms}\n\n`);
