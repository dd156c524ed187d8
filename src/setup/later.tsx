/** @jsxImportSource #jsx */
/** The screens of the first run that follow the claim, for an admin who is signed in, as often as they like (WEB.md §2). */
import type { Deps } from "../deps.ts";
import { testDevice } from "../devices/act.ts";
import { contextOf } from "../http/context.ts";
import { queryOf } from "../http/query.ts";
import { handover } from "../keys/handover.ts";
import { mintKey } from "../keys/mint.ts";
import { requireTaken } from "../messages/publish.ts";
import { type DeskDeps, DeskRoutes, isVisit } from "../pages/dashboard/desk.ts";
import { FlashNote } from "../pages/dashboard/frame/flash-note.tsx";
import { cardsOf } from "../pages/feed/cards.ts";
import { renderCard } from "../pages/feed/page.tsx";
import type { View } from "../pages/view.ts";
import type { Topic } from "../topics/topic.ts";
import { deviceRef } from "../util/ids.ts";
import { tokensOf } from "../tokens/secret.ts";
import { ensureFirstHook, firstHookUrl } from "./first-hook.ts";
import { FirstMessagePage } from "./first-message.tsx";
import { MissingPage } from "./missing.tsx";
import { PhonePage } from "./phone.tsx";

type LaterDeps = DeskDeps & Pick<Deps, "delivery" | "tls">;

const PATH = "/-/setup";
const MESSAGE = `${PATH}/message`;
const PHONE = `${PATH}/phone`;

export const laterRoutes = (given: LaterDeps) => {
  const deps = { ...given, tokens: tokensOf(given) };
  return [...messageRoutes(deps), ...phoneRoutes(deps)];
};

/** The first message, and what leads to it: a topic, a key, a hook. */
const messageRoutes = (deps: LaterDeps & Parameters<typeof ensureFirstHook>[0]) => {
  const { setup } = deps.store;
  const fresh = handover(deps);
  return new DeskRoutes(deps, PATH)
    .page("/message", "admin", async ({ desk, request }) => {
      const { view, visitor } = desk;
      const topic = await setup.first();
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
    })
    .form("/topic", "admin", async () => {
      await setup.ensureFirst();
      return { to: MESSAGE };
    })
    .form("/message", "admin, confirmed", async ({ desk: { visitor } }) => {
      const { namespaceId } = await setup.ensureFirst();
      const made = await mintKey(deps, { namespaceId, scope: "publish", name: "setup" });
      fresh.leave(visitor.person.id, made);
      return { to: `${MESSAGE}?made=${made.key.id}` };
    })
    .form("/hook", "admin", async () => {
      await ensureFirstHook(deps, await setup.ensureFirst());
      return { to: MESSAGE };
    })
    .form("/test", "admin", async ({ desk: { view } }) => {
      await publishTest(deps, view);
      return { to: MESSAGE };
    }).routes;
};

/** The first phone. */
const phoneRoutes = (deps: LaterDeps) => {
  const { setup, devices, deliveries } = deps.store;
  return new DeskRoutes(deps, PATH)
    .page("/phone", "admin", async ({ desk, request }) => {
      const { view, now } = desk;
      const topic = await setup.first();
      if (topic === undefined) return <MissingPage view={view} />;
      const latest = await devices.latestOf(topic.id);
      const test = latest && (await deliveries.lastTest(latest.device.row));
      return (
        <PhonePage
          {...{ view, topic, now }}
          {...latest}
          {...(test && { test })}
          lanes={deps.delivery}
          tls={contextOf(request).origin.startsWith("https:") ? undefined : deps.tls?.status()}
          upstream={deps.config.push.ntfyUpstream}
          note={desk.flash && <FlashNote desk={desk} flash={desk.flash} />}
        />
      );
    })
    .form("/phone", "admin", async ({ form }) => {
      const topic = await setup.first();
      const latest = topic && (await devices.latestOf(topic.id));
      if (latest === undefined || deviceRef(latest.device.id) !== form.get("device")) return undefined;
      await testDevice(deps, latest.device);
      return { to: PHONE };
    })
    .form("/phone/message", "admin", async ({ desk: { view } }) => {
      await publishTest(deps, view);
      return { to: PHONE, flash: { say: "setup.sent" } };
    }).routes;
};

async function publishTest({ store: { setup, messages } }: LaterDeps, { texts }: View): Promise<void> {
  const { namespaceId, name } = await setup.ensureFirst();
  const message = texts.setup.itWorks;
  const draft = { message, level: "success", priority: "normal", format: "text", source: "dashboard" } as const;
  requireTaken(await messages.publish({ namespaceId, to: { name }, draft }));
}

async function newestCard({ store, clock, config }: LaterDeps, view: View, topic: Topic) {
  const { messages } = await store.messages.page(topic.id, { limit: 1 });
  const [card] = await cardsOf(store, messages, { topicOf: () => topic.id, whole: true });
  const { imageHosts } = config;
  return card && renderCard(card, { view, topic, imageHosts, now: clock.now() }).html;
}
