/** The hours of a topic, in words. */
import type { Hour } from "../../../store/glances.ts";
import { HOUR, type Millis } from "../../../util/clock.ts";
import { clockWords } from "../../elements/times.tsx";
import type { View } from "../../view.ts";

export const sumOf = (hours: readonly Hour[]): number => hours.reduce((sum, hour) => sum + hour.messages, 0);

/** `Last 24 hours: 19 messages, errors in 2 hours` */
export function dayWords({ texts }: Pick<View, "texts">, hours: readonly Hour[]): string {
  return texts.topics.day(sumOf(hours), hours.filter(({ hasError }) => hasError).length);
}

/** The full hour in which most came, or nearly: hours of a day that ends now begin at any minute. */
export function busiest(view: Pick<View, "now" | "locale" | "zone">, hours: readonly Hour[]) {
  const messages = Math.max(...hours.map((hour) => hour.messages));
  const middle = view.now - (hours.length - hours.findIndex((hour) => hour.messages === messages) - 0.5) * HOUR;
  const at: Millis = Math.round(middle / HOUR) * HOUR;
  return { messages, at, time: clockWords(view, at) };
}
