/** The part of the port that is one list of everything: messages of all topics of some namespaces. */
import type { Message } from "../messages/message.ts";
import type { Topic } from "../topics/topic.ts";
import type { Millis } from "../util/clock.ts";
import type { MessageFilter } from "./store.ts";

export interface ListQuery extends MessageFilter {
  /** 1–200. */
  limit: number;
  /** Of the stored JSON, where a page ends before its `limit`; the first message always comes. Absent: no limit. */
  bytes?: number;
  /** Only messages with a `seq` less than it: that is given once, so that no page repeats a message or leaves one out. */
  before?: number;
  /** Words that must all occur in title or text, any case. */
  q?: string;
}

/** A message of any topic. */
export interface Placed {
  topic: Topic;
  message: Message;
}

export interface MessageList {
  messages: Placed[];
  /** There may be more: pass it as `before` for the next page. */
  nextBefore?: number;
  /** It ran out of time before the page was full, and has looked at all that came since then. */
  lookedTo?: Millis;
}
