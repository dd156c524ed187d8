/** Where a feed gets its messages: a topic's by their ids, a namespace's by their `seq`. */
import type { Bus, Listener } from "../../bus/bus.ts";
import type { NamespaceId } from "../../keys/namespace.ts";
import type { Committed, Store } from "../../store/store.ts";
import type { Nearest } from "../../store/messages.ts";
import type { Topic, TopicOfMessage } from "../../topics/topic.ts";
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
  entry(event: Extract<Committed, { kind: "message" }>): Entry;
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

/** What is different between one namespace and those that a reader sees, of which some may be made and deleted meanwhile. */
interface Several extends Pick<Source, "about" | "listen"> {
  /** Those that there are now. */
  ids: () => Promise<readonly NamespaceId[]>;
}

/**
 * The seqs of namespaces are in commit order but not dense: other namespaces take some. So an announcement cannot tell what it
 * follows (a number kept here could be wrong after a lost one), and says "nobody knows": every stream falls behind and pages,
 * all of them the same page. Dashboards, `tail` and Gotify's apps are few; the cost is one indexed read a commit and namespace.
 */
export function namespacesSource({ store }: Pick<Needs, "store">, { ids, ...of }: Several): Source {
  const each = async <T>(read: (id: NamespaceId) => Promise<T>): Promise<T[]> => Promise.all((await ids()).map(read));
  return {
    ...of,
    lastId: async () => store.messages.lastSeq(),
    ...places(store, async (upTo) => {
      const found = await each(async (id) => store.messages.nearestInNamespace(id, upTo));
      return found.reduce((one, other) => ((other?.seq ?? 0) > (one?.seq ?? 0) ? other : one), undefined);
    }),
    page: async (after) => {
      let last = after;
      const found = (await each(async (id) => store.messages.pageNamespace(id, after, PAGE))).flat();
      // the oldest of all their pages: none of them has left out an older one
      const oldest = found.sort((a, b) => a.message.seq - b.message.seq).slice(0, PAGE);
      const entries = oldest.map(({ topic, message }) => {
        const entry = entryOf(store, topic, message, { after: last, id: message.seq });
        last = message.seq;
        return entry;
      });
      return { entries, hasMore: entries.length > 0, lastId: last }; // a short page does not prove that: it leaves out deleted topics
    },
    entry: ({ topic, message }) => entryOf(store, topic, message, { after: Number.POSITIVE_INFINITY, id: message.seq }),
  };
}

export const namespaceSource = ({ store, bus }: Needs, id: NamespaceId, namespace: string): Source =>
  namespacesSource({ store }, {
    about: { namespace },
    ids: async () => [id],
    listen: (listener) => bus.onNamespace(id, listener),
  });
