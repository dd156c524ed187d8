/** @jsxImportSource #jsx */
/** Messages on the dashboard: the list of all, and what is done to one wherever a page shows it. */
import { actOn } from "../../../checks/act.ts";
import type { OwnerEvent } from "../../../checks/check.ts";
import type { Deps } from "../../../deps.ts";
import { queryOf } from "../../../http/query.ts";
import { draftOf, type Message } from "../../../messages/message.ts";
import { canAcknowledge } from "../../../drafts/draft.ts";
import type { Topic } from "../../../topics/topic.ts";
import { checkOf } from "../../feed/opened.ts";
import { DeskRoutes } from "../desk.ts";
import { seenTopic } from "../seen-topic.ts";
import { topicPath } from "../topics/glance.ts";
import { backFrom, LIST } from "./back.ts";
import { listed } from "./gather.ts";
import { MessagesPage } from "./page.tsx";

type MessageDeps = Pick<Deps, "config" | "store" | "clock" | "log" | "answers" | "bus" | "rendering">;

export const messagePageRoutes = (deps: MessageDeps) => [...collection(deps), ...one(deps)];

const collection = (deps: MessageDeps) =>
  new DeskRoutes(deps).page(LIST, "signed in", async ({ desk, request }) =>
    deps.rendering(request, async (mapInTurns) => (
      <MessagesPage desk={desk} listed={await listed({ ...deps, mapInTurns }, desk, request)} />
    )),
  ).routes;

/** A message of a topic that the visitor may see. */
const one = (deps: MessageDeps) => {
  const { store } = deps;
  /** The check that the message is about, if it is in the same namespace. */
  const ackCheck = async (topic: Topic, message: Message, event: OwnerEvent) => {
    const check = await checkOf(store, draftOf(message));
    if (check?.namespaceId === topic.namespaceId) await actOn(deps, check, event);
  };
  return new DeskRoutes(deps, `${LIST}/:key/:id`, async ({ desk, params: { key, id } }) => {
    const topic = await seenTopic(deps, desk, key);
    return topic && /^[1-9]\d{0,14}$/.test(id) ? { topic, id: Number(id) } : undefined;
  })
    .form("/delete", "signed in", async ({ topic, id, request }) => {
      if (!(await store.messages.discard(topic.id, id))) return undefined;
      const undo = { topic: topic.key, id, of: "delete" } as const;
      return { to: backFrom(request) ?? topicPath(topic), flash: { say: "desk.messageDeleted", values: [id], undo } };
    })
    .form("/undo-delete", "signed in", async ({ topic, id, request }) => {
      const isBack = await store.messages.restore(topic.id, id);
      const say = isBack ? "desk.messageBack" : "desk.messageGone";
      return { to: backFrom(request) ?? topicPath(topic), flash: { say, values: [id], ...(!isBack && WARNING) } };
    })
    .form("/acknowledge", "signed in", async ({ desk, topic, id, request }) => {
      const message = await store.messages.find(topic.id, id);
      if (message === undefined || !canAcknowledge(draftOf(message))) return undefined;
      const by = desk.visitor.person.name;
      await store.deliveries.acknowledge(topic.id, message, by);
      await ackCheck(topic, message, { kind: "ack", by });
      const to = queryOf(request).get("from") === "topic" ? topicPath(topic) : (backFrom(request) ?? "/-/");
      const undo = { topic: topic.key, id, of: "acknowledge" } as const;
      return { to, flash: { say: "desk.acknowledged", values: [id], undo } };
    })
    .form("/undo-acknowledge", "signed in", async ({ desk, topic, id, request }) => {
      const message = await store.messages.find(topic.id, id);
      if (message === undefined) return undefined;
      const isBack = await store.deliveries.unacknowledge(topic.id, message);
      if (isBack) await ackCheck(topic, message, { kind: "unack", by: desk.visitor.person.name });
      const say = isBack ? "desk.unacknowledged" : "desk.stillAcknowledged";
      return { to: backFrom(request) ?? topicPath(topic), flash: { say, values: [id], ...(!isBack && WARNING) } };
    }).routes;
};
const WARNING = { tone: "warning" } as const;
