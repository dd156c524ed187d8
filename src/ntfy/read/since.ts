/** From where on a reader wants messages: `since` as ntfy has it, and the place in our feeds that it means (NTFY.md §6). */
import { problem } from "../../http/problem.ts";
import type { Store } from "../../store/store.ts";
import type { Topic } from "../../topics/topic.ts";
import { SECOND, type Millis } from "../../util/clock.ts";
import { parseDuration } from "../../util/time.ts";
import { dayOfNotice, isId, named } from "../id.ts";

/** `latest`: the newest message of each topic, then what comes. `recent`: what an app gets for `all`. */
export type Since = "all" | "recent" | "none" | "latest" | { id: string } | { at: Millis };

/** ntfy's apps, by their User-Agent (HttpUtil.kt, ApiService.swift). */
const APP = /^ntfy\/\S+ \(.*\b(?:Android|iOS)\b/;
/**
 * How many messages of a topic a phone gets that begins to follow it. It reads all in one piece, within a minute or half of one, and is
 * made for what ntfy keeps, which is 12 hours; ninety days of a busy topic would be too much for it.
 */
const MOST_FOR_APP = 1_000;

const UNIX_TIME = /^\d{1,15}$/;
/** With more digits it is in milliseconds: in seconds, it would be after the year 2286. */
const MOST_SECONDS = 10;

interface Asking {
  isPoll: boolean;
  userAgent: string;
  now: Millis;
}

/** `text`: empty if it is not given. @throws Problem 400 `invalid_since` */
export function sinceOf(text: string, { isPoll, userAgent, now }: Asking): Since {
  const given = text === "" ? (isPoll ? "all" : "none") : text;
  if (given === "all") return APP.test(userAgent) ? "recent" : "all";
  if (given === "none" || given === "latest") return given;
  const noticed = dayOfNotice(text);
  if (noticed !== undefined) return { at: noticed };
  if (isId(text)) return { id: text };
  if (UNIX_TIME.test(text)) return { at: Number(text) * (text.length > MOST_SECONDS ? 1 : SECOND) };
  const seconds = parseDuration(text);
  if (seconds === undefined)
    throw problem.invalidParameter(
      "since",
      "`since` takes `all`, `none`, `latest`, the id of a message, a unix time, or a duration like `10m`.",
    );
  return { at: now - seconds * SECOND };
}

type Stores = Pick<Store, "messages" | "epochs">;

/** The id in the feed of one topic that a reader resumes after; undefined: only what comes from now on. */
export async function placeInTopic(store: Stores, topic: Topic, since: Since): Promise<number | undefined> {
  const { messages } = store;
  if (since === "all") return 0;
  if (since === "recent") return Math.max(0, topic.lastId - MOST_FOR_APP);
  if (since === "none") return undefined;
  if (since === "latest") return ((await messages.nearest(topic.id, topic.lastId))?.id ?? 1) - 1;
  if ("at" in since) return (await messages.firstAt(topic.id, since.at)) - 1;
  const seq = await seqOfId(store, since.id);
  return seq === undefined ? 0 : messages.idUpTo(topic.id, seq);
}

/** The `seq` that a reader of several topics resumes after; undefined: only what comes from now on. */
export async function placeInTopics(
  store: Stores,
  topics: readonly Topic[],
  since: Since,
): Promise<number | undefined> {
  const { messages } = store;
  if (since === "all" || since === "recent") return 0;
  if (since === "none") return undefined;
  const lastSeq = await messages.lastSeq();
  if (since === "latest") return lastSeq;
  if ("id" in since) return (await seqOfId(store, since.id)) ?? 0;
  const first = await Promise.all(topics.map(async ({ id }) => firstSeqAt(messages, id, since.at)));
  return Math.min(lastSeq, ...first.map((seq) => seq - 1));
}

/** The `seq` of a topic's first message that was stored at a time or later; infinity: there is none. */
async function firstSeqAt(messages: Stores["messages"], topicId: Topic["id"], at: Millis): Promise<number> {
  const first = await messages.firstAt(topicId, at);
  const { messages: found } = await messages.page(topicId, { since: first - 1, limit: 1 });
  return found[0]?.seq ?? Infinity;
}

/**
 * The place of a message in commit order: that of the one before it in its topic, if it is gone. Undefined: the id is none of ours,
 * or of a past that a restore took back.
 */
async function seqOfId({ messages, epochs }: Stores, id: string): Promise<number | undefined> {
  const known = named(id);
  if (known === undefined) return undefined;
  const { topicId, messageId } = known;
  const before = await messages.nearest(topicId, messageId);
  if (before === undefined) return undefined;
  if (known.isOf(epochs.of(before.seq))) return before.seq;
  // if it is gone, it was stored after that one, perhaps as late as the next
  const { messages: after } = await messages.page(topicId, { since: messageId, limit: 1 });
  return known.isOf(epochs.of(after[0]?.seq ?? (await messages.lastSeq()))) ? before.seq : undefined;
}
