/** Everything that the list of all messages shows, read at once, and only of namespaces that the visitor sees. */
import type { Deps } from "../../../deps.ts";
import type { Message } from "../../../messages/message.ts";
import type { MessageList } from "../../../store/messages.ts";
import type { Topic } from "../../../topics/topic.ts";
import { type Asked, type Counts, countsOf, isWhole, PAGE_BYTES, PAGE_SIZE, query } from "../../feed/asked.tsx";
import { pageQuery } from "../../feed/asking.ts";
import { cardsOf, type RenderedCard } from "../../feed/cards.ts";
import { unacknowledged } from "../../feed/opened.ts";
import type { Desk } from "../signed-in.ts";
import { deskLink, shownNamespaces } from "../frame/filter.ts";
import { MutedMark } from "../muted.tsx";
import { type Open, openOf } from "../overview/gather.ts";
import { mutedUntil, topicPath } from "../topics/glance.ts";
import { askedOfList, backHere } from "./back.ts";
import { type CardDeps, ownCards } from "./cards.tsx";

export interface Listed {
  asked: Asked;
  page: ListPage;
  cards: readonly RenderedCard[];
  /** Present on the newest page of everything, with what is open on top. */
  top?: { counts: Counts; open: Open };
}

/** @throws Problem 400: the address asks for what there is not */
export async function listed(deps: CardDeps, desk: Desk, request: Request): Promise<Listed> {
  const { store } = deps;
  const { view, chosen } = desk;
  const asked: Asked = { ...askedOfList(request), ...(chosen && { ns: chosen.name }) };
  const page = await pageOf(store, desk, asked);
  const topics = new Map(page.messages.map(({ topic, message }) => [message.seq, topic]));
  const topicOf = ({ seq }: Message): Topic => topics.get(seq) ?? missing(seq);
  const found = await cardsOf(
    store,
    page.messages.map(({ message }) => message),
    { topicOf: (message) => topicOf(message).id, whole: isWhole(asked), signal: request.signal },
  );
  const cards = await ownCards(deps, desk, found, {
    topicOf,
    tagHref: (tag) => query({ ns: asked.ns, tag }),
    back: backHere(view),
    placeOf: (topic) => ({
      ...{ id: topic.id, name: `${topic.namespace} / ${topic.name}` },
      href: deskLink(desk, topicPath(topic)),
      mark: MutedMark({ view, until: mutedUntil(topic, desk.now), isShort: true }),
    }),
  });
  if (!isWhole(asked) || asked.before !== undefined) return { asked, page, cards };
  const counts = countsOf(found, page.nextBefore !== undefined);
  return { asked, page, cards, top: { counts, open: await openOf(deps, desk) } };
}

/** `isCut`: more is open than a page shows. */
type ListPage = MessageList & { isCut?: boolean };

async function pageOf(store: Deps["store"], desk: Desk, asked: Asked): Promise<ListPage> {
  const ids = shownNamespaces(desk).map(({ id }) => id);
  if (asked.open !== true) return store.messages.list(ids, pageQuery(asked));
  const { messages, isMore } = await unacknowledged(store, ids, { now: desk.now, limit: PAGE_SIZE });
  let bytes = 0;
  const fitting = messages.filter(({ message }, n) => (bytes += message.json.length) <= PAGE_BYTES || n === 0);
  return { messages: fitting, isCut: isMore || fitting.length < messages.length };
}

function missing(seq: number): never {
  throw new Error(`message ${seq} has no topic`);
}
