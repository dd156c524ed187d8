/** The part of the port for the overview: what is wrong, and what came last. */
import type { Check, CheckState } from "../checks/check.ts";
import type { Delivery } from "../delivery/delivery.ts";
import type { NamespaceId } from "../keys/namespace.ts";
import type { TopicId } from "../topics/topic.ts";
import type { Millis } from "../util/clock.ts";
import type { Placed } from "./messages.ts";

export interface Trouble extends Failed {
  /** Checks that are down and that nobody is on. */
  down: number;
}

export interface Failed {
  /** Pushes that no push service accepted. */
  failed: number;
  /** There are more than were counted. */
  isMore: boolean;
}

/** The latest message that did not reach a device. */
export interface Failure extends Placed {
  delivery: Delivery;
}

/** Somebody acknowledged it. `by`: their name at that time; absent: anybody with the link. */
export interface Taken {
  at: Millis;
  by?: string;
}

/** A message that somebody should act on, or is acting on (`taken`). */
export interface OpenMessage extends Placed {
  taken?: Taken;
}

/** One topic, or namespaces: then without the alerts of checks, which are listed as checks, unless `checks` are asked for. */
export type OpenScope = { topic: TopicId } | { namespaces: readonly NamespaceId[]; checks?: true };

export interface Open {
  /** Urgent messages that nobody has acknowledged. */
  asking: OpenMessage[];
  /** Alerts that fire, without those in `asking`. */
  firing: OpenMessage[];
  taken: OpenMessage[];
}

export interface OverviewStore {
  /** `failedSince`: failures of older messages do not count any more. */
  trouble(namespaces: readonly NamespaceId[], failedSince: Millis): Promise<Trouble>;
  /** How many checks there are, by state. */
  checks(namespaces: readonly NamespaceId[]): Promise<Readonly<Record<CheckState, number>>>;
  /** Some of the checks that are down, by name: those that somebody is on (`isTaken`), or the others. */
  down(namespaces: readonly NamespaceId[], limit: number, isTaken?: boolean): Promise<Check[]>;
  /** Pushes of messages since then that failed, only the latest of each device, the latest first. */
  failures(namespaces: readonly NamespaceId[], since: Millis, limit: number): Promise<Failed & { latest: Failure[] }>;
  /** Messages of live topics, the newest first. */
  latest(namespaces: readonly NamespaceId[], limit: number): Promise<Placed[]>;
  /**
   * What is open, at most `limit` of each kind, the newest first; of an alert its newest message, which counts as taken if the
   * alert fires on since somebody took it. Looks for urgent messages since `asksSince` and alerts since `firesSince`, and of each
   * at the newest 500.
   */
  open(of: OpenScope, options: { asksSince: Millis; firesSince: Millis; limit: number }): Promise<Open>;
  /** Whether a device follows one of their topics. */
  hasDevice(namespaces: readonly NamespaceId[]): Promise<boolean>;
}
