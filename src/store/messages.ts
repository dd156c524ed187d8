/** The part of the port that is messages: published, read, searched, deleted. */
import type { Draft, Level, Priority } from "../drafts/draft.ts";
import type { StoredFile } from "../files/file.ts";
import type { NamespaceId } from "../keys/namespace.ts";
import type { Intake } from "../messages/intake.ts";
import type { Message } from "../messages/message.ts";
import type { Topic, TopicId } from "../topics/topic.ts";
import type { Millis } from "../util/clock.ts";
import type { Use } from "./hooks.ts";
import type { Scheduled } from "./scheduled.ts";

export interface Publication {
  namespaceId: NamespaceId;
  /** By name: created when it is new, and a name that equals a topic's key means that topic. By key: must exist. */
  to: { name: string } | { key: string } | { id: TopicId };
  draft: Draft;
  /** Absent: now. */
  deliverAt?: Millis;
  /** It was to be delayed by so much, from when it was asked for; absent: `deliverAt` is a time on the clock. */
  delayMs?: number;
  /** What is kept beside the message, as it goes with it. */
  intake?: Intake;
  /** `hash`: of method, path, query, ntfy headers and body, so that a repeat with another request is told from a retry. */
  idempotency?: { key: string; hash: string };
  /** On disk already, whole: the message names them as far as there is room. */
  files?: readonly StoredFile[];
  /** It came by a hook, whose topic it goes to. */
  by?: Use;
  /** The key that it came with, `ApiKey.row`. */
  key?: number;
}

export type Published =
  | ({ kind: "stored"; message: Message } & Taken)
  | ({ kind: "scheduled"; scheduled: Scheduled } & Taken)
  | { kind: "unknown_topic" }
  /** `by`: it was deleted or rotated since it was looked up. */
  | { kind: "unknown_hook" }
  | { kind: "too_many_topics" }
  | { kind: "too_many_scheduled" }
  | { kind: "idempotency_mismatch" };

interface Taken {
  topic: Topic;
  createdTopic: boolean;
  replayed: boolean;
  /** Files that there was no room for. */
  leftOut?: readonly StoredFile[];
}

export interface MessageFilter {
  levels?: readonly Level[];
  priorities?: readonly Priority[];
  tag?: string;
}

interface Search extends MessageFilter {
  /** 1–200. */
  limit: number;
  /** Of the stored JSON, where a page ends before its `limit`; the first message always comes. Absent: no limit. */
  bytes?: number;
  /** Words that must all occur in title or text, any case. */
  q?: string;
}

export interface PageQuery extends Search {
  /** Present: ids greater than it, oldest first. Absent: newest first. */
  since?: number;
  /** Ids greater than it, newest first. */
  after?: number;
  /** Ids less than it. */
  before?: number;
}

export interface Page {
  messages: Message[];
  /** There may be more in the direction of the query; after a search that ran out of time also when none was found. */
  hasMore: boolean;
  /** The topic's newest id at the time of the read. */
  lastId: number;
  /** Retention has taken messages behind `since`. */
  truncated: boolean;
  /** Newest first: pass as `before` for the next page. */
  nextBefore?: number;
  /** Oldest first: pass as `since` for the next page. */
  nextSince?: number;
}

/** A message that is kept, in a feed. */
export interface Nearest {
  /** In a namespace its `seq`. */
  id: number;
  /** When it was stored. */
  at: Millis;
  seq: number;
}

/** As far as a card shows it. `message`: its first characters. */
export type EarlierMessage = Pick<Message, "createdAt" | "level" | "priority"> &
  Pick<Draft, "status" | "title" | "message">;

export interface AlertPast {
  /** No later message belongs to the alert. */
  isNewest: boolean;
  /** Newest first. */
  earlier: EarlierMessage[];
  /** There are even more than `earlier`. */
  moreEarlier: boolean;
  /** Of the stored JSON of `earlier`. */
  bytes: number;
}

export interface MostOfAlert {
  limit: number;
  /** Of the stored JSON, where the past ends before its `limit`; the first message always comes. */
  bytes: number;
  /** Of each text. */
  characters: number;
}

export interface ListQuery extends Search {
  /** Only messages with a `seq` less than it: that is given once, so that no page repeats a message or leaves one out. */
  before?: number;
}

/** A message of any topic. */
export interface Placed {
  topic: Topic;
  message: Message;
}

export interface MessageList {
  messages: Placed[];
  /** There may be more: pass it as `before` for the next page. */
  nextBefore?: number;
  /** It ran out of time before the page was full, and has looked at all that came since then. */
  lookedTo?: Millis;
}

export interface MessageStore {
  publish(publication: Publication): Promise<Published>;
  page(topicId: TopicId, query: PageQuery): Promise<Page>;
  /** Messages of all live topics of these namespaces, the newest first. */
  list(namespaces: readonly NamespaceId[], query: ListQuery): Promise<MessageList>;
  /** Messages of all topics of a namespace with `seq` greater than `after`, in commit order, with their topics. */
  pageNamespace(namespaceId: NamespaceId, after: number, limit: number): Promise<Placed[]>;
  /** The newest message that is kept up to this id; undefined: there is none. */
  nearest(topicId: TopicId, id: number): Promise<Nearest | undefined>;
  /** The id of the first message of a topic that was stored at a time or later, also where it is gone; behind its last where none was. */
  firstAt(topicId: TopicId, at: Millis): Promise<number>;
  /** The same as `nearest` in a namespace, whose ids are `seq`. */
  nearestInNamespace(namespaceId: NamespaceId, seq: number): Promise<Nearest | undefined>;
  /**
   * The highest `seq` ever given, in whatever namespace, 0 before the first: one greater is of another database. It never
   * goes back, also when its message was deleted or retention took all.
   */
  lastSeq(): Promise<number>;
  find(topicId: TopicId, id: number): Promise<Message | undefined>;
  /**
   * What people call the keys and hooks that sent these messages, by `seq`; nothing for one without a label, and for one that
   * is revoked or deleted by now.
   */
  senders(seqs: readonly number[]): Promise<ReadonlyMap<number, string>>;
  /** What came before a message of an alert. */
  alert(topicId: TopicId, dedupKey: string, seq: number, most: MostOfAlert): Promise<AlertPast>;
  /**
   * When the first message came, or said that it happened, of those of an alert up to this one of which none is `resolved`.
   * Undefined: further back than is looked, 1,000 messages or 1 MiB.
   */
  firingSince(topicId: TopicId, dedupKey: string, seq: number): Promise<Millis | undefined>;
  /** False: there was none. Its id is never given again. */
  remove(topicId: TopicId, id: number): Promise<boolean>;
  /**
   * The same, and `restore` takes it back for some seconds, with all that hangs on it: what still waits to be pushed then
   * is pushed. Until then, and where it is not taken back, it is not.
   */
  discard(topicId: TopicId, id: number): Promise<boolean>;
  /** False: it was not discarded, or that is too long ago. */
  restore(topicId: TopicId, id: number): Promise<boolean>;
}
