/**
 * The store as the rooms see it: coarse methods in the words of the domain, each one transaction (ARCHITECTURE.md §4).
 * A method that writes resolves once its transaction is on disk. What the caller must handle is in the return type; a
 * store that cannot commit rejects with `StoreUnavailable`, and then nothing was stored.
 */
import type { AlertKind } from "../checks/check.ts";
import type { NamespaceId } from "../keys/namespace.ts";
import type { Message } from "../messages/message.ts";
import type { TopicId, TopicOfMessage } from "../topics/topic.ts";
import type { Millis } from "../util/clock.ts";
import type { AccountStore } from "./accounts.ts";
import type { CheckStore } from "./checks.ts";
import type { DayStore } from "./days.ts";
import type { DeliveryStore } from "./deliveries.ts";
import type { DeviceStore } from "./devices.ts";
import type { Epochs } from "./epochs.ts";
import type { ForwardStore } from "./forwards.ts";
import type { ClockStore } from "./clock.ts";
import type { FileStore } from "./files.ts";
import type { GlanceStore } from "./glances.ts";
import type { HookStore } from "./hooks.ts";
import type { IntakeStore } from "./intake.ts";
import type { KeyStore, NamespaceStore } from "./keys.ts";
import type { MessageStore } from "./messages.ts";
import type { MoveStore } from "./moves.ts";
import type { OverviewStore } from "./overview.ts";
import type { ScheduledStore } from "./scheduled.ts";
import type { SetupStore } from "./setup.ts";
import type { TopicStore } from "./topics.ts";

/** The store cannot commit now (disk full, I/O error, file busy too long, queue full). A retry is safe. */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";
}

/** The store cannot commit: `message` tells clients why, and the operator what to do. It is logged when it begins. */
export class StoreTrouble extends StoreUnavailable {}

/**
 * Hears that the database is damaged, in a sentence for the operator: first as not certain if a read failed, which may pass; once
 * when it is certain.
 */
export type HearsDamage = (sentence: string, isCertain: boolean) => void;

/** The store cannot be opened. The message says why and what to do. */
export class StoreError extends Error {
  override readonly name = "StoreError";
  /**
   * `locked`: another server holds the data directory, so talk to that one. `refused`: a start may not touch the files there;
   * further starts are refused too, until somebody has looked.
   */
  readonly kind: "locked" | "newer_schema" | "migration_failed" | "refused" | "unusable";
  constructor(kind: StoreError["kind"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

/** What a commit announces, in commit order. */
export type Committed =
  /** `alerts`: the kinds of the checks' alerts that the message tells. */
  | { kind: "message"; topic: TopicOfMessage; message: Message; source: string; alerts?: readonly AlertKind[] }
  /** Messages of an import: counted in the figures of their days, and told to nobody. */
  | { kind: "imported"; topicId: TopicId; namespaceId: NamespaceId; messages: readonly ImportedMessage[] }
  /** The topic's key no longer works, because it was rotated or deleted: its streams end. */
  | { kind: "gone"; topicId: TopicId }
  /** The key no longer works: what it holds open ends. */
  | { kind: "revoked"; keyId: string }
  /** A person was changed or removed, or some of their sessions ended: what they hold open is checked again. */
  | { kind: "person"; personId: string }
  /** A message waits for `deliverAt`. */
  | { kind: "scheduled"; deliverAt: Millis }
  /** A check has to be looked at `at`, earlier than before. */
  | { kind: "due"; at: Millis }
  /** A message waits for its fan-out, or a device for its test. */
  | { kind: "outbox" }
  /** Deliveries were made or changed: a hint for pages that show them, one a commit. */
  | { kind: "delivery" }
  /** A device or its subscriptions were added, changed or removed. */
  | { kind: "device" }
  /** Something else that pages show has changed: a hint for them. Without `namespaceId`: of all. */
  | { kind: "hint"; of: HintOf; namespaceId?: NamespaceId };

export type ImportedMessage = Pick<Message, "seq" | "createdAt" | "level">;

export type HintOf = "message" | "topic" | "check" | "hook" | "key" | "namespace" | "person";

export interface StoreStats {
  databaseBytes: number;
  walBytes: number;
  /** How many files messages have. */
  files: number;
  fileBytes: number;
  schemaVersion: number;
}

/** What group commit did, for metrics. */
export interface CommitSample {
  jobs: number;
  /** From BEGIN to the end of COMMIT, in ms. */
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
  readonly forwards: ForwardStore;
  readonly deliveries: DeliveryStore;
  readonly setup: SetupStore;
  readonly clock: ClockStore;
  readonly accounts: AccountStore;
  readonly moves: MoveStore;
  /** `hear` gets every commit's events in order, before the promises of its jobs resolve. Set once, at start. */
  onCommitted(hear: (events: readonly Committed[]) => void): void;
  onCommit(sample: (commit: CommitSample) => void): void;
  /** Writes one row: proves that the store can take a write. */
  probe(): Promise<void>;
  /** What is wrong with the files, and what the operator is to do, from when a read or commit first found it. */
  trouble(): string | undefined;
  /** Set once, at start. */
  onDamaged(hear: HearsDamage): void;
  /** Notes that the whole database was read by other means. `damage`: what was found, in SQLite's words; absent: it is sound. */
  noteSoundness(damage?: string): void;
  /**
   * Called before something is promised that a restore would undo. What the server itself writes, such as alerts and outcomes of
   * pushes, it writes as long as it can. @throws StoreTrouble while the database is known to be damaged
   */
  requireSound(): void;
  stats(): StoreStats;
  /**
   * Retention, tombstones, old idempotency keys and sessions, in slices of at most 2 ms of the event loop; works for `budgetMs`
   * at most, and resolves to true while there is more to do.
   */
  sweep(retention: { days: number; messages: number }, budgetMs: number): Promise<boolean>;
  close(): Promise<void>;
}
