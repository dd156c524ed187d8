/** The bus of one process: it calls its listeners in the order of the commits and keeps nothing. */
import type { Committed } from "../store/store.ts";
import type { Bus, Listener } from "./bus.ts";

const NOBODY: ReadonlySet<Listener> = new Set();

export function createBus(): Bus {
  const topics = new Map<number, Set<Listener>>();
  const namespaces = new Map<number, Set<Listener>>();
  const all = new Set<(events: readonly Committed[]) => void>();
  return {
    onTopic: (topic, listener) => listen(topics, topic, listener),
    onNamespace: (namespace, listener) => listen(namespaces, namespace, listener),
    onAll: (listener) => {
      all.add(listener);
      return () => void all.delete(listener);
    },
    announce: (events) => {
      for (const listener of all) call(listener, events);
      for (const event of events) {
        if (event.kind !== "message" && event.kind !== "gone") continue;
        for (const listener of topics.get(event.kind === "message" ? event.topic.id : event.topicId) ?? NOBODY)
          call(listener, event);
        if (event.kind === "gone") continue; // a namespace stays
        for (const listener of namespaces.get(event.topic.namespaceId) ?? NOBODY) call(listener, event);
      }
    },
  };
}

function listen(table: Map<number, Set<Listener>>, key: number, listener: Listener): () => void {
  const listeners = table.get(key) ?? new Set();
  table.set(key, listeners.add(listener));
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0 && table.get(key) === listeners) table.delete(key);
  };
}

/** A listener that throws fails neither the commit that is being announced nor other listeners: the process reports its error. */
function call<T>(listener: (heard: T) => void, heard: T): void {
  try {
    listener(heard);
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
