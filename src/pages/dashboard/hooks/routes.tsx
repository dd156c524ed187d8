/** @jsxImportSource #jsx */
/** The pages of hooks (WEB.md §3). What they do is done by the functions that the API has as well. */
import { changeHook, makeHook, rotateHook } from "../../../hooks/act.ts";
import { HookPatchBody, NewHookBody } from "../../../hooks/schema.ts";
import { check } from "../../../http/body.ts";
import { Problem } from "../../../http/problem.ts";
import { queryOf } from "../../../http/query.ts";
import { tokensOf } from "../../../tokens/secret.ts";
import type { Faults } from "../../elements/field.tsx";
import type { Texts } from "../../texts/texts.ts";
import { DeskRoutes } from "../desk.ts";
import { isStale, MARK } from "../stale.tsx";
import { publishTab } from "../topics/publish/gather.tsx";
import { glanceOf, topicPath } from "../topics/glance.ts";
import { RemoveAsk, RotateAsk } from "./asks.tsx";
import { EditPage, formOf, patchOf } from "./edit.tsx";
import { mapRoutes } from "./map-routes.tsx";
import { HookPage } from "./page.tsx";
import { type GivenDeps, type HookPagesDeps, hookRoutes, nameOf, pathOf } from "./on-hook.ts";
import { wholeOf } from "./gather.tsx";

export function hookPageRoutes(given: GivenDeps) {
  const deps: HookPagesDeps = { ...given, tokens: tokensOf(given) };
  return [...making(deps), ...one(deps), ...mapRoutes(deps)];
}

const making = (deps: HookPagesDeps) =>
  new DeskRoutes(deps).form("/-/topics/:key/hooks", "signed in", async ({ desk, form, params }) => {
    const glance = await glanceOf(deps, desk, params.key);
    if (glance === undefined) return undefined;
    const { topic } = glance;
    const name = (form.get("name") ?? "").trim();
    try {
      const body = check(NewHookBody, { topic: topic.key, ...(name !== "" && { name }) });
      const hook = await makeHook(deps, topic.namespaceId, body);
      return { to: pathOf(hook), flash: { say: "hooks.made" } };
    } catch (error) {
      const faults = faultsOf(desk.view.texts, error);
      return { page: await publishTab(deps, { desk, glance }, null, { hook: { given: form, faults } }) };
    }
  }).routes;

/** What is wrong with the name or the defaults, or that there are too many hooks. @throws any other error */
function faultsOf({ hooks: { form: say } }: Texts, error: unknown): Faults {
  if (!(error instanceof Problem)) throw error;
  if (error.code === "too_many_hooks") return new Map([["name", say.full]]);
  const faults = new Map<string, string>();
  for (const { path } of error.errors ?? []) {
    const [, name = "", field = ""] = path.split("/");
    if (name === "defaults") faults.set(name, say.wrongDefault(field));
    else if (name === "name") faults.set(name, say.wrongName);
    else throw error;
  }
  if (faults.size === 0) throw error;
  return faults;
}

const one = (deps: HookPagesDeps) =>
  hookRoutes(deps)
    .page("", "signed in", async ({ desk, hook, request }) => (
      <HookPage desk={desk} whole={await wholeOf(deps, desk, hook, queryOf(request).get("r"))} />
    ))
    .page("/edit", "signed in", ({ desk, hook }) => <EditPage desk={desk} hook={hook} given={formOf(hook)} />)
    .form("/edit", "signed in", async ({ desk, hook, form }) => {
      const mark = formOf(hook).get(MARK) ?? "";
      if (isStale(form, mark)) {
        form.set(MARK, mark); // sent once more, it is meant
        return { page: <EditPage {...{ desk, hook, given: form }} faults={new Map([[MARK, ""]])} />, status: 409 };
      }
      const again = (faults: Faults) => ({ page: <EditPage {...{ desk, hook, given: form, faults }} /> });
      const { texts } = desk.view;
      const patch = patchOf(form);
      if ("wrong" in patch) return again(new Map([["defaults", texts.hooks.form.wrongLine(patch.wrong)]]));
      try {
        const changed = await changeHook(deps, hook, check(HookPatchBody, patch.body));
        return { to: pathOf(changed), flash: { say: "hooks.saved" } };
      } catch (error) {
        return again(faultsOf(texts, error));
      }
    })
    .page("/rotate", "signed in, confirmed", ({ desk, hook }) => <RotateAsk desk={desk} hook={hook} />)
    .form("/rotate", "signed in, confirmed", async ({ hook, form }) => {
      const isNow = form.get("old") === "now";
      await rotateHook(deps, hook, isNow);
      return { to: pathOf(hook), flash: { say: "hooks.rotated", values: [isNow ? "now" : ""] } };
    })
    .page("/delete", "signed in", async ({ desk, hook }) => (
      <RemoveAsk desk={desk} hook={hook} kept={(await deps.store.hooks.requests(hook)).length} />
    ))
    .form("/delete", "signed in", async ({ desk: { view }, hook }) => {
      await deps.store.hooks.remove(hook.namespaceId, hook.id);
      const values = [nameOf(view.texts, hook)];
      return { to: topicPath(hook.topic, "/publish"), flash: { say: "hooks.removed", values } };
    }).routes;
