/** What the hours of a topic brought, in words. */
import type { Hour } from "../../../store/glances.ts";
import type { View } from "../../view.ts";

/** `Last 24 hours: 19 messages, errors in 2 hours`. */
export function dayWords({ texts }: Pick<View, "texts">, hours: readonly Hour[]): string {
  const messages = hours.reduce((sum, hour) => sum + hour.messages, 0);
  return texts.topics.day(messages, hours.filter(({ hasError }) => hasError).length);
}
