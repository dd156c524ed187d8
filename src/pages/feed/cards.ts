/** From messages to what the feed shows: one card for an alert, with its history, and one section for a day. */
import { draftOf, type Message } from "../../messages/message.ts";
import { canAcknowledge, type Draft } from "../../drafts/draft.ts";
import { expiryOf, repeatedUntil } from "../../delivery/push/plan.ts";
import type { DeliveryStore } from "../../store/deliveries.ts";
import type { EarlierMessage, MessageStore } from "../../store/messages.ts";
import type { TopicId } from "../../topics/topic.ts";
import type { Millis } from "../../util/clock.ts";
import type { Safe } from "../jsx/jsx-runtime.ts";

export interface Shown {
  message: Message;
  draft: Draft;
}
export interface Card extends Shown {
  /** Messages of the same alert before it, newest first. */
  earlier: EarlierMessage[];
  /** There are even more than `earlier`. */
  moreEarlier: boolean;
  /** It fires. `since` is absent if that is too far back to be looked for. */
  firing?: { since?: Millis };
  /** Somebody has to acknowledge it. `at`: somebody did. `until`: when its push is no longer repeated. */
  ack?: { at?: Millis; until: Millis };
}

/** A card as the page has it. */
export interface RenderedCard {
  at: Millis;
  html: Safe;
  card: Card;
  /** Its topic, if the page shows several. */
  of?: OfTopic;
}

/** The topic of a card on a page of several topics. */
export interface OfTopic {
  id: TopicId;
  /** With its namespace: `home / backups`. */
  name: string;
  href: string;
  /** After its name: that it is muted. */
  mark?: Safe;
}

/** The fragment of a card in addresses of its page: ids are unique in a topic only. */
export const anchorOf = ({ id, seq }: Message, of: OfTopic | undefined): number => (of === undefined ? id : seq);

/** A longer line is not a heading, and is cut where a line is shown. */
export const HEADING_CHARACTERS = 256;
/** How much of an alert's past a card shows: of each message a line, and of a longer one that it is longer. */
const MOST_OF_ALERT = { limit: 20, characters: HEADING_CHARACTERS + 1 };
/** The most bytes of messages, as they are stored, that are read for the pasts of all alerts of a page. */
const PASTS_BYTES = 1_048_576;

/**
 * The cards of a page of messages, newest first. An alert (`dedup_key`) is one card, where its newest message is: its
 * other messages on the page go into it. On a page that shows everything (`whole`), an alert whose newest message is
 * on an earlier page is not shown again. `topicOf`: of each
 * message. Rejects with the signal's reason once that is aborted.
 */
export async function cardsOf(
  store: { messages: Pick<MessageStore, "alert" | "firingSince">; deliveries: Pick<DeliveryStore, "acknowledgedAt"> },
  messages: readonly Message[],
  { topicOf, whole, signal }: { topicOf: (message: Message) => TopicId; whole: boolean; signal?: AbortSignal },
): Promise<Card[]> {
  const shown = messages.map((message) => ({ message, draft: draftOf(message) }));
  const seen = new Set<string>();
  const cards: Card[] = [];
  let bytesLeft = PASTS_BYTES;
  const alertOf = ({ message, draft: { dedup_key: key } }: Shown) =>
    key === undefined ? undefined : `${topicOf(message)} ${key}`;
  let alertsLeft = new Set(shown.flatMap((one) => alertOf(one) ?? [])).size;
  for (const { message, draft } of shown) {
    const key = draft.dedup_key;
    const alert = alertOf({ message, draft });
    if (key === undefined || alert === undefined) {
      cards.push({ message, draft, earlier: [], moreEarlier: false, ...(await asked(store, { message, draft })) });
      continue;
    }
    if (seen.has(alert)) continue;
    seen.add(alert);
    signal?.throwIfAborted();
    const most = { ...MOST_OF_ALERT, bytes: bytesLeft / alertsLeft-- };
    const { isNewest, bytes, ...past } = await store.messages.alert(topicOf(message), key, message.seq, most);
    bytesLeft -= bytes;
    if (whole && !isNewest) continue;
    const since =
      draft.status === "firing" ? await store.messages.firingSince(topicOf(message), key, message.seq) : undefined;
    cards.push({
      ...{ message, draft, ...past },
      ...(draft.status === "firing" && { firing: { ...(since !== undefined && { since }) } }),
      ...(await asked(store, { message, draft })),
    });
  }
  return cards;
}

/** Whether somebody has to acknowledge it; nobody has to if it is over. */
async function asked(
  { deliveries }: { deliveries: Pick<DeliveryStore, "acknowledgedAt"> },
  { message, draft }: Shown,
): Promise<Pick<Card, "ack">> {
  if (!canAcknowledge(draft) || draft.status === "resolved") return {};
  const at = await deliveries.acknowledgedAt(message.seq);
  if (draft.ack !== true && at === undefined) return {}; // nobody has to
  const until = Math.min(repeatedUntil(message), expiryOf(message));
  return { ack: { until, ...(at !== undefined && { at }) } };
}

/** The time that the sender gives, else when it came. */
export const happenedAt = ({ message, draft }: Shown): Millis =>
  draft.timestamp === undefined ? message.createdAt : Date.parse(draft.timestamp);

/** Worth a word beside the time when it came. Of what fires is said since when. */
export const hasOwnTime = (card: Card): boolean =>
  card.firing === undefined && Math.abs(card.message.createdAt - happenedAt(card)) >= 60_000;

/** Sections of cards of one day of the reader's, in their order; none is empty. `dateAt`: that day, in any form. */
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
