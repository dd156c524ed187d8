/** Makes a payload fit: the least important fields are left out, and the text is cut at a grapheme (DELIVERY.md §4). Pure. */
import { graphemeEnd } from "../../util/text/text.ts";
import type { Notification } from "./push.ts";

const ELLIPSIS = "…";
/** If less of the text would be left, other fields are left out instead. In bytes. */
const MIN_ROOM = 400;
/** A text is not halved below this: something else is then too large, and the cut may fall into its first grapheme. */
const LEAST_BYTES = 64;

/** Yields a notification with less and less: no buttons, no image, only the feed's link, no link. Titles always fit. */
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
 * The JSON of a notification in at most `limit` bytes of UTF-8. `write` makes the payload; `more`: something was left
 * out. `shrunk`: the text is halved this many times, and buttons and images are left out at once.
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

/** The longest beginning of whole graphemes and "…" whose JSON has at most `limit` bytes, or all of the text if it fits. */
export function beginning(text: string, limit: number): string {
  if (jsonBytes(text) <= limit) return text;
  const room = limit - bytesOf(ELLIPSIS);
  if (room < 0) return "";
  // by bisection: character by character took 20 times as long (measured). Half a surrogate pair is longer in JSON than
  // the pair, so it is never chosen as the end
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
