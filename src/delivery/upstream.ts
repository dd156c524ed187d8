/**
 * Which topics the iPhone app of ntfy reads (NTFY.md §3): a built-in forward follows those that were polled within 30 days, and
 * tells PEAL_NTFY_UPSTREAM of their messages by the outbox of all pushes.
 */
import type { Config } from "../config/config.ts";
import type { Deps } from "../deps.ts";
import { type Forwarding, OF_SERVER } from "../devices/device.ts";
import type { TopicId } from "../topics/topic.ts";
import { DAY, SECOND } from "../util/clock.ts";
import { deviceId } from "../util/ids.ts";
import { upstream } from "./forwards/upstream.ts";
import { laneOfForward } from "./push/plan.ts";

export interface Upstream {
  /** A client of ntfy's polled the topic: messages that come from now on are told. */
  polled(topicId: TopicId): void;
  start(): void;
  /** Resolves once it is written what was polled last. */
  stop(): Promise<void>;
}

const KEPT_MS = 30 * DAY;
/** A topic is noted once in this time. */
const EACH_MS = DAY / 2;
/** Polls of several topics are written together. */
const GATHER_MS = SECOND;

export function createUpstream({
  config,
  store,
  clock,
  log,
}: Pick<Deps, "config" | "store" | "clock" | "log">): Upstream {
  const forward = forwardOf(config);
  /** When each was noted, monotonic. */
  const noted = new Map<TopicId, number>();
  let waiting = new Set<TopicId>();
  let cancelWrite = () => {};
  let cancelTidy = () => {};

  const failed = (topics: Iterable<TopicId>) => (error: unknown) => {
    for (const topic of topics) noted.delete(topic); // the next poll notes it again
    log.warn("who reads with ntfy's app is not noted", { error });
  };
  async function write(to: Wanted): Promise<void> {
    const topics = [...waiting];
    waiting = new Set();
    await store.forwards.follow({ id: deviceId(), ...to }, topics).catch(failed(topics));
  }
  /** Once a day, so that a topic that nobody reads any more is let go. */
  function tidy(): void {
    for (const [topic, at] of noted) if (at < clock.monotonic() - EACH_MS) noted.delete(topic);
    store.forwards.leave(forward === undefined ? Infinity : clock.now() - KEPT_MS).catch(failed([]));
    cancelTidy = clock.after(DAY, tidy);
  }
  return {
    polled: (topicId) => {
      const now = clock.monotonic();
      if (forward === undefined || now - (noted.get(topicId) ?? -Infinity) < EACH_MS) return;
      noted.set(topicId, now);
      if (waiting.size === 0) cancelWrite = clock.after(GATHER_MS, () => void write(forward));
      waiting.add(topicId);
    },
    start: () => {
      if (forward === undefined && config.push.ntfyUpstream !== undefined)
        log.warn("iPhones with ntfy's app are not woken: PEAL_NTFY_UPSTREAM needs PEAL_BASE_URL");
      if (forward !== undefined) void write(forward); // the settings may be others than before
      tidy();
    },
    stop: async () => {
      cancelWrite();
      cancelTidy();
      if (forward !== undefined && waiting.size > 0) await write(forward);
    },
  };
}

type Wanted = NonNullable<ReturnType<typeof forwardOf>>;

/** Undefined: no server is set, or the app could not know this one, because it hashes the address that people entered. */
function forwardOf({ baseUrl: base, push: { ntfyUpstream: server } }: Config) {
  if (base === undefined || server === undefined) return undefined;
  const forward: Forwarding = {
    ...{ namespaceId: OF_SERVER, kind: upstream.name, host: new URL(server).host, account: "0" },
    ...{ settings: { server }, secrets: [] },
  };
  return { base, forward, lane: laneOfForward(forward) };
}
