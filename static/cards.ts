/**
 * New messages as cards. The server renders them, as it rendered those of the page, so that there is one template and one
 * place that escapes. `XMLHttpRequest` parses the document without running anything in it and is no sink of Trusted Types
 * (innerHTML and DOMParser are, and the page's policy refuses those).
 */

import { isNoTopic } from "./stored.ts";

export interface NewCards {
  /** Newest first. */
  cards: HTMLElement[];
  /** The topic's newest id. */
  last: number;
  /** There are more than were sent. */
  more: boolean;
}

/** There is no topic at this link, or none any more. */
export class NoTopic extends Error {}

/**
 * The cards after message `since` of the feed at `url`, with its filters. Rejects when the server does not answer so, with
 * `NoTopic` when it says that there is none.
 */
export async function cardsSince(url: URL, since: number): Promise<NewCards> {
  const address = new URL(url);
  address.hash = "";
  address.searchParams.set("since", String(since));
  const body = await documentAt(address);
  return {
    cards: [...body.querySelectorAll<HTMLElement>("article")].map((card) => document.adoptNode(card)),
    last: Number(body.dataset["last"]),
    more: body.dataset["more"] !== undefined,
  };
}

/** The body of a page of ours. Rejects when the server does not answer so. */
export async function documentAt(url: URL, headers: Record<string, string> = {}): Promise<HTMLElement> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("GET", url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.responseType = "document";
    request.timeout = 15_000;
    request.onload = () => {
      const { status, responseXML } = request;
      if (status === 200 && responseXML) resolve(responseXML.body);
      else if (isNoTopic(status, request.getResponseHeader("content-type"))) reject(new NoTopic());
      else reject(new Error(`answered ${status}`));
    };
    request.onerror = request.ontimeout = () => {
      reject(new Error("no answer"));
    };
    request.send();
  });
}
