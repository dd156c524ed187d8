/** In which order the bus announces a commit (bus.ts). */
import { expect, test } from "bun:test";
import { createBus } from "../../src/bus/memory.ts";
import type { NamespaceId } from "../../src/keys/namespace.ts";
import type { Committed } from "../../src/store/store.ts";
import type { TopicId } from "../../src/topics/topic.ts";

const TOPIC = 1 as TopicId;
const NAMESPACE = 1 as NamespaceId;
const message = (id: number): Committed => ({
  ...{ kind: "message", source: "api" },
  topic: { id: TOPIC, namespaceId: NAMESPACE, namespace: "home", key: "x", name: "x", prunedTo: 0, createdAt: 0 },
  message: { id, seq: id, createdAt: 0, level: "info", priority: "normal", json: "{}" },
});

test("who listens to everything hears a commit at once, and before its messages reach a topic or a namespace", () => {
  const bus = createBus();
  const heard: string[] = [];
  const said = (event: Committed) => (event.kind === "message" ? event.message.id : event.kind);
  bus.onTopic(TOPIC, (event) => heard.push(`topic: ${said(event)}`));
  bus.onNamespace(NAMESPACE, (event) => heard.push(`namespace: ${said(event)}`));
  const stop = bus.onAll((events) => heard.push(`all: ${events.map(said).join()}`));
  bus.announce([message(1), { kind: "revoked", keyId: "k" }, message(2)]);
  const each = ["topic: 1", "namespace: 1", "topic: 2", "namespace: 2"];
  expect(heard).toEqual(["all: 1,revoked,2", ...each]);
  stop();
  heard.length = 0;
  bus.announce([message(1), message(2)]);
  expect(heard).toEqual(each);
});
