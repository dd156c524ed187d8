/** In-memory topic bus: tells the committed to whoever listens. Holds no history, knows no store and no HTTP. */
import type { NamespaceId } from "../keys/namespace.ts";
import type { Committed } from "../store/store.ts";
import type { TopicId } from "../topics/topic.ts";

export type Listener = (event: Committed) => void;

export interface Bus {
  /** Hears the messages of one topic and its `gone`. Returns the function that ends it. */
  onTopic(topic: TopicId, listener: Listener): () => void;
  /** Hears the messages of all topics of a namespace. */
  onNamespace(namespace: NamespaceId, listener: Listener): () => void;
  /** Hears everything. */
  onAll(listener: Listener): () => void;
  /** Announces a commit, in its order. */
  announce(events: readonly Committed[]): void;
}
