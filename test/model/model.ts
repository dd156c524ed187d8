/** What peal promises about topics, messages, delayed messages and streams, in few enough lines to check by eye. */

export interface ModelMessage {
  id: number;
  text: string;
}
export interface ModelTopic {
  name: string;
  key: string;
  lastId: number;
  /** Oldest first, without the deleted ones. */
  messages: ModelMessage[];
}
interface Waiting {
  id: string;
  topic: ModelTopic;
  text: string;
  at: number;
}
export interface ModelReader {
  topic: ModelTopic;
  /** What the open stream has to deliver, in order. */
  expected: number[];
  /** The last id that was sent to it over all its connections, from which it resumes. */
  lastSeen: number;
  state: "open" | "dropped" | "gone";
}

export class Model {
  now: number;
  readonly topics = new Map<string, ModelTopic>();
  readonly readers: ModelReader[] = [];
  waiting: Waiting[] = [];

  constructor(now: number) {
    this.now = now;
  }

  append(topic: ModelTopic, text: string): ModelMessage {
    const message = { id: (topic.lastId += 1), text };
    topic.messages.push(message);
    for (const reader of this.readers)
      if (reader.topic === topic && reader.state === "open") reader.expected.push(message.id);
    return message;
  }

  /** Sends delayed messages in the order of their times; equal times in the order in which they were given. */
  advance(ms: number): void {
    this.now += ms;
    const due = this.waiting.filter(({ at }) => at <= this.now).sort((a, b) => a.at - b.at);
    this.waiting = this.waiting.filter(({ at }) => at > this.now);
    for (const { topic, text } of due) this.append(topic, text);
  }

  /** The topic's key stops working, which ends its readers. */
  close(topic: ModelTopic): void {
    for (const reader of this.readers) if (reader.topic === topic) reader.state = "gone";
  }

  remove(topic: ModelTopic): void {
    this.close(topic);
    this.topics.delete(topic.name);
    this.waiting = this.waiting.filter((waiting) => waiting.topic !== topic);
  }

  /** The messages on a page of history: ids after `since` oldest first, otherwise the newest below `before` first. */
  page(topic: ModelTopic, query: { since?: number; before?: number; limit: number }): ModelMessage[] {
    const { since, before = Infinity, limit } = query;
    const below = topic.messages.filter(({ id }) => id < before);
    return since === undefined
      ? below.toReversed().slice(0, limit)
      : below.filter(({ id }) => id > since).slice(0, limit);
  }
}
