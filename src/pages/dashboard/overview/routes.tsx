/** @jsxImportSource #jsx */
/** The start of the dashboard, and what is done to messages wherever a page shows them. */
import { Elysia } from "elysia";
import { actOn } from "../../../checks/act.ts";
import type { Deps } from "../../../deps.ts";
import { setCookie } from "../../../http/cookie.ts";
import { queryOf } from "../../../http/query.ts";
import { canAcknowledge, draftOf } from "../../../messages/message.ts";
import type { Topic } from "../../../topics/topic.ts";
import { checkOf } from "../../feed/opened.ts";
import { pages, seeOther } from "../../respond.ts";
import { viewOf } from "../../view.ts";
import { atDesk, onDesk, type Desk, type Done, UNREAD } from "../desk.ts";
import { seenTopic } from "../seen-topic.ts";
import { openHints } from "./events.ts";
import { gather } from "./gather.ts";
import { OverviewPage } from "./page.tsx";

type OverviewDeps = Pick<Deps, "config" | "store" | "clock" | "log" | "answers" | "streams" | "bus" | "delivery">;
type InTopic = "key" | "id";

const YEAR_SECONDS = 31_536_000;

export const overviewRoutes = (deps: OverviewDeps) => {
  const { store } = deps;
  const page = onDesk(deps, async (desk, { request }) => {
    return <OverviewPage desk={desk} overview={await gather(deps, desk, isBegun(request))} />;
  });

  return new Elysia()
    .use(pages)
    .get("/", ({ request }) => seeOther(`${viewOf(deps, request).base}/-/`))
    .get("/-", ({ request }) => seeOther(`${viewOf(deps, request).base}/-/`))
    .get("/-/", async (handling) =>
      store.setup.state().claimed ? page(handling) : seeOther(`${viewOf(deps, handling.request).base}/-/setup`),
    )
    .get("/-/events", async ({ request }) => openHints(deps, request))
    .post(
      "/-/started",
      // for this browser alone
      atDesk(deps, async ({ view: { base, url } }) => {
        const kept = { path: `${base}/-/`, life: YEAR_SECONDS, isSecure: url.startsWith("https:") };
        return { to: "/-/", cookie: setCookie("started", "hidden", kept) };
      }),
      UNREAD,
    )
    .post(
      "/-/messages/:key/:id/delete",
      atDesk<InTopic>(deps, async (desk, _, { params }) => {
        const { topic, id } = (await topicOf(deps, desk, params)) ?? {};
        if (topic === undefined || id === undefined || !(await store.messages.discard(topic.id, id))) return undefined;
        const flash = { say: "desk.messageDeleted", values: [id], undo: { topic: topic.key, id } } as const;
        return { to: `/-/topics/${topic.key}`, flash };
      }),
      UNREAD,
    )
    .post(
      "/-/messages/:key/:id/undo",
      atDesk<InTopic>(deps, async (desk, _, { params }) => {
        const { topic, id } = (await topicOf(deps, desk, params)) ?? {};
        if (topic === undefined || id === undefined) return undefined;
        const isBack = await store.messages.restore(topic.id, id);
        return {
          to: `/-/topics/${topic.key}`,
          flash: isBack
            ? { say: "desk.messageBack", values: [id] }
            : { say: "desk.messageGone", values: [id], tone: "warning" },
        };
      }),
      UNREAD,
    )
    .post(
      "/-/messages/:key/:id/acknowledge",
      atDesk<InTopic>(deps, async (desk, _, { request, params }): Promise<Done | undefined> => {
        const { topic, id } = (await topicOf(deps, desk, params)) ?? {};
        const message = topic && id !== undefined ? await store.messages.find(topic.id, id) : undefined;
        if (topic === undefined || message === undefined || !canAcknowledge(draftOf(message))) return undefined;
        const by = desk.visitor.person.name;
        await store.deliveries.acknowledge(topic.id, message, by);
        const check = await checkOf(store, draftOf(message));
        if (check?.namespaceId === topic.namespaceId) await actOn(deps, check, { kind: "ack", by });
        const to = queryOf(request).get("from") === "topic" ? `/-/topics/${topic.key}` : "/-/";
        return { to, flash: { say: "desk.acknowledged", values: [message.id] } };
      }),
      UNREAD,
    );
};

const isBegun = ({ headers }: Request): boolean => /(?:^|;\s*)started=hidden(?:;|$)/.test(headers.get("cookie") ?? "");

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
