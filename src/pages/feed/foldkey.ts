/** Which messages say the same. Pure. */
import type { Draft } from "../../drafts/draft.ts";

/**
 * The same for messages that are equal but for digits; undefined: it is shown for itself. That is what somebody has to act
 * on or may miss: alerts are one card already, and a picture, a file or a button is in no text.
 */
export function foldKey(draft: Draft): string | undefined {
  const { level, priority, title = "", message, dedup_key, ack, attachments, image, actions } = draft;
  const isAlone = dedup_key !== undefined || ack === true || priority === "urgent";
  if (isAlone || attachments !== undefined || image !== undefined || actions !== undefined) return undefined;
  const text = `${title}\n${message}`.replace(/\d+/g, "0");
  return Bun.hash(`${level} ${priority} ${text}`).toString(36);
}
