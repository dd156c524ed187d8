/** @jsxImportSource #jsx */
/** The screens of the first run that follow the claim, for an admin who is signed in, as often as they like (WEB.md §2). */
import { Elysia } from "elysia";
import { waitsFor } from "../delivery/json.ts";
import type { Deps } from "../deps.ts";
import { testDevice } from "../devices/act.ts";
import { mintKey } from "../keys/mint.ts";
import { requireTaken } from "../messages/publish.ts";
import { atDesk, onDesk, UNREAD } from "../pages/dashboard/desk.ts";
import { cardsOf } from "../pages/feed/cards.ts";
import { renderCard } from "../pages/feed/page.tsx";
import { pages } from "../pages/respond.ts";
import type { View } from "../pages/view.ts";
import type { Topic } from "../topics/topic.ts";
import { deviceRef } from "../util/ids.ts";
import { FirstMessagePage } from "./first-message.tsx";
import { MissingPage } from "./missing.tsx";
import { PhonePage } from "./phone.tsx";

type LaterDeps = Pick<Deps, "config" | "store" | "clock" | "log" | "delivery">;

export const laterRoutes = (deps: LaterDeps) => {
  const { store } = deps;
  return new Elysia()
    .use(pages)
    .get(
      "/-/setup/message",
      onDesk(
        deps,
        async ({ view }) => {
          const topic = await store.setup.first();
          if (topic === undefined) return <MissingPage view={view} />;
          const card = await newestCard(deps, view, topic);
          return <FirstMessagePage view={view} topic={topic} {...(card && { card })} />;
        },
        { admin: true },
      ),
    )
    .post(
      "/-/setup/topic",
      atDesk(
        deps,
        async () => {
          await store.setup.ensureFirst();
          return { to: "/-/setup/message" };
        },
        { admin: true },
      ),
      UNREAD,
    )
    .post(
      "/-/setup/message",
      atDesk(
        deps,
        async ({ view }) => {
          const topic = await store.setup.ensureFirst();
          const { namespaceId } = topic;
          const { secret } = await mintKey(deps, { namespaceId, scope: "publish", name: "set-up" });
          const card = await newestCard(deps, view, topic);
          const made = { secret, isAdmin: false };
          return {
            page: <FirstMessagePage view={view} topic={topic} made={made} {...(card && { card })} />,
            status: 200,
          };
        },
        { admin: true, confirmed: true },
      ),
      UNREAD,
    )
    .post(
      "/-/setup/test",
      atDesk(
        deps,
        async ({ view }) => {
          const { namespaceId, name } = await store.setup.ensureFirst();
          const message = view.texts.setup.itWorks;
          const draft = { message, level: "success", priority: "normal", format: "text", source: "dashboard" } as const;
          requireTaken(await store.messages.publish({ namespaceId, to: { name }, draft }));
          return { to: "/-/setup/message" };
        },
        { admin: true },
      ),
      UNREAD,
    )
    .get(
      "/-/setup/phone",
      onDesk(
        deps,
        async ({ view, now }) => {
          const topic = await store.setup.first();
          if (topic === undefined) return <MissingPage view={view} />;
          const latest = await store.devices.latestOf(topic.id);
          const test = latest && (await store.deliveries.lastTest(latest.device.row));
          const held = test && waitsFor(test, deps.delivery);
          return (
            <PhonePage
              {...{ view, topic, now }}
              {...latest}
              {...(test && { test })}
              {...(held !== undefined && { waitsFor: held })}
            />
          );
        },
        { admin: true },
      ),
    )
    .post(
      "/-/setup/phone",
      atDesk(
        deps,
        async (_, form) => {
          const topic = await store.setup.first();
          const latest = topic && (await store.devices.latestOf(topic.id));
          if (latest === undefined || deviceRef(latest.device.id) !== form.get("device")) return undefined;
          await testDevice(deps, latest.device);
          return { to: "/-/setup/phone" };
        },
        { admin: true },
      ),
      UNREAD,
    );
};

async function newestCard({ store, clock, config }: LaterDeps, view: View, topic: Topic) {
  const { messages } = await store.messages.page(topic.id, { limit: 1 });
  const [card] = await cardsOf(store, topic.id, messages, true);
  const { imageHosts } = config;
  return card && renderCard(card, { view, topic, imageHosts, now: clock.now() }).html;
}
