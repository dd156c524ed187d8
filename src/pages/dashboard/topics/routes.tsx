/** @jsxImportSource #jsx */
/** Topics on the dashboard (WEB.md §3): the list, one topic in its tabs, and what is done to it. */
import type { Deps } from "../../../deps.ts";
import { queryOf } from "../../../http/query.ts";
import { tokensOf } from "../../../tokens/secret.ts";
import type { Tokens } from "../../../tokens/tokens.ts";
import { type DeskDeps, DeskRoutes } from "../desk.ts";
import { AskMute, InUse } from "./asks.tsx";
import {
  archive,
  askDelete,
  deleteNow,
  makeTopic,
  mute,
  publishHere,
  replaceNow,
  save,
  setDevice,
  unmute,
} from "./acts.tsx";
import { camePage } from "./feed/original.tsx";
import { DevicesTab } from "./devices.tsx";
import { feedTab } from "./feed/page.tsx";
import { listed } from "./list/gather.ts";
import { TopicsPage } from "./list/page.tsx";
import { publishTab } from "./publish/gather.tsx";
import { glanceOf, mutedUntil } from "./glance.ts";
import { givenOf } from "./form/form-body.ts";
import { NewTopicPage, SettingsTab } from "./form/form.tsx";
import { AskReplace, NAMED, ShareTab } from "./share.tsx";

type TopicDeps = DeskDeps & Pick<Deps, "rendering">;
type TopicPagesDeps = TopicDeps & { tokens: () => Promise<Tokens> };

/** How many devices a page has. */
const DEVICES = 50;

export function topicPageRoutes(given: TopicDeps) {
  const deps = { ...given, tokens: tokensOf(given) };
  return [collection, messages, readers, settings].flatMap((part) => part(deps).routes);
}

const collection = (deps: TopicPagesDeps) =>
  new DeskRoutes(deps, "/-/topics")
    .page("", "signed in", async ({ desk, request }) => (
      <TopicsPage desk={desk} listed={await listed(deps, desk, request)} />
    ))
    .page("/new", "signed in", ({ desk }) => <NewTopicPage desk={desk} given={new URLSearchParams()} />)
    .form("/new", "signed in", async ({ desk, form }) => makeTopic(deps, desk, form));

/** One topic; 404 if the visitor sees none with this key. */
const ofTopic = (deps: TopicPagesDeps) =>
  new DeskRoutes(deps, "/-/topics/:key", async ({ desk, params: { key } }) => {
    const glance = await glanceOf(deps, desk, key);
    return glance && { glance };
  });

const messages = (deps: TopicPagesDeps) =>
  ofTopic(deps)
    .page("", "signed in", async (seen) =>
      deps.rendering(seen.request, async (mapInTurns) => feedTab({ ...deps, mapInTurns }, seen, seen.request)),
    )
    .page("/came/:id", "signed in", async ({ desk, glance, params: { id } }) =>
      /^[1-9]\d{0,14}$/.test(id) ? camePage(deps, desk, glance, Number(id)) : undefined,
    )
    .page("/publish", "signed in", async (seen) => publishTab(deps, seen, queryOf(seen.request).get("key")))
    .form("/publish", "signed in", async (seen) => publishHere(deps, seen));

/** The readers of a topic: its share link, its devices. */
const readers = (deps: TopicPagesDeps) => {
  const { devices, glances } = deps.store;
  return ofTopic(deps)
    .page("/share", "signed in", (seen) => <ShareTab {...seen} upstream={deps.config.push.ntfyUpstream} />)
    .page("/replace", "signed in, confirmed", async (seen) => (
      <AskReplace {...seen} devices={await devices.ofTopic(seen.glance.topic.id, { limit: NAMED })} />
    ))
    .form("/replace", "signed in, confirmed", async (seen) => replaceNow(deps, seen))
    .page("/devices", "signed in", async (seen) => {
      const { id } = seen.glance.topic;
      const after = Number(/^\d{1,15}$/.exec(queryOf(seen.request).get("after") ?? "")?.[0] ?? 0);
      const [found, rules] = await Promise.all([
        devices.ofTopic(id, { after, limit: DEVICES + 1 }),
        glances.rules(id, { after, limit: DEVICES }),
      ]);
      const next = found.length > DEVICES ? found[DEVICES - 1]?.row : undefined;
      return (
        <DevicesTab {...seen} devices={found.slice(0, DEVICES)} {...{ rules, ...(next !== undefined && { next }) }} />
      );
    })
    .form("/devices", "signed in", async (seen) => setDevice(deps, seen));
};

const settings = (deps: TopicPagesDeps) =>
  ofTopic(deps)
    .page("/settings", "signed in", (seen) => {
      const { topic } = seen.glance;
      const given = givenOf(topic, seen.desk.view.zone, mutedUntil(topic, seen.desk.now));
      return <SettingsTab {...seen} given={given} retention={deps.config.retention} />;
    })
    .form("/settings", "signed in", async (seen) => save(deps, seen))
    .form("/archive", "signed in", async (seen) => archive(deps, seen))
    .page("/mute", "signed in", (seen) => <AskMute {...seen} given={new URLSearchParams()} />)
    .form("/mute", "signed in", async (seen) => mute(deps, seen))
    .form("/unmute", "signed in", async (seen) => unmute(deps, seen))
    .page("/delete", "signed in, confirmed", async (seen) => {
      const extent = await deps.store.glances.extent(seen.glance.topic.id);
      return extent.checks.length > 0 ? <InUse {...seen} extent={extent} /> : askDelete(deps, seen, extent);
    })
    .form("/delete", "signed in, confirmed", async (seen) => deleteNow(deps, seen));
