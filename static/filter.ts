/** The filters above the messages: counts what each leaves and, without a connection, applies the chosen one to the stored messages. */

/** The service worker answers every address of a feed with the one page that it stored: the newest messages, unfiltered. */
const isStored = document.documentElement.dataset["stored"] !== undefined;

/** Whether the page shows the newest messages without a filter. */
export const isWhole = (feed: HTMLElement): boolean =>
  feed.dataset["whole"] !== undefined && !(isStored && location.search !== "");

/** Whether the server marked the card with this level, or as `urgent`. */
const isOf = ({ dataset }: HTMLElement, name: string): boolean =>
  name === "urgent" ? dataset["urgent"] !== undefined : dataset["level"] === name;

/** Writes the count of matching cards on each chip, if the page shows the newest messages without a filter. */
export function count(feed: HTMLElement, cards: readonly HTMLElement[]): void {
  if (!isWhole(feed)) return;
  feed.querySelector("[data-counted]")?.toggleAttribute("hidden", feed.dataset["more"] === undefined);
  for (const number of feed.querySelectorAll<HTMLElement>("[data-count]")) {
    number.textContent = `${cards.filter((card) => isOf(card, number.dataset["count"] ?? "")).length}`;
  }
}

/** The cards of the page that its address asks for. On a stored page it filters them here, and marks the current chip. */
export function askedFor(feed: HTMLElement): HTMLElement[] {
  const cards = [...feed.querySelectorAll<HTMLElement>("article:not(.run)")];
  if (!isStored) return cards;
  for (const chip of feed.querySelectorAll<HTMLAnchorElement>(".chip"))
    if (chip.search === location.search) chip.setAttribute("aria-current", "true");
    else chip.removeAttribute("aria-current");
  const asked = new URLSearchParams(location.search);
  const kind = asked.get("level") ?? asked.get("priority");
  const [tag, before] = [asked.get("tag"), Number(asked.get("before") ?? Infinity)];
  const words = (asked.get("q") ?? "").toLowerCase().split(/\s+/);
  const found = cards.filter((card) => {
    const text = [...card.querySelectorAll("h3, .body")].map((part) => part.textContent.toLowerCase()).join("\n");
    return (
      (kind === null || isOf(card, kind)) &&
      (tag === null || [...card.querySelectorAll<HTMLAnchorElement>(".tag")].some((one) => tagOf(one) === tag)) &&
      Number(card.id.slice(1)) < before &&
      words.every((word) => text.includes(word))
    );
  });
  const none = feed.querySelector("[data-none]");
  if (found.length === 0 && none) {
    none.removeAttribute("hidden");
    none.parentElement?.replaceChildren(none);
  }
  return found;
}

const tagOf = ({ search }: HTMLAnchorElement): string | null => new URLSearchParams(search).get("tag");
