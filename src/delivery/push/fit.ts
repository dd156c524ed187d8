/** A payload that fits: what is least missed leaves, the text is cut between two graphemes (docs/design/DELIVERY.md §4). Pure. */
import { graphemeEnd } from "../../util/text/text.ts";
import type { Notification } from "./push.ts";

const ELLIPSIS = "…";
/** A text that would be left with less lets other fields go. In bytes. */
const MIN_ROOM = 400;
/** A text is not halved below: it is not what is too large then, and a cut may be in the middle of its first grapheme. */
const LEAST_BYTES = 64;

/** From whole to bare: buttons, image, a link of its own, all links. What is left out is in the feed; a title always fits. */
function* barer(full: Notification): Generator<Notification> {
  yield full;
  const { actions, ...silent } = full;
  if (actions !== undefined) yield silent;
  const { image, ...plain } = silent;
  if (image !== undefined) yield plain;
  const { url, feedUrl, ...bare } = plain;
  if (feedUrl !== undefined && url !== feedUrl) yield { ...plain, url: feedUrl };
  if (url !== undefined || feedUrl !== undefined) yield bare;
}

/**
 * The JSON of a notification in at most `limit` bytes of UTF-8. `write`: the payload; `more`: something of it was left out.
 * `shrunk`: so many times the text is halved, and buttons and images leave at once.
 */
export function fit(
  { notification, shrunk }: { notification: Notification; shrunk: number },
  limit: number,
  write: (notification: Notification, more: boolean) => object,
): string {
  const json = (shown: Notification, more: boolean) => JSON.stringify(write(shown, more));
  const whole = json(notification, false);
  if (shrunk === 0 && bytesOf(whole) <= limit) return whole;
  const { body } = notification;
  const wanted = jsonBytes(body);
  let fitted = "";
  for (const shape of barer(notification)) {
    if (shrunk > 0 && (shape.actions ?? shape.image) !== undefined) continue;
    const room = limit - bytesOf(json({ ...shape, body: "" }, true));
    const halved = Math.max(LEAST_BYTES, Math.min(room, wanted) / 2 ** shrunk);
    const text = beginning(body, Math.min(room, halved));
    fitted = json({ ...shape, body: text }, true);
    if (room >= Math.min(MIN_ROOM, wanted)) break;
  }
  return fitted;
}

/** The longest beginning, whole graphemes and "…", whose JSON has at most `limit` bytes; the text where that is enough. */
function beginning(text: string, limit: number): string {
  if (jsonBytes(text) <= limit) return text;
  const room = limit - bytesOf(ELLIPSIS);
  if (room < 0) return "";
  // by halves: character by character took 20 times as long (measured); half a surrogate pair is longer than the pair, as
  // JSON, so that it is no end
  let [end, tooFar] = [0, Math.min(text.length, Math.floor(room)) + 1];
  while (tooFar - end > 1) {
    const middle = (end + tooFar) >> 1;
    if (jsonBytes(text.slice(0, middle)) <= room) end = middle;
    else tooFar = middle;
  }
  return `${text.slice(0, graphemeEnd(text, end)).trimEnd()}${ELLIPSIS}`;
}

const bytesOf = (text: string): number => Buffer.byteLength(text);
const jsonBytes = (text: string): number => bytesOf(JSON.stringify(text)) - 2;
