/** The part of the port for forwards: devices of a namespace, which hand messages on (DELIVERY.md §11). */
import type { Lane } from "../delivery/delivery.ts";
import type { Device, Forwarding } from "../devices/device.ts";
import type { NamespaceId } from "../keys/namespace.ts";
import type { Topic, TopicId } from "../topics/topic.ts";
import type { Millis } from "../util/clock.ts";
import type { Registered } from "./devices.ts";

/** A topic of the forward's namespace. */
export type TopicNamed = { name: string } | { key: string };

interface NewForward extends Pick<Device, "id" | "name" | "locale" | "quietHours" | "minPriority" | "base"> {
  forward: Forwarding;
  topics: readonly TopicNamed[];
}

/** What a change leaves; a field that is absent has no value any more. */
type ChangedForward = Pick<Device, "name" | "quietHours" | "minPriority"> & { forward: Forwarding; lane: Lane };

export interface ForwardStore {
  /** An unknown topic refuses all of it. `unknown`: their indices in `topics`. `gone`: the namespace was deleted. */
  create(
    forward: NewForward,
  ): Promise<
    | ({ kind: "made" } & Registered)
    | { kind: "unknown_topics"; unknown: number[] }
    | { kind: "gone" | "too_many_forwards" | "topic_full" | "namespace_full" | "too_many_subscriptions" }
  >;
  /** A topic that its forwards may follow. */
  topicNamed(namespaceId: NamespaceId, named: TopicNamed): Promise<Pick<Topic, "key"> | undefined>;
  /** In the order in which they were made. */
  list(namespaceId: NamespaceId): Promise<Registered[]>;
  /**
   * Has the built-in forward follow these topics, or notes that it still does, and brings it up to date; it is made with its first
   * topic.
   */
  follow(
    forward: Pick<NewForward, "id" | "base" | "forward"> & { lane: Lane },
    topics: readonly TopicId[],
  ): Promise<void>;
  /** Has it leave the topics that it was last told to follow before; `Infinity`: all, and it is removed. */
  leave(before: Millis): Promise<void>;
  /** The namespaces whose topics it follows. */
  followed(): Promise<NamespaceId[]>;
  /** By its ref (devices/ref.ts). */
  find(namespaceId: NamespaceId, ref: string): Promise<Registered | undefined>;
  /**
   * `change`: pure. What waits for it goes to the new lane. A change of what is asked begins anew: its last error is forgotten.
   * Undefined: it is gone.
   */
  change(
    namespaceId: NamespaceId,
    ref: string,
    change: (before: Device & { forward: Forwarding }) => ChangedForward,
  ): Promise<Registered | undefined>;
}
