/** The part of the port that the overview is made of: what is wrong, and what came last. */
import type { Check, CheckState } from "../checks/check.ts";
import type { Delivery } from "../delivery/delivery.ts";
import type { NamespaceId } from "../keys/namespace.ts";
import type { TopicId } from "../topics/topic.ts";
import type { Millis } from "../util/clock.ts";
import type { Placed } from "./messages.ts";

export interface Trouble extends Failed {
  /** Checks that are down and nobody has taken. */
  down: number;
}

export interface Failed {
  /** Pushes that no push service took. */
  failed: number;
  /** So many were counted, and no more. */
  isMore: boolean;
}

/** The latest message that did not reach a device. */
export interface Failure extends Placed {
  delivery: Delivery;
}

/** Somebody acknowledged it. `by`: their name as it was then; absent: whoever had the link. */
export interface Taken {
  at: Millis;
  by?: string;
}

/** A message that somebody should act on, or acts on already (`taken`). */
export interface OpenMessage extends Placed {
  taken?: Taken;
}

/** Of one topic, or of namespaces: then without the alerts of checks, which are listed themselves, unless `checks` are asked for. */
export type OpenScope = { topic: TopicId } | { namespaces: readonly NamespaceId[]; checks?: true };

export interface Open {
  /** Urgent, and nobody has acknowledged it. */
  asking: OpenMessage[];
  /** Alerts that fire, without those that ask. */
  firing: OpenMessage[];
  taken: OpenMessage[];
}

export interface OverviewStore {
  /** `failedSince`: what became of older messages is no trouble any more. */
  trouble(namespaces: readonly NamespaceId[], failedSince: Millis): Promise<Trouble>;
  /** How many checks there are, by state. */
  checks(namespaces: readonly NamespaceId[]): Promise<Readonly<Record<CheckState, number>>>;
  /** Some of those that are down, by name: those that somebody has taken (`isTaken`), or the others. */
  down(namespaces: readonly NamespaceId[], limit: number, isTaken?: boolean): Promise<Check[]>;
  /** Pushes of messages since then that failed, and of each device the latest of them, the latest first. */
  failures(namespaces: readonly NamespaceId[], since: Millis, limit: number): Promise<Failed & { latest: Failure[] }>;
  /** Messages of live topics, the newest first. */
  latest(namespaces: readonly NamespaceId[], limit: number): Promise<Placed[]>;
  /**
   * What is open, of each kind at most `limit`, the newest first; of an alert its newest message, of which one counts as taken
   * that fires on since somebody took it. Urgent messages are looked for since `asksSince`, alerts since `firesSince`, and of
   * each the newest 500.
   */
  open(of: OpenScope, options: { asksSince: Millis; firesSince: Millis; limit: number }): Promise<Open>;
  /** A device has subscribed to one of their topics. */
  hasDevice(namespaces: readonly NamespaceId[]): Promise<boolean>;
}
