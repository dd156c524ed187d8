/** The filter of a stream, and what it costs when thousands read the same topic. */
import { expect, test } from "bun:test";
import { Entry } from "../../src/messages/events/batch.ts";
import { matching } from "../../src/messages/events/filter.ts";
import type { Message } from "../../src/messages/message.ts";
import type { NamespaceId } from "../../src/keys/namespace.ts";
import type { Topic, TopicId } from "../../src/topics/topic.ts";

const topic: Topic = {
  ...{ id: 1 as TopicId, namespaceId: 1 as NamespaceId, namespace: "home", name: "nas", key: "nas-x" },
  ...{ lastId: 1, prunedTo: 0, createdAt: 0 },
};

test("a message is parsed once, however many readers filter by a tag", () => {
  let parsed = 0;
  const message: Message = {
    ...{ id: 1, seq: 1, createdAt: 0, level: "error", priority: "normal" },
    get json() {
      parsed++;
      return '{"message":"disk","tags":["nas"]}';
    },
  };
  const entry = new Entry(0, { id: 1, epoch: "0" }, topic, message);
  const readers = Array.from({ length: 100 }, (_, i) => matching({ tag: i % 2 === 0 ? "nas" : "other" }));
  expect(readers.filter((wants) => wants?.(entry) === true)).toHaveLength(50);
  expect(matching({ levels: ["info"], tag: "nas" })?.(entry)).toBe(false);
  expect(parsed).toBe(1);
});
