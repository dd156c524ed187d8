/** @jsxImportSource #jsx */
/** The screens of the first run that follow the claim, for an admin who is signed in, as often as they like (WEB.md §2). */
import { Elysia } from "elysia";
import type { Deps } from "../deps.ts";
import { testDevice } from "../devices/act.ts";
import { queryOf } from "../http/query.ts";
import { handover } from "../keys/handover.ts";
import { mintKey } from "../keys/mint.ts";
import { requireTaken } from "../messages/publish.ts";
import { atDesk, isVisit, onDesk, UNREAD } from "../pages/dashboard/desk.ts";
import { FlashNote } from "../pages/dashboard/frame/flash-note.tsx";
import { cardsOf } from "../pages/feed/cards.ts";
import { renderCard } from "../pages/feed/page.tsx";
import { pages } from "../pages/respond.ts";
import type { View } from "../pages/view.ts";
import type { Topic } from "../topics/topic.ts";
import { deviceRef } from "../util/ids.ts";
import { tokensOf } from "../tokens/secret.ts";
import { ensureFirstHook, firstHookUrl } from "./first-hook.ts";
import { FirstMessagePage } from "./first-message.tsx";
import { MissingPage } from "./missing.tsx";
import { PhonePage } from "./phone.tsx";

type LaterDeps = Pick<Deps, "config" | "store" | "clock" | "log" | "answers" | "delivery">;

export const laterRoutes = (given: LaterDeps) => {
  const deps = { ...given, tokens: tokensOf(given) };
  const { store } = deps;
  const fresh = handover(deps);
  return new Elysia()
    .use(pages)
    .get(
      "/-/setup/message",
      onDesk(deps, "admin", async (desk, { request }) => {
        const { view, visitor } = desk;
        const topic = await store.setup.first();
        if (topic === undefined) return <MissingPage view={view} />;
        const card = await newestCard(deps, view, topic);
        const made = isVisit(request) ? fresh.take(visitor.person.id, queryOf(request).get("made")) : undefined;
        return (
          <FirstMessagePage
            {...{ view, topic }}
            {...(card && { card })}
            hookUrl={await firstHookUrl(deps, view, topic)}
            {...(made && { made: { secret: made.secret }, view: { ...view, here: undefined } })}
            note={desk.flash && <FlashNote desk={desk} flash={desk.flash} />}
          />
        );
      }),
    )
    .post(
      "/-/setup/topic",
      atDesk(deps, "admin", async () => {
        await store.setup.ensureFirst();
        return { to: "/-/setup/message" };
      }),
      UNREAD,
    )
    .post(
      "/-/setup/message",
      atDesk(deps, "admin, confirmed", async ({ visitor }) => {
        const { namespaceId } = await store.setup.ensureFirst();
        const made = await mintKey(deps, { namespaceId, scope: "publish", name: "setup" });
        fresh.leave(visitor.person.id, made);
        return { to: `/-/setup/message?made=${made.key.id}` };
      }),
      UNREAD,
    )
    .post(
      "/-/setup/hook",
      atDesk(deps, "admin", async () => {
        await ensureFirstHook(deps, await store.setup.ensureFirst());
        return { to: "/-/setup/message" };
      }),
      UNREAD,
    )
    .post(
      "/-/setup/test",
      atDesk(deps, "admin", async ({ view }) => {
        const { namespaceId, name } = await store.setup.ensureFirst();
        const message = view.texts.setup.itWorks;
        const draft = { message, level: "success", priority: "normal", format: "text", source: "dashboard" } as const;
        requireTaken(await store.messages.publish({ namespaceId, to: { name }, draft }));
        return { to: "/-/setup/message" };
      }),
      UNREAD,
    )
    .get(
      "/-/setup/phone",
      onDesk(deps, "admin", async ({ view, now }) => {
        const topic = await store.setup.first();
        if (topic === undefined) return <MissingPage view={view} />;
        const latest = await store.devices.latestOf(topic.id);
        const test = latest && (await store.deliveries.lastTest(latest.device.row));
        return <PhonePage {...{ view, topic, now }} {...latest} {...(test && { test })} lanes={deps.delivery} />;
      }),
    )
    .post(
      "/-/setup/phone",
      atDesk(deps, "admin", async (_, form) => {
        const topic = await store.setup.first();
        const latest = topic && (await store.devices.latestOf(topic.id));
        if (latest === undefined || deviceRef(latest.device.id) !== form.get("device")) return undefined;
        await testDevice(deps, latest.device);
        return { to: "/-/setup/phone" };
      }),
      UNREAD,
    );
};

async function newestCard({ store, clock, config }: LaterDeps, view: View, topic: Topic) {
  const { messages } = await store.messages.page(topic.id, { limit: 1 });
  const [card] = await cardsOf(store, messages, { topicOf: () => topic.id, whole: true });
  const { imageHosts } = config;
  return card && renderCard(card, { view, topic, imageHosts, now: clock.now() }).html;
}
