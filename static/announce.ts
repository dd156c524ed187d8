/** Announces new messages to screen readers. */
import { say } from "./say.ts";
import { words } from "./words.ts";

export const wordsForNew = (n: number): string => (n === 1 ? words.newOne : words.newMany.replace("{}", String(n)));

/** Says how many messages came and names the latest; if one is urgent, names that one instead, and interrupts. */
export function announce(cards: readonly HTMLElement[]): void {
  const [latest] = cards;
  if (!latest) return;
  const heading = (card: HTMLElement) => card.querySelector("h3, .body")?.textContent.slice(0, HEARD) ?? "";
  const urgent = cards.find((card) => card.classList.contains("urgent"));
  const level = (card: HTMLElement) => card.querySelector(".lv")?.textContent ?? "";
  if (urgent) say(`${level(urgent)}: ${heading(urgent)}`, true);
  else {
    const told = [wordsForNew(cards.length), words.latest.replace("{}", () => heading(latest)), level(latest)];
    say(told.filter((part) => part !== "").join(", ")); // a card of level `info` may name no level
  }
}
/** At most this many characters of a text are read out. */
const HEARD = 200;
