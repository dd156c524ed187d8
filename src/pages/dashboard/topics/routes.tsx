/** @jsxImportSource #jsx */
/** Topics on the dashboard (WEB.md §3): the list, one topic in its tabs, and what is done to it. */
import { Elysia } from "elysia";
import type { Deps } from "../../../deps.ts";
import { queryOf } from "../../../http/query.ts";
import type { Glance } from "../../../store/glances.ts";
import { tokensOf } from "../../../tokens/secret.ts";
import type { Safe } from "../../jsx/jsx-runtime.ts";
import { pages } from "../../respond.ts";
import { atDesk, onDesk, type Again, type Done, UNREAD, type Visitors } from "../desk.ts";
import type { Desk } from "../signed-in.ts";
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

export type TopicDeps = Pick<Deps, "config" | "store" | "clock" | "log" | "answers" | "rendering">;

/** How many devices a page has. */
const DEVICES = 50;

export const topicPageRoutes = (given: TopicDeps) => {
  const deps = { ...given, tokens: tokensOf(given) };
  const { store, config } = deps;

  type Seen = { desk: Desk; glance: Glance; request: Request };
  /** A page of a topic; 404 if the visitor sees none with this key. */
  const show = (who: Visitors, page: (seen: Seen) => Safe | Promise<Safe>) =>
    onDesk<"key">(deps, who, async (desk, { request, params }) => {
      const glance = await glanceOf(deps, desk, params.key);
      return glance && page({ desk, glance, request });
    });
  /** A form of a topic. */
  const act = (who: Visitors, run: (seen: Seen & { form: URLSearchParams }) => Promise<Done | Again>) =>
    [
      atDesk<"key">(deps, who, async (desk, form, { request, params }) => {
        const glance = await glanceOf(deps, desk, params.key);
        return glance && run({ desk, glance, request, form });
      }),
      UNREAD,
    ] as const;

  return new Elysia()
    .use(pages)
    .get(
      "/-/topics",
      onDesk(deps, "signed in", async (desk, { request }) => (
        <TopicsPage desk={desk} listed={await listed(deps, desk, request)} />
      )),
    )
    .get(
      "/-/topics/new",
      onDesk(deps, "signed in", (desk) => <NewTopicPage desk={desk} given={new URLSearchParams()} />),
    )
    .post(
      "/-/topics/new",
      atDesk(deps, "signed in", async (desk, form) => makeTopic(deps, desk, form)),
      UNREAD,
    )
    .get(
      "/-/topics/:key",
      show("signed in", async (seen) =>
        deps.rendering(seen.request, async (mapInTurns) => feedTab({ ...deps, mapInTurns }, seen, seen.request)),
      ),
    )
    .get(
      "/-/topics/:key/came/:id",
      onDesk<"key" | "id">(deps, "signed in", async (desk, { params: { key, id } }) => {
        const glance = /^[1-9]\d{0,14}$/.test(id) ? await glanceOf(deps, desk, key) : undefined;
        return glance && camePage(deps, desk, glance, Number(id));
      }),
    )
    .get(
      "/-/topics/:key/publish",
      show("signed in", async (seen) => publishTab(deps, seen, queryOf(seen.request).get("key"))),
    )
    .post("/-/topics/:key/publish", ...act("signed in", async (seen) => publishHere(deps, seen)))
    .get(
      "/-/topics/:key/share",
      show("signed in", (seen) => <ShareTab {...seen} />),
    )
    .get(
      "/-/topics/:key/replace",
      show("signed in, confirmed", async (seen) => (
        <AskReplace {...seen} devices={await store.devices.ofTopic(seen.glance.topic.id, { limit: NAMED })} />
      )),
    )
    .post("/-/topics/:key/replace", ...act("signed in, confirmed", async (seen) => replaceNow(deps, seen)))
    .get(
      "/-/topics/:key/devices",
      show("signed in", async (seen) => {
        const { id } = seen.glance.topic;
        const after = Number(/^\d{1,15}$/.exec(queryOf(seen.request).get("after") ?? "")?.[0] ?? 0);
        const [found, rules] = await Promise.all([
          store.devices.ofTopic(id, { after, limit: DEVICES + 1 }),
          store.glances.rules(id, { after, limit: DEVICES }),
        ]);
        const devices = found.slice(0, DEVICES);
        const next = found.length > DEVICES ? devices.at(-1)?.row : undefined;
        return <DevicesTab {...seen} devices={devices} rules={rules} {...(next !== undefined && { next })} />;
      }),
    )
    .post("/-/topics/:key/devices", ...act("signed in", async (seen) => setDevice(deps, seen)))
    .get(
      "/-/topics/:key/settings",
      show("signed in", (seen) => {
        const { topic } = seen.glance;
        const given = givenOf(topic, seen.desk.view.zone, mutedUntil(topic, seen.desk.now));
        return <SettingsTab {...seen} given={given} retention={config.retention} />;
      }),
    )
    .post("/-/topics/:key/settings", ...act("signed in", async (seen) => save(deps, seen)))
    .post("/-/topics/:key/archive", ...act("signed in", async (seen) => archive(deps, seen)))
    .get(
      "/-/topics/:key/mute",
      show("signed in", (seen) => <AskMute {...seen} given={new URLSearchParams()} />),
    )
    .post("/-/topics/:key/mute", ...act("signed in", async (seen) => mute(deps, seen)))
    .post("/-/topics/:key/unmute", ...act("signed in", async (seen) => unmute(deps, seen)))
    .get(
      "/-/topics/:key/delete",
      show("signed in, confirmed", async (seen) => {
        const extent = await store.glances.extent(seen.glance.topic.id);
        return extent.checks.length > 0 ? <InUse {...seen} extent={extent} /> : askDelete(deps, seen, extent);
      }),
    )
    .post("/-/topics/:key/delete", ...act("signed in, confirmed", async (seen) => deleteNow(deps, seen)));
};
