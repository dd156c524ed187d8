/** New messages as cards. */
import { documentAt } from "./document.ts";

export interface NewCards {
  /** Newest first. */
  cards: HTMLElement[];
  /** The topic's newest id. */
  last: number;
  /** There are more than were sent. */
  more: boolean;
  /** What is on top of the page, where nothing is left out of it. */
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
