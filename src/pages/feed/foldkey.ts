/** Which messages say the same. Pure. */
import type { Draft } from "../../drafts/draft.ts";

/**
 * The same for messages that differ only in digits; undefined: it is never folded. Those are messages that somebody has to act on
 * or may miss: alerts already have one card, and no text has a picture, a file or a button.
 */
export function foldKey(draft: Draft): string | undefined {
  const { level, priority, title = "", message, dedup_key, ack, attachments, image, actions } = draft;
  const isAlone = dedup_key !== undefined || ack === true || priority === "urgent";
  if (isAlone || attachments !== undefined || image !== undefined || actions !== undefined) return undefined;
  const text = `${title}\n${message}`.replace(/\d+/g, "0");
  return Bun.hash(`${level} ${priority} ${text}`).toString(36);
}
