/** Fetches new messages as cards. */
import { documentAt } from "./document.ts";

export interface NewCards {
  /** Newest first. */
  cards: HTMLElement[];
  /** The topic's newest id. */
  last: number;
  /** There are more new messages than the server sent. */
  more: boolean;
  /** The top of the page (`#now`); undefined if the page is filtered. */
  top: HTMLElement | undefined;
}

/** The cards after message `since` of the feed at `url`, with its filters. Rejects as `documentAt` does. */
export async function cardsSince(url: URL, since: number): Promise<NewCards> {
  const address = new URL(url);
  address.hash = "";
  address.searchParams.set("since", String(since));
  const body = await documentAt(address);
  return {
    cards: [...body.querySelectorAll<HTMLElement>("article")].map((card) => document.adoptNode(card)),
    last: Number(body.dataset["last"]),
    more: body.dataset["more"] !== undefined,
    top: body.querySelector<HTMLElement>("#now") ?? undefined,
  };
}

/** `fresh`, then `known` without the cards that `fresh` replaces: the same message, or an earlier one of the same alert. */
export function merged(fresh: readonly HTMLElement[], known: readonly HTMLElement[]): HTMLElement[] {
  const ids = new Set(fresh.map(({ id }) => id));
  const alerts = new Set(fresh.map(({ dataset }) => dataset["alert"]));
  alerts.delete(undefined);
  return [...fresh, ...known.filter((card) => !ids.has(card.id) && !alerts.has(card.dataset["alert"]))];
}
