/** @jsxImportSource #jsx */
/** The page of a hook's map: shown, tried out on all requests that are kept, saved. */
import { changeHook } from "../../../hooks/act.ts";
import type { Hook, HookSettings } from "../../../hooks/hook.ts";
import type { HookMap } from "../../../hooks/map.ts";
import { previewOf } from "../../../hooks/preview.ts";
import { queryOf } from "../../../http/query.ts";
import { defined } from "../../../util/defined.ts";
import type { Faults } from "../../elements/field.tsx";
import type { Safe } from "../../jsx/jsx-runtime.ts";
import type { Texts } from "../../texts/texts.ts";
import type { Again, Done } from "../desk.ts";
import type { Desk } from "../signed-in.ts";
import { isStale, MARK, markOf } from "../stale.tsx";
import { formOfMap, mapOfForm, type MapFault } from "./map-form.ts";
import { MapPage } from "./map-page.tsx";
import { Becomes } from "./preview.tsx";
import { type HookPagesDeps, hookRoutes, pathOf } from "./on-hook.ts";
import { chosenOf, contentOfKept } from "./gather.tsx";

export const mapRoutes = (deps: HookPagesDeps) =>
  hookRoutes(deps)
    .page("/map", "signed in", async ({ desk, hook, request }) => {
      const given = formOfMap(hook.settings.map);
      given.set(MARK, markOf(given));
      given.set("r", queryOf(request).get("r") ?? "");
      return mapPage(deps, request, { desk, hook, given, map: hook.settings.map });
    })
    .form("/map", "signed in", async ({ desk, hook, form, request }) => filled(deps, request, { desk, hook, form }))
    .routes;

interface Filled {
  desk: Desk;
  hook: Hook;
  form: URLSearchParams;
}

/** Saves the form; or shows it again with its faults or, if that was asked for, a preview. */
async function filled(deps: HookPagesDeps, request: Request, { desk, hook, form }: Filled): Promise<Done | Again> {
  const read = mapOfForm(form);
  const page = { desk, hook, given: form };
  const status = form.has("preview") ? 200 : 422; // a preview is asked for, and refuses nothing
  if ("faults" in read)
    return { page: await mapPage(deps, request, { ...page, faults: inWords(desk.view.texts, read.faults) }), status };
  const { map } = read;
  if (form.has("preview")) return { page: await mapPage(deps, request, { ...page, map }), status };
  const mark = markOf(formOfMap(hook.settings.map));
  if (isStale(form, mark)) {
    form.set(MARK, mark); // sent once more, it is meant
    return { page: await mapPage(deps, request, { ...page, map, faults: new Map([[MARK, ""]]) }), status: 409 };
  }
  await changeHook(deps, hook, { map: map ?? null });
  return { to: pathOf(hook), flash: { say: "hooks.mapped" } };
}

const inWords = ({ hooks: { map: say } }: Texts, faults: ReadonlyMap<string, MapFault>): Faults =>
  new Map([...faults].map(([field, fault]) => [field, say.wrong[fault]]));

interface Mapping {
  desk: Desk;
  hook: Hook;
  given: URLSearchParams;
  /** The map to try out; absent if a field has `faults`. */
  map?: HookMap | undefined;
  faults?: Faults;
}

/** One at a time for a network, in turns: each request is read again, and its card rendered. */
async function mapPage(deps: HookPagesDeps, request: Request, { map, ...props }: Mapping): Promise<Safe> {
  const { hook, given, desk } = props;
  const requests = await deps.store.hooks.requests(hook);
  const chosen = chosenOf(requests, given.get("r"));
  if (chosen === undefined) return <MapPage {...props} requests={requests} />;
  const content = await contentOfKept(chosen);
  const shown = { ...props, requests, chosen: { request: chosen, content } };
  const isWrong = [...(props.faults?.keys() ?? [])].some((field) => field !== MARK);
  if (isWrong) return <MapPage {...shown} />;
  const settings = defined<HookSettings>({ ...hook.settings, map });
  return deps.rendering(request, async (mapInTurns) => {
    const drafts = await Promise.all(await mapInTurns(requests, async (one) => previewOf({ settings }, one)));
    const previewed = await mapInTurns(drafts, (one) => ({
      ...one,
      html: <Becomes desk={desk} hook={hook} previewed={one} />,
    }));
    return <MapPage {...shown} previewed={previewed} />;
  });
}
