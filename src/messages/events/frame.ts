/** The frames of an event stream, as bytes (WHATWG HTML, "Server-sent events"; API.md §4). */
import type { Millis } from "../../util/clock.ts";
import { hasFiles, messageJson } from "../message.ts";
import type { Format } from "./format.ts";
import { positionText } from "./resume.ts";

const encoder = new TextEncoder();
const encode = (text: string): Uint8Array => encoder.encode(text);

export const EVENT_STREAM = "text/event-stream";

/** A comment that keeps the connection from looking idle to proxies and to ourselves. */
export const HEARTBEAT = encode(":\n\n");
/** How long a client waits before it connects again, in milliseconds. */
const RETRY_MS = 3_000;

/** Sent before a shutdown ends the stream: the reader is to reconnect after `ms`. */
export const retryFrame = (ms: number): Uint8Array => encode(`retry: ${ms}\n\n`);

/** Peal's own events: `ready` first, `message` for each message, `gone` when the topic key no longer works. */
export const EVENTS: Format = {
  contentType: EVENT_STREAM,
  opening: ({ place, about, lastId, isReset }) => {
    const ready = JSON.stringify({ ...about, last_id: lastId, ...(isReset && { reset: true }) });
    return encode(`retry: ${RETRY_MS}\n\nid: ${positionText(place)}\nevent: ready\ndata: ${ready}\n\n`);
  },
  // the JSON has one line: it escapes line ends in strings
  message: ({ place, topic, message }, base) =>
    encode(`id: ${positionText(place)}\nevent: message\ndata: ${messageJson(topic, message, base)}\n\n`),
  isOfBase: hasFiles,
  heartbeat: () => HEARTBEAT,
  gone: encode("event: gone\ndata: {}\n\n"),
  retry: retryFrame,
};

/** The first frame of a stream of hints. `changedAt` (epoch ms): a page that was made later is up to date. */
export const hintsReadyFrame = (changedAt: Millis): Uint8Array =>
  encode(`retry: ${RETRY_MS}\n\nevent: ready\ndata: {"changed_at":${changedAt}}\n\n`);

/** Says what changed: `["message","delivery"]`. */
export const hintFrame = (changed: Iterable<string>): Uint8Array =>
  encode(`event: changed\ndata: ${JSON.stringify([...changed])}\n\n`);
