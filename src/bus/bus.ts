/** The in-memory topic bus: it tells listeners what was committed. It keeps no history, and knows no store and no HTTP. */
import type { NamespaceId } from "../keys/namespace.ts";
import type { Committed } from "../store/store.ts";
import type { TopicId } from "../topics/topic.ts";

export type Listener = (event: Committed) => void;

export interface Bus {
  /** Listens to the messages of one topic and to its `gone`. Returns the function that ends it. */
  onTopic(topic: TopicId, listener: Listener): () => void;
  /** Listens to the messages of all topics of a namespace. */
  onNamespace(namespace: NamespaceId, listener: Listener): () => void;
  /** Listens to everything, a commit at a time, before those who listen to one topic or namespace. */
  onAll(listener: (events: readonly Committed[]) => void): () => void;
  /** Announces the events of a commit, in their order. */
  announce(events: readonly Committed[]): void;
}
