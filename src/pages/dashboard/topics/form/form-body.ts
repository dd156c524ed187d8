/** Turns the form of a topic's settings into what the API takes, and back. */
import { rfc3339 } from "../../../../util/clock.ts";
import type { TopicPatchBody } from "../../../../topics/schema.ts";
import type { Topic } from "../../../../topics/topic.ts";
import type { Millis } from "../../../../util/clock.ts";
import type { Faults } from "../../../elements/field.tsx";
import type { Texts } from "../../../texts/texts.ts";
import { MARK, markOf } from "../../stale.tsx";
import { fieldTime, timeInField } from "../../../elements/zoned.ts";

/** The hidden field that tells the mute as the page showed it: what nobody changed is not saved, another may have. */
export const MUTE_SHOWN = "mute_shown";

/** The form's values for a topic as it is. */
export function givenOf(topic: Topic, zone: string, until: Millis | undefined): URLSearchParams {
  const { name, description = "", retentionDays, retentionMessages } = topic;
  const shown = until === undefined ? "" : fieldTime(zone, until);
  const fields = {
    name,
    description,
    retention_days: retentionDays === undefined ? "" : retentionDays === 0 ? "0" : `${retentionDays} d`,
    retention_messages: retentionMessages === undefined ? "" : `${retentionMessages}`,
  };
  return new URLSearchParams({ ...fields, muted_until: shown, [MUTE_SHOWN]: shown, [MARK]: markOf(fields) });
}

/** The body of the API's PATCH, or what is wrong in the form. An empty field takes a value away. */
export function patchBody(
  form: URLSearchParams,
  { zone, texts }: { zone: string; texts: Texts },
): TopicPatchBody | { faults: Faults } {
  const { wrong } = texts.topics.settings;
  const field = (name: string) => (form.get(name) ?? "").trim();
  const days = daysOf(field("retention_days"));
  const most = messagesOf(field("retention_messages"));
  const muted = field("muted_until");
  const until = muted === "" ? null : timeInField(zone, muted);
  const faults = new Map([
    ...(days === undefined ? [["retention_days", wrong.retention] as const] : []),
    ...(most === undefined ? [["retention_messages", wrong.most] as const] : []),
    ...(until === undefined ? [["muted_until", wrong.muteUntil] as const] : []),
  ]);
  if (days === undefined || most === undefined || until === undefined) return { faults };
  return {
    name: field("name"),
    description: field("description") || null,
    retention_days: days,
    retention_messages: most,
    ...(muted !== field(MUTE_SHOWN) && { muted_until: until === null ? null : rfc3339(until) }),
  };
}

/** In English and German. No other word is taken for one of them: what is kept too short is deleted. */
const LENGTH = /^(\d{1,5})\s*(?:(w|weeks?|wochen?)|d|days?|t|tage?)?$/i;

/** `90 d`, `12 w`, `0`; null: nothing was typed. */
function daysOf(text: string): number | null | undefined {
  if (text === "") return null;
  const [, count, weeks] = LENGTH.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) * (weeks === undefined ? 1 : 7);
}

/** `10,000`, `10.000` and `10 000` too: people write numbers as the page shows them. */
function messagesOf(text: string): number | null | undefined {
  if (text === "") return null;
  return /^\d{1,3}(?:[.,\s\u202f]\d{3}){1,3}$|^\d{1,10}$/.test(text) ? Number(text.replaceAll(/\D/g, "")) : undefined;
}
