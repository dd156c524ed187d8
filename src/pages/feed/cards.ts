/** From messages to what the feed shows: one card for an alert, with its history, and one stretch for a day. */
import { draftOf, type Draft, type Message } from "../../messages/message.ts";
import { expiryOf, repeatedUntil } from "../../delivery/plan.ts";
import type { DeliveryStore } from "../../store/deliveries.ts";
import type { MessageStore } from "../../store/store.ts";
import type { TopicId } from "../../topics/topic.ts";
import type { Millis } from "../../util/clock.ts";
import type { Safe } from "../jsx/jsx-runtime.ts";

export interface Shown {
  message: Message;
  draft: Draft;
}
export interface Card extends Shown {
  /** Earlier messages of the same alert, newest first. */
  earlier: Shown[];
  /** There are even more than `earlier`. */
  moreEarlier: boolean;
  /** Firing, and since when. */
  firingSince?: Millis;
  /** Somebody has to acknowledge it. `at`: somebody did. `until`: when its push is no longer repeated. */
  ack?: { at?: Millis; until: Millis };
}

/** A card as the page has it. */
export interface RenderedCard {
  at: Millis;
  html: Safe;
}

/** How much of an alert's history a card shows. */
const MAX_EARLIER = 20;

/**
 * The cards of a page of messages, newest first. An alert (`dedup_key`) is one card, where its newest message is: its
 * other messages on the page go into it. On a page that shows everything (`whole`), an alert whose newest message is
 * on an earlier page is not shown again. Rejects with the signal's reason once that is aborted.
 */
export async function cardsOf(
  store: { messages: Pick<MessageStore, "alert">; deliveries: Pick<DeliveryStore, "acknowledgedAt"> },
  topicId: TopicId,
  messages: readonly Message[],
  { whole, signal }: { whole: boolean; signal?: AbortSignal },
): Promise<Card[]> {
  const seen = new Set<string>();
  const cards: Card[] = [];
  for (const message of messages) {
    const draft = draftOf(message);
    const key = draft.dedup_key;
    if (key === undefined) {
      cards.push({ message, draft, earlier: [], moreEarlier: false, ...(await asked(store, { message, draft })) });
      continue;
    }
    if (seen.has(key)) continue;
    seen.add(key);
    signal?.throwIfAborted();
    const history = await store.messages.alert(topicId, key, MAX_EARLIER + 2);
    if (whole && (history[0]?.id ?? 0) > message.id) continue;
    cards.push({ ...alertCard({ message, draft }, history), ...(await asked(store, { message, draft })) });
  }
  return cards;
}

/** Whether somebody has to acknowledge it; of what is over nobody has. */
async function asked(
  { deliveries }: { deliveries: Pick<DeliveryStore, "acknowledgedAt"> },
  { message, draft }: Shown,
): Promise<Pick<Card, "ack">> {
  if (draft.ack !== true || draft.status === "resolved") return {};
  const at = await deliveries.acknowledgedAt(message.seq);
  const until = Math.min(repeatedUntil(message), expiryOf(message));
  return { ack: { until, ...(at !== undefined && { at }) } };
}

function alertCard(newest: Shown, history: readonly Message[]): Card {
  const before = history.filter(({ id }) => id < newest.message.id);
  const earlier = before.slice(0, MAX_EARLIER).map((message) => ({ message, draft: draftOf(message) }));
  const card: Card = { ...newest, earlier, moreEarlier: before.length > MAX_EARLIER };
  if (newest.draft.status !== "firing") return card;
  const resolved = earlier.findIndex(({ draft }) => draft.status === "resolved");
  const streak = resolved === -1 ? earlier : earlier.slice(0, resolved);
  const first = streak.at(-1) ?? newest;
  return { ...card, firingSince: Math.min(happenedAt(first), first.message.createdAt) };
}

/** What the sender says, else when it came. */
export const happenedAt = ({ message, draft }: Shown): Millis =>
  draft.timestamp === undefined ? message.createdAt : Date.parse(draft.timestamp);

/** Worth a word beside the time when it came. Of what fires is said since when. */
export const hasOwnTime = (card: Card): boolean =>
  card.firingSince === undefined && Math.abs(card.message.createdAt - happenedAt(card)) >= 60_000;

/** Stretches of cards of one day of the reader's, in their order; none is empty. `dateAt`: that day, in any form. */
export function byDay(
  cards: readonly RenderedCard[],
  dateAt: (at: Millis) => string,
): { date: string; at: Millis; cards: RenderedCard[] }[] {
  const days: ReturnType<typeof byDay> = [];
  for (const card of cards) {
    const date = dateAt(card.at);
    const last = days.at(-1);
    if (last?.date === date) last.cards.push(card);
    else days.push({ date, at: card.at, cards: [card] });
  }
  return days;
}
