/** What the conformance suite needs from an engine, and builders for its cases. Nothing here depends on the engine. */
import type { Namespace } from "../../../src/keys/namespace.ts";
import type { Message } from "../../../src/messages/message.ts";
import type { Draft } from "../../../src/drafts/draft.ts";
import type { Committed, Store } from "../../../src/store/store.ts";
import type { Publication } from "../../../src/store/messages.ts";
import type { Topic, TopicOfMessage } from "../../../src/topics/topic.ts";
import type { Clock } from "../../../src/util/clock.ts";
import { heldClock, type HeldClock } from "../../support/clock.ts";

export interface OpenedStore extends AsyncDisposable {
  store: Store;
  /** Closes the store and opens it again on the same data. */
  reopen(): Promise<Store>;
}
export interface Caps {
  topicsPerNamespace?: number;
  scheduledPerNamespace?: number;
  checksPerNamespace?: number;
  devicesPerTopic?: number;
  topicsPerDevice?: number;
  devicesPerNamespace?: number;
  devicesInAll?: number;
  idleDevices?: number;
  forwardsPerNamespace?: number;
}
export type OpenEngine = (options: Caps & { clock: Clock }) => Promise<OpenedStore>;

/** A store with one namespace, a clock that the test moves, and everything that was announced so far. */
export interface Bench extends AsyncDisposable {
  store: Store;
  clock: HeldClock;
  home: Namespace;
  /** What was announced, without the hints for pages. */
  heard: Committed[];
  /** The hints for pages, such as `topic 1`: what changed, and the id of its namespace. */
  hinted: string[];
  reopen(): Promise<Store>;
  /** Publishes to a topic of `home` by name. @throws Error when it was not stored */
  publish(name: string, draft?: Partial<Draft>): Promise<{ topic: TopicOfMessage; message: Message }>;
  /** Publishes this many messages, `m1`, `m2` …; returns their topic as it is after the last. */
  fill(name: string, count: number): Promise<Topic>;
}

export async function bench(open: OpenEngine, options: Caps = {}, clock = heldClock()): Promise<Bench> {
  const opened = await open({ clock, ...options });
  const { store } = opened;
  const heard: Committed[] = [];
  const hinted: string[] = [];
  store.onCommitted((events) => {
    for (const event of events)
      if (event.kind === "hint") hinted.push(`${event.of} ${event.namespaceId ?? "anywhere"}`);
      else heard.push(event);
  });
  const home = await store.namespaces.create("home");
  if (home === "name_taken") throw new Error("the store was not empty");
  const publish: Bench["publish"] = async (name, overrides) => {
    const published = await store.messages.publish({ namespaceId: home.id, to: { name }, draft: draft(overrides) });
    if (published.kind !== "stored") throw new Error(published.kind);
    return published;
  };
  return {
    store,
    clock,
    home,
    heard,
    hinted,
    publish,
    reopen: async () => opened.reopen(),
    fill: async (name, count) => {
      await Promise.all(Array.from({ length: count }, async (_, index) => publish(name, { message: `m${index + 1}` })));
      const filled = await topicNamed(store, home, name);
      if (filled === undefined) throw new Error("nothing to fill with");
      return filled;
    },
    [Symbol.asyncDispose]: async () => opened[Symbol.asyncDispose](),
  };
}

export const draft = (overrides: Partial<Draft> = {}): Draft => ({
  message: "hello",
  level: "info",
  priority: "normal",
  format: "text",
  source: "api",
  ...overrides,
});

/** A publication with an idempotency key. */
export const repeatable = (home: Namespace, key: string, hash: string, name = "backups"): Publication => ({
  namespaceId: home.id,
  to: { name },
  draft: draft({ message: hash }),
  idempotency: { key, hash },
});

/** The topic with exactly this name, if it exists. */
export const topicNamed = async (store: Store, { id }: Namespace, name: string): Promise<Topic | undefined> =>
  (await store.topics.list(id, { archived: false, limit: 1_000 })).find((topic) => topic.name === name);

export const ids = (messages: readonly Message[]): number[] => messages.map(({ id }) => id);
export const range = (from: number, to: number): number[] =>
  Array.from({ length: Math.abs(to - from) + 1 }, (_, index) => (from <= to ? from + index : from - index));
