/**
 * The store as the rooms see it: coarse methods in the words of the domain, each one transaction (ARCHITECTURE.md §4).
 * A method that writes resolves once its transaction is on disk. What the caller must handle is in the return type; a
 * store that cannot commit rejects with `StoreUnavailable`, and then nothing was stored.
 */
import type { Person } from "../accounts/person.ts";
import type { AlertKind } from "../checks/check.ts";
import type { ApiKey } from "../keys/key.ts";
import type { NamespaceId } from "../keys/namespace.ts";
import type { Intake } from "../messages/intake.ts";
import type { Message } from "../messages/message.ts";
import type { Draft, Level, Priority } from "../drafts/draft.ts";
import type { StoredFile } from "../files/file.ts";
import type { Topic, TopicId } from "../topics/topic.ts";
import type { Millis } from "../util/clock.ts";
import type { AccountStore } from "./accounts.ts";
import type { CheckStore } from "./checks.ts";
import type { DayStore } from "./days.ts";
import type { DeliveryStore } from "./deliveries.ts";
import type { DeviceStore } from "./devices.ts";
import type { Epochs } from "./epochs.ts";
import type { ClockStore } from "./clock.ts";
import type { FileStore } from "./files.ts";
import type { GlanceStore } from "./glances.ts";
import type { HookStore, Use } from "./hooks.ts";
import type { IntakeStore } from "./intake.ts";
import type { KeyStore, NamespaceStore } from "./keys.ts";
import type { ListQuery, MessageList } from "./listing.ts";
import type { OverviewStore } from "./overview.ts";

/** The store cannot commit now (disk full, I/O error, file busy too long, queue full). A retry is safe. */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";
}

/** The same, and `message` says why, to clients too, and what the operator is to do. It is logged when it begins. */
export class StoreTrouble extends StoreUnavailable {}

/**
 * Hears that the database is damaged, in a sentence for the operator. First not certain, where a read failed, which may pass;
 * once where it is certain.
 */
export type HearsDamage = (sentence: string, isCertain: boolean) => void;

/** The store cannot be opened. The message says why and what to do. */
export class StoreError extends Error {
  override readonly name = "StoreError";
  /**
   * `locked`: another server holds the data directory, so talk to that one. `refused`: the files there are not what a
   * start may touch; each further start is refused too, until somebody has looked.
   */
  readonly kind: "locked" | "newer_schema" | "migration_failed" | "refused" | "unusable";
  constructor(kind: StoreError["kind"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

/** What a commit announces, in commit order. */
export type Committed =
  /** `alerts`: of checks, that it tells. */
  | { kind: "message"; topic: Topic; message: Message; source: string; alerts?: readonly AlertKind[] }
  /** The topic's key stopped working: rotated or deleted. Ends its streams. */
  | { kind: "gone"; topicId: TopicId }
  /** The key stopped working: ends what it holds open. */
  | { kind: "revoked"; keyId: string }
  /** A person was changed or removed, or sessions of theirs ended: what they hold open looks again whom it is for. */
  | { kind: "person"; personId: string }
  /** A message waits for `deliverAt`. */
  | { kind: "scheduled"; deliverAt: Millis }
  /** A check has to be looked at `at`, earlier than it had to be before. */
  | { kind: "due"; at: Millis }
  /** A message waits for its fan-out, or a device for its test. */
  | { kind: "outbox" }
  /** Deliveries came, or something became of some: a hint for whoever looks at them, one a commit. */
  | { kind: "delivery" }
  /** A device came or went, or was changed, or what it subscribed to. */
  | { kind: "device" }
  /** Something else that pages show is another now: a hint for whoever looks at it. Without `namespaceId`: of all. */
  | { kind: "hint"; of: HintOf; namespaceId?: NamespaceId };

export type HintOf = "message" | "topic" | "check" | "hook" | "key" | "namespace" | "person";

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

/** A message that waits for its time; it gets its message id when it fires. */
export interface Scheduled {
  id: string;
  deliverAt: Millis;
  createdAt: Millis;
  topic: Topic;
  draft: Draft;
}

export interface MessageFilter {
  levels?: readonly Level[];
  priorities?: readonly Priority[];
  tag?: string;
}

export interface PageQuery extends MessageFilter {
  /** 1–200. */
  limit: number;
  /** Of the stored JSON, where a page ends before its `limit`; the first message always comes. Absent: no limit. */
  bytes?: number;
  /** Present: ids greater than it, oldest first. Absent: newest first. */
  since?: number;
  /** Ids greater than it, newest first. */
  after?: number;
  /** Ids less than it. */
  before?: number;
  /** Words that must all occur in title or text, any case. */
  q?: string;
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

export interface MessageStore {
  publish(publication: Publication): Promise<Published>;
  page(topicId: TopicId, query: PageQuery): Promise<Page>;
  /** Messages of all live topics of these namespaces, the newest first. */
  list(namespaces: readonly NamespaceId[], query: ListQuery): Promise<MessageList>;
  /** Messages of all topics of a namespace with `seq` greater than `after`, in commit order, with their topics. */
  pageNamespace(namespaceId: NamespaceId, after: number, limit: number): Promise<{ topic: Topic; message: Message }[]>;
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

export interface NewTopic {
  name?: string;
  /** Named after it, with a short random tail when that name is taken. */
  prefix?: string;
  description?: string;
  retentionDays?: number;
  retentionMessages?: number;
}

/** `null` takes the value away: the server's default holds again. */
export interface TopicPatch {
  name?: string;
  description?: string | null;
  retentionDays?: number | null;
  retentionMessages?: number | null;
  archived?: boolean;
  mutedUntil?: Millis | null;
}

export interface TopicStore {
  create(namespaceId: NamespaceId, topic: NewTopic): Promise<Topic | "name_taken" | "too_many_topics">;
  /** The topic of this key in this namespace. */
  byKey(namespace: string, key: string): Promise<Topic | undefined>;
  /** The topic of this key, whatever its namespace: `GET /{topic-key}`. */
  byKeyAnywhere(key: string): Promise<Topic | undefined>;
  /** By name; `after`: the last name of the page before. */
  list(namespaceId: NamespaceId, options: { archived: boolean; after?: string; limit: number }): Promise<Topic[]>;
  /** The name of another topic that differs from this one by capitals alone. */
  namedAlike(namespaceId: NamespaceId, name: string): Promise<string | undefined>;
  patch(topicId: TopicId, patch: TopicPatch): Promise<Topic | "name_taken" | undefined>;
  /**
   * A new key; the old one stops working with the last commit, and with it all subscriptions are gone but those of
   * the devices that are kept. `kept`, `dropped`: ids of devices that had subscribed.
   */
  rotate(
    topicId: TopicId,
    isKept?: (id: string) => boolean,
  ): Promise<{ topic: Topic; kept: string[]; dropped: string[] } | undefined>;
  /**
   * 404 from this commit on; the rows go in slices by `sweep`. False: it was gone already. `in_use`: checks alert to it.
   */
  remove(topicId: TopicId): Promise<boolean | "in_use">;
}

/** After which waiting message a page begins: it need not wait any more. */
export interface Place {
  deliverAt: Millis;
  /** Tells those of one time apart. */
  seq: number;
}

/** Of live topics only: those of a deleted one are gone with it, their rows go in slices by `sweep`. */
export interface ScheduledStore {
  /** In the order of their times. `next`: there are more, pass it as `after`. */
  list(
    namespaceId: NamespaceId,
    options: { after?: Place; limit: number },
  ): Promise<{ scheduled: Scheduled[]; next?: Place }>;
  find(namespaceId: NamespaceId, id: string): Promise<Scheduled | undefined>;
  /** False: it has fired already or never was. */
  cancel(namespaceId: NamespaceId, id: string): Promise<boolean>;
  /**
   * Stores up to `limit` messages whose time has come, with ids, in the order of their times. How many it
   * stored: fewer, and more may still be due, where topics were deleted.
   */
  fire(now: Millis, limit: number): Promise<number>;
  /** The next time one is due. */
  nextAt(): Promise<Millis | undefined>;
}

/** First run (WEB.md §2). The code is kept only as SHA-256. */
export interface SetupStore {
  /** `claimed`: there is an admin among the people. `keys`: there is a key, so the API works. */
  state(): { claimed: boolean; keys: boolean };
  /** Makes this the code that claims the server; an earlier one stops working. */
  offer(codeHash: string): Promise<void>;
  /** No code claims the server until the next is offered. */
  withdraw(): Promise<void>;
  /** Whether this is the code; `claim` looks again. */
  isCode(codeHash: string): boolean;
  /** Consumes the code and makes the first admin, namespace `home`, topic `hello` and a key that can publish, in one transaction. */
  claim(
    codeHash: string,
    owner: { name: string; passwordHash: string },
  ): Promise<{ person: Person; key: ApiKey; secret: string; topic: Topic } | "wrong_code" | "claimed" | "name_taken">;
  /** That topic; undefined: it was deleted. */
  first(): Promise<Topic | undefined>;
  /** The same; made again where it is gone, its namespace too. */
  ensureFirst(): Promise<Topic>;
}

export interface StoreStats {
  databaseBytes: number;
  walBytes: number;
  /** Files of messages. */
  files: number;
  fileBytes: number;
  schemaVersion: number;
}

/** What group commit did, for metrics. */
export interface CommitSample {
  jobs: number;
  /** From BEGIN to the end of COMMIT. */
  ms: number;
}

export interface Store {
  readonly messages: MessageStore;
  readonly epochs: Epochs;
  readonly topics: TopicStore;
  readonly glances: GlanceStore;
  readonly intake: IntakeStore;
  readonly overview: OverviewStore;
  readonly days: DayStore;
  readonly keys: KeyStore;
  readonly namespaces: NamespaceStore;
  readonly scheduled: ScheduledStore;
  readonly files: FileStore;
  readonly checks: CheckStore;
  readonly hooks: HookStore;
  readonly devices: DeviceStore;
  readonly deliveries: DeliveryStore;
  readonly setup: SetupStore;
  readonly clock: ClockStore;
  readonly accounts: AccountStore;
  /** Hears every commit's events in order, before the promises of its jobs resolve. Set once, at start. */
  onCommitted(hear: (events: readonly Committed[]) => void): void;
  onCommit(sample: (commit: CommitSample) => void): void;
  /** Writes one row: proves that the store can take a write. */
  probe(): Promise<void>;
  /** What is wrong with its files, and what the operator is to do: since when a read or a commit found it. */
  trouble(): string | undefined;
  /** Set once, at start. */
  onDamaged(hear: HearsDamage): void;
  /** The whole database was read by other means. `damage`: what was found, in SQLite's words; absent: it is sound. */
  noteSoundness(damage?: string): void;
  /**
   * Before something is promised that a restore would take back. What the server itself has to write, such as alerts and
   * what became of pushes, it writes as long as it can. @throws StoreTrouble while the database is known to be damaged
   */
  requireSound(): void;
  stats(): StoreStats;
  /**
   * Retention, tombstones, old idempotency keys and sessions, in slices of at most 2 ms of the event loop each; works for at most
   * `budgetMs` and resolves to true while there is more to do.
   */
  sweep(retention: { days: number; messages: number }, budgetMs: number): Promise<boolean>;
  close(): Promise<void>;
}
