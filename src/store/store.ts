/**
 * The store as the rooms see it: coarse methods in the words of the domain, each one transaction (ARCHITECTURE.md §4).
 * A method that writes resolves once its transaction is on disk. What the caller must handle is in the return type; a
 * store that cannot commit rejects with `StoreUnavailable`, and then nothing was stored.
 */
import type { AlertKind } from "../checks/check.ts";
import type { NamespaceId } from "../keys/namespace.ts";
import type { Message } from "../messages/message.ts";
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
import type { HookStore } from "./hooks.ts";
import type { IntakeStore } from "./intake.ts";
import type { KeyStore, NamespaceStore } from "./keys.ts";
import type { MessageStore } from "./messages.ts";
import type { OverviewStore } from "./overview.ts";
import type { ScheduledStore } from "./scheduled.ts";
import type { SetupStore } from "./setup.ts";
import type { TopicStore } from "./topics.ts";

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
