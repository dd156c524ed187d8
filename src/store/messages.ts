/** The part of the port for messages: published, read, searched, deleted. */
import type { Draft, Level, Priority } from "../drafts/draft.ts";
import type { StoredFile } from "../files/file.ts";
import type { NamespaceId } from "../keys/namespace.ts";
import type { Intake } from "../messages/intake.ts";
import type { Message } from "../messages/message.ts";
import type { Topic, TopicId, TopicOfMessage } from "../topics/topic.ts";
import type { Millis } from "../util/clock.ts";
import type { Use } from "./hooks.ts";
import type { Scheduled } from "./scheduled.ts";

export interface Publication {
  namespaceId: NamespaceId;
  /** By name: made if it is new, and a name that equals a topic's key means that topic. By key: must exist. */
  to: { name: string } | { key: string } | { id: TopicId };
  draft: Draft;
  /** Absent: now. */
  deliverAt?: Millis;
  /** The delay, from when it was asked for; absent: `deliverAt` is a time on the clock. */
  delayMs?: number;
  /** What is kept beside the message, and deleted with it. */
  intake?: Intake;
  /** `hash`: of method, path, query, ntfy headers and body, so that another request under the key can be distinguished from a retry. */
  idempotency?: { key: string; hash: string };
  /** Whole and on disk already: the message names as many as there is room for. */
  files?: readonly StoredFile[];
  /** Messages of the topic that wait for their time under the same `dedup_key` are cancelled: this one takes their place. */
  replaces?: true;
  /** The hook that it came by, to whose topic it goes. */
  by?: Use;
  /** The `ApiKey.row` of the key that it came with. */
  key?: number;
}

export type Published =
  | ({ kind: "stored"; message: Message } & Taken)
  | ({ kind: "scheduled"; scheduled: Scheduled } & Taken)
  | { kind: "unknown_topic" }
  /** `by` was deleted or rotated since it was looked up. */
  | { kind: "unknown_hook" }
  | { kind: "too_many_topics" }
  | { kind: "too_many_scheduled" }
  | { kind: "idempotency_mismatch" };

interface Taken {
  topic: TopicOfMessage;
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
  /** Bytes of stored JSON: a page ends there before its `limit`; the first message always comes. Absent: no limit. */
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
  /** There may be more in the direction of the query, even if a search that ran out of time found none. */
  hasMore: boolean;
  /** The topic's newest id at the time of the read. */
  lastId: number;
  /** Retention has deleted messages behind `since`. */
  truncated: boolean;
  /** Newest first: pass as `before` for the next page. */
  nextBefore?: number;
  /** Oldest first: pass as `since` for the next page. */
  nextSince?: number;
}

/** A message of a feed that is kept. */
export interface Nearest {
  /** In a namespace: its `seq`. */
  id: number;
  /** When it was stored. */
  at: Millis;
  seq: number;
}

/** As much of it as a card shows. `message`: its first characters. */
export type EarlierMessage = Pick<Message, "createdAt" | "level" | "priority"> &
  Pick<Draft, "status" | "title" | "message">;

export interface AlertPast {
  /** No later message belongs to the alert. */
  isNewest: boolean;
  /** Newest first. */
  earlier: EarlierMessage[];
  /** There are even more than `earlier`. */
  moreEarlier: boolean;
  /** Bytes of the stored JSON of `earlier`. */
  bytes: number;
}

export interface MostOfAlert {
  limit: number;
  /** Bytes of stored JSON: the past ends there before its `limit`; the first message always comes. */
  bytes: number;
  /** The most of each text. */
  characters: number;
}

export interface ListQuery extends Search {
  /** Only messages with a smaller `seq`: each is given once, so that no page repeats a message or leaves one out. */
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
  /** It ran out of time before the page was full, and has searched back to this time. */
  lookedTo?: Millis;
}

export interface MessageStore {
  publish(publication: Publication): Promise<Published>;
  page(topicId: TopicId, query: PageQuery): Promise<Page>;
  /** Messages of all live topics of these namespaces, the newest first. */
  list(namespaces: readonly NamespaceId[], query: ListQuery): Promise<MessageList>;
  /** Messages of these topics with `seq` greater than `after`, in commit order, with their topics; fewer than `limit`: no more. */
  pageTopics(topicIds: readonly TopicId[], after: number, limit: number): Promise<Placed[]>;
  /** The same of all topics of a namespace. */
  pageNamespace(namespaceId: NamespaceId, after: number, limit: number): Promise<Placed[]>;
  /** The highest id of a topic up to which no message that is kept is later than `seq`; its newest id if none is later. */
  idUpTo(topicId: TopicId, seq: number): Promise<number>;
  /** The newest message that is kept up to this id; undefined: there is none. */
  nearest(topicId: TopicId, id: number): Promise<Nearest | undefined>;
  /** The id of a topic's first message that was stored at a time or later, even if it is gone; if there is none, the next id. */
  firstAt(topicId: TopicId, at: Millis): Promise<number>;
  /** `nearest` in several topics, whose ids are `seq`. */
  nearestInTopics(topicIds: readonly TopicId[], seq: number): Promise<Nearest | undefined>;
  /** `nearest` in a namespace, whose ids are `seq`. */
  nearestInNamespace(namespaceId: NamespaceId, seq: number): Promise<Nearest | undefined>;
  /**
   * The highest `seq` ever given, in any namespace, 0 before the first: a greater one is from another database. It never goes
   * back, even if its message was deleted or retention deleted all.
   */
  lastSeq(): Promise<number>;
  find(topicId: TopicId, id: number): Promise<Message | undefined>;
  /**
   * The labels of the keys and hooks that sent these messages, by `seq`; none for one without a label, or that was revoked or
   * deleted since.
   */
  senders(seqs: readonly number[]): Promise<ReadonlyMap<number, string>>;
  /** The earlier messages of an alert. */
  alert(topicId: TopicId, dedupKey: string, seq: number, most: MostOfAlert): Promise<AlertPast>;
  /**
   * When the alert began to fire: of its messages up to this one, with none `resolved` in between, the time that the first gives
   * or came at. Undefined: that is further back than 1,000 messages or 1 MiB.
   */
  firingSince(topicId: TopicId, dedupKey: string, seq: number): Promise<Millis | undefined>;
  /** False: there was none. Its id is never given again. */
  remove(topicId: TopicId, id: number): Promise<boolean>;
  /**
   * The same, but `restore` can undo it for some seconds, with everything that depends on the message. Its pending pushes wait
   * until then, and are not sent if it is not undone.
   */
  discard(topicId: TopicId, id: number): Promise<boolean>;
  /** False: it was not discarded, or too long ago. */
  restore(topicId: TopicId, id: number): Promise<boolean>;
}
