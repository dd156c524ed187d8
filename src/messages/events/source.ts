/** Where a feed gets its messages: a topic's by their ids, those of several topics or of a namespace by their `seq`. */
import type { Bus, Listener } from "../../bus/bus.ts";
import type { NamespaceId } from "../../keys/namespace.ts";
import type { Committed, Store } from "../../store/store.ts";
import type { Nearest, Placed } from "../../store/messages.ts";
import type { Topic, TopicId, TopicOfMessage } from "../../topics/topic.ts";
import type { Message } from "../message.ts";
import { Entry } from "./batch.ts";
import type { About } from "./format.ts";
import { isOfAnotherPast, placeAt, type Position } from "./resume.ts";

/** The most messages of a page. Frames wait for no reader, so this bounds the memory of a page: 3 MB of the longest texts. */
const PAGE = 100;

export interface SourcePage {
  /** The entries after the id that was asked for, oldest first. */
  entries: Entry[];
  hasMore: boolean;
  /** The feed's newest id at the time of reading. */
  lastId: number;
}

export interface Source {
  /** What `ready` says about the feed. */
  readonly about: About;
  /** The newest id, 0 before the first; undefined if the feed is gone. */
  lastId(): Promise<number | undefined>;
  /** The place of a reader who has everything that is kept up to this id. */
  placeAt(id: number): Promise<Required<Position>>;
  /** Whether a reader may lack something up to its place. `lastId`: the newest id. */
  isOfAnotherPast(place: Position, lastId: number): Promise<boolean>;
  page(after: number): Promise<SourcePage>;
  /** Listens to what is committed from now on. Returns the function that ends it. */
  listen(listener: Listener): () => void;
  entry(event: Pick<Extract<Committed, { kind: "message" }>, "topic" | "message">): Entry;
}

type Needs = { store: Store; bus: Bus };

const places = (
  store: Store,
  nearest: (upTo: number) => Promise<Nearest | undefined>,
): Pick<Source, "placeAt" | "isOfAnotherPast"> => ({
  placeAt: async (id) => placeAt(store, id, await nearest(id)),
  isOfAnotherPast: async (place, lastId) =>
    isOfAnotherPast(place, { lastId, nearest: await nearest(place.id), epochs: store.epochs }),
});

const entryOf = (
  { epochs }: Store,
  topic: TopicOfMessage,
  message: Message,
  { after, id }: { after: number; id: number },
) => new Entry(after, { id, epoch: epochs.of(message.seq) }, topic, message);

export function topicSource({ store, bus }: Needs, opened: Topic): Source {
  const { id, namespace, key } = opened;
  return {
    about: { namespace, topic: key },
    lastId: async () => (await store.topics.byKey(namespace, key))?.lastId,
    ...places(store, async (upTo) => store.messages.nearest(id, upTo)),
    page: async (after) => {
      // the topic as it is now: it may have been renamed since the stream was opened
      const [topic, page] = await Promise.all([
        store.topics.byKey(namespace, key),
        store.messages.page(id, { since: after, limit: PAGE }),
      ]);
      let last = after;
      const entries = page.messages.map((message) => {
        const entry = entryOf(store, topic ?? opened, message, { after: last, id: message.id });
        last = message.id;
        return entry;
      });
      return { entries, hasMore: page.hasMore, lastId: page.lastId };
    },
    listen: (listener) => bus.onTopic(id, listener),
    entry: ({ topic, message }) => entryOf(store, topic, message, { after: message.id - 1, id: message.id }),
  };
}

/** Several topics as one feed, of whichever namespaces. Its ids are `seq`, as those of a namespace, and its pages as well. */
export function topicsSource({ store, bus }: Needs, opened: readonly Topic[]): Source {
  const ids = opened.map(({ id }) => id);
  return {
    about: { topics: opened.map(({ key }) => key) },
    lastId: async () => {
      const now = await Promise.all(opened.map(async ({ namespace, key }) => store.topics.byKey(namespace, key)));
      return now.includes(undefined) ? undefined : store.messages.lastSeq();
    },
    ...places(store, async (upTo) => store.messages.nearestInTopics(ids, upTo)),
    page: async (after) => {
      const lastId = await store.messages.lastSeq(); // before the page, which then has all up to it
      const found = await store.messages.pageTopics(ids, after, PAGE);
      return { entries: entriesBySeq(store, found, after), hasMore: found.length === PAGE, lastId };
    },
    listen: (listener) => {
      const unlisten = ids.map((id: TopicId) => bus.onTopic(id, listener));
      return () => {
        for (const end of unlisten) end();
      };
    },
    entry: (event) => entryBySeq(store, event),
  };
}

function entriesBySeq(store: Store, found: readonly Placed[], after: number): Entry[] {
  let last = after;
  return found.map(({ topic, message }) => {
    const entry = entryOf(store, topic, message, { after: last, id: message.seq });
    last = message.seq;
    return entry;
  });
}

/** An announcement cannot tell what it follows: see `namespaceSource`. */
const entryBySeq = (store: Store, { topic, message }: { topic: TopicOfMessage; message: Message }): Entry =>
  entryOf(store, topic, message, { after: Number.POSITIVE_INFINITY, id: message.seq });

/**
 * The seqs of a namespace are in commit order but not dense: other namespaces take some. So an announcement cannot tell what it
 * follows (a number kept here could be wrong after a lost one), and says "nobody knows": every stream falls behind and pages,
 * all of them the same page. Dashboards and `tail` are few; the cost is one indexed read a commit.
 */
export function namespaceSource({ store, bus }: Needs, id: NamespaceId, namespace: string): Source {
  return {
    about: { namespace },
    lastId: async () => store.messages.lastSeq(),
    ...places(store, async (upTo) => store.messages.nearestInNamespace(id, upTo)),
    page: async (after) => {
      const found = await store.messages.pageNamespace(id, after, PAGE);
      const entries = entriesBySeq(store, found, after);
      const last = entries.at(-1)?.id ?? after;
      return { entries, hasMore: entries.length > 0, lastId: last }; // a short page does not prove that: it leaves out deleted topics
    },
    listen: (listener) => bus.onNamespace(id, listener),
    entry: (event) => entryBySeq(store, event),
  };
}
