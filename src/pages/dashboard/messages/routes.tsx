/** @jsxImportSource #jsx */
/** Messages on the dashboard: the list of all, and what is done to one wherever a page shows it. */
import { Elysia } from "elysia";
import { actOn } from "../../../checks/act.ts";
import type { Deps } from "../../../deps.ts";
import { queryOf } from "../../../http/query.ts";
import { draftOf } from "../../../messages/message.ts";
import { canAcknowledge } from "../../../drafts/draft.ts";
import type { Topic } from "../../../topics/topic.ts";
import { checkOf } from "../../feed/opened.ts";
import { pages } from "../../respond.ts";
import { atDesk, onDesk, type Done, UNREAD } from "../desk.ts";
import type { Desk } from "../signed-in.ts";
import { seenTopic } from "../seen-topic.ts";
import { topicPath } from "../topics/glance.ts";
import { backFrom, LIST } from "./back.ts";
import { listed } from "./gather.ts";
import { MessagesPage } from "./page.tsx";

type MessageDeps = Pick<Deps, "config" | "store" | "clock" | "log" | "answers" | "bus" | "rendering">;
type InTopic = "key" | "id";

export const messagePageRoutes = (deps: MessageDeps) => {
  const { store } = deps;
  return new Elysia()
    .use(pages)
    .get(
      LIST,
      onDesk(deps, "signed in", async (desk, { request }) =>
        deps.rendering(request, async (mapInTurns) => (
          <MessagesPage desk={desk} listed={await listed({ ...deps, mapInTurns }, desk, request)} />
        )),
      ),
    )
    .post(
      `${LIST}/:key/:id/delete`,
      atDesk<InTopic>(deps, "signed in", async (desk, _, { request, params }) => {
        const { topic, id } = (await topicOf(deps, desk, params)) ?? {};
        if (topic === undefined || id === undefined || !(await store.messages.discard(topic.id, id))) return undefined;
        const flash = {
          say: "desk.messageDeleted",
          values: [id],
          undo: { topic: topic.key, id, of: "delete" },
        } as const;
        return { to: backFrom(request) ?? topicPath(topic), flash };
      }),
      UNREAD,
    )
    .post(
      `${LIST}/:key/:id/undo-delete`,
      atDesk<InTopic>(deps, "signed in", async (desk, _, { request, params }) => {
        const { topic, id } = (await topicOf(deps, desk, params)) ?? {};
        if (topic === undefined || id === undefined) return undefined;
        const isBack = await store.messages.restore(topic.id, id);
        return {
          to: backFrom(request) ?? topicPath(topic),
          flash: isBack
            ? { say: "desk.messageBack", values: [id] }
            : { say: "desk.messageGone", values: [id], tone: "warning" },
        };
      }),
      UNREAD,
    )
    .post(
      `${LIST}/:key/:id/acknowledge`,
      atDesk<InTopic>(deps, "signed in", async (desk, _, { request, params }): Promise<Done | undefined> => {
        const { topic, id } = (await topicOf(deps, desk, params)) ?? {};
        const message = topic && id !== undefined ? await store.messages.find(topic.id, id) : undefined;
        if (topic === undefined || message === undefined || !canAcknowledge(draftOf(message))) return undefined;
        const by = desk.visitor.person.name;
        await store.deliveries.acknowledge(topic.id, message, by);
        const check = await checkOf(store, draftOf(message));
        if (check?.namespaceId === topic.namespaceId) await actOn(deps, check, { kind: "ack", by });
        const to = queryOf(request).get("from") === "topic" ? topicPath(topic) : (backFrom(request) ?? "/-/");
        const undo = { topic: topic.key, id: message.id, of: "acknowledge" } as const;
        return { to, flash: { say: "desk.acknowledged", values: [message.id], undo } };
      }),
      UNREAD,
    )
    .post(
      `${LIST}/:key/:id/undo-acknowledge`,
      atDesk<InTopic>(deps, "signed in", async (desk, _, { request, params }): Promise<Done | undefined> => {
        const { topic, id } = (await topicOf(deps, desk, params)) ?? {};
        const message = topic && id !== undefined ? await store.messages.find(topic.id, id) : undefined;
        if (topic === undefined || message === undefined) return undefined;
        const isBack = await store.deliveries.unacknowledge(topic.id, message);
        const check = isBack ? await checkOf(store, draftOf(message)) : undefined;
        if (check?.namespaceId === topic.namespaceId)
          await actOn(deps, check, { kind: "unack", by: desk.visitor.person.name });
        return {
          to: backFrom(request) ?? topicPath(topic),
          flash: isBack
            ? { say: "desk.unacknowledged", values: [message.id] }
            : { say: "desk.stillAcknowledged", values: [message.id], tone: "warning" },
        };
      }),
      UNREAD,
    );
};

/** A topic that the visitor may see, and the number of a message in it. */
async function topicOf(
  deps: Pick<Deps, "store">,
  desk: Desk,
  { key, id }: Record<InTopic, string>,
): Promise<{ topic: Topic; id: number } | undefined> {
  const topic = await seenTopic(deps, desk, key);
  if (topic === undefined || !/^[1-9]\d{0,14}$/.test(id)) return undefined;
  return { topic, id: Number(id) };
}
