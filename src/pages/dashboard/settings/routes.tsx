/** @jsxImportSource #jsx */
/** Settings over HTTP (WEB.md §3). */
import { Elysia } from "elysia";
import type { Deps } from "../../../deps.ts";
import { contextOf } from "../../../http/context.ts";
import { Problem } from "../../../http/problem.ts";
import { basePath } from "../../../http/urls.ts";
import { createNamespace, deleteNamespace, namespaceExtent } from "../../../keys/namespaces.ts";
import { createBackups } from "../../../ops/backups.ts";
import { pages } from "../../respond.ts";
import { TYPED } from "../ask.tsx";
import { atDesk, onDesk, type Again, UNREAD } from "../desk.ts";
import type { Desk } from "../signed-in.ts";
import { BACK } from "../messages/back.ts";
import { backupRoutes } from "./backup-routes.ts";
import { AskMuteAll } from "./ask-mute.tsx";
import { gather, type SettingsDeps } from "./gather.ts";
import { muteUntil } from "./mutes.ts";
import { DeleteNamespaceAsk, type NameFault } from "./namespaces.tsx";
import { ownRoutes } from "./own-routes.tsx";
import { SettingsPage } from "./page.tsx";
import { peopleRoutes } from "./people-routes.tsx";

const PATH = "/-/settings";

export function settingsRoutes(given: Deps) {
  const deps: SettingsDeps = { ...given, backups: createBackups(given) };
  const page = async (desk: Desk, { request }: { request: Request }) => settings(deps, desk, request);
  const room = new Elysia({ prefix: PATH })
    .use(pages)
    .get("", onDesk(deps, "signed in", page))
    // a form that was refused leaves the browser here, and its script asks again
    .get("/namespaces", onDesk(deps, "admin", page))
    .get(
      "/mute",
      onDesk(deps, "admin", (desk) => <AskMuteAll desk={desk} />),
    )
    .post(
      "/mute",
      atDesk(deps, "admin", async (desk, form) => {
        const until = muteUntil(form.get("for"), desk.now, desk.view.zone);
        if (until === undefined) return undefined;
        await deps.store.namespaces.muteAll(until);
        return {
          to: BACK.get(form.get("from")) ?? `${PATH}#mute`,
          flash: { say: until === null ? "settings.unmuted" : "settings.muted" },
        };
      }),
      UNREAD,
    )
    .post(
      "/namespaces",
      atDesk(deps, "admin", async (desk, form, { request }) => makeNamespace(deps, desk, form, request)),
      UNREAD,
    )
    .get(
      "/namespaces/:name/delete",
      onDesk<"name">(deps, "admin, confirmed", async (desk, { params }) => {
        const namespace = desk.namespaces.find(({ name }) => name === params.name);
        if (namespace === undefined) return undefined;
        const extent = await namespaceExtent(deps, namespace);
        return <DeleteNamespaceAsk desk={desk} namespace={namespace} extent={extent} />;
      }),
    )
    .post(
      "/namespaces/:name/delete",
      atDesk<"name">(deps, "admin, confirmed", async (desk, form, { params }) => {
        const namespace = desk.namespaces.find(({ name }) => name === params.name);
        if (namespace === undefined) return undefined;
        const typed = form.get(TYPED) ?? "";
        if (typed.trim() !== namespace.name) {
          const extent = await namespaceExtent(deps, namespace);
          return { page: <DeleteNamespaceAsk desk={desk} namespace={namespace} extent={extent} typed={typed} /> };
        }
        await deleteNamespace(deps, namespace.name);
        return {
          to: `${PATH}#namespaces`,
          flash: { say: "settings.namespaceDeleted", values: [namespace.name] },
        };
      }),
      UNREAD,
    );
  return new Elysia().use(room).use(peopleRoutes(deps)).use(ownRoutes(deps)).use(backupRoutes(deps));
}

async function settings(deps: SettingsDeps, desk: Desk, request: Request, nameFault?: NameFault) {
  const seen = contextOf(request).origin + basePath(deps.config);
  const gathered = await gather(deps, desk);
  return <SettingsPage desk={desk} gathered={gathered} seen={seen} {...(nameFault && { nameFault })} />;
}

async function makeNamespace(deps: SettingsDeps, desk: Desk, form: URLSearchParams, request: Request) {
  const name = (form.get("namespace") ?? "").trim();
  try {
    await createNamespace(deps, name);
    return { to: `${PATH}#namespaces`, flash: { say: "settings.namespaceMade" as const, values: [name] } };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { namespaces: texts } = desk.view.texts.settings;
    const words =
      error.code === "namespace_exists"
        ? texts.taken(name)
        : error.code === "validation_failed"
          ? texts.wrong
          : undefined;
    if (words === undefined) throw error;
    const again: Again = { page: await settings(deps, desk, request, { name, words }) };
    return again;
  }
}
