/** @jsxImportSource #jsx */
/** Settings over HTTP (WEB.md §3). */
import type { Deps } from "../../../deps.ts";
import { contextOf } from "../../../http/context.ts";
import { Problem } from "../../../http/problem.ts";
import { basePath } from "../../../http/urls.ts";
import type { Namespace } from "../../../keys/namespace.ts";
import { createNamespace, deleteNamespace, namespaceExtent } from "../../../keys/namespaces.ts";
import { TYPED } from "../ask.tsx";
import { type Again, DeskRoutes, type Done } from "../desk.ts";
import type { Desk } from "../signed-in.ts";
import { BACK } from "../messages/back.ts";
import { backupRoutes } from "./backup-routes.ts";
import { AskMuteAll } from "./ask-mute.tsx";
import { gather } from "./gather.ts";
import { muteUntil } from "./mutes.ts";
import { DeleteNamespaceAsk, type NameFault } from "./namespaces.tsx";
import { ownRoutes } from "./own-routes.tsx";
import { SettingsPage } from "./page.tsx";
import { peopleRoutes } from "./people-routes.tsx";

const PATH = "/-/settings";

export const settingsRoutes = (deps: Deps) =>
  [collection, namespaceRoutes, peopleRoutes, ownRoutes, backupRoutes].flatMap((part) => part(deps));

const collection = (deps: Deps) =>
  new DeskRoutes(deps, PATH)
    .page("", "signed in", async (visit) => settings(deps, visit))
    .page("/mute", "admin", ({ desk }) => <AskMuteAll desk={desk} />)
    .form("/mute", "admin", async ({ desk, form }) => {
      const until = muteUntil(form.get("for"), desk.now, desk.view.zone);
      if (until === undefined) return undefined;
      await deps.store.namespaces.muteAll(until);
      return {
        to: BACK.get(form.get("from")) ?? `${PATH}#mute`,
        flash: { say: until === null ? "settings.unmuted" : "settings.muted" },
      };
    })
    // a form that was refused leaves the browser here, and its script asks again
    .page("/namespaces", "admin", async (visit) => settings(deps, visit))
    .form("/namespaces", "admin", async (sent) => makeNamespace(deps, sent)).routes;

const namespaceRoutes = (deps: Deps) => {
  const ask = async (desk: Desk, namespace: Namespace, typed?: string) => {
    const extent = await namespaceExtent(deps, namespace);
    return <DeleteNamespaceAsk {...{ desk, namespace, extent, typed }} />;
  };
  return new DeskRoutes(deps, `${PATH}/namespaces/:name/delete`, ({ desk, params: { name } }) => {
    const namespace = desk.namespaces.find((one) => one.name === name);
    return namespace && { namespace };
  })
    .page("", "admin, confirmed", async ({ desk, namespace }) => ask(desk, namespace))
    .form("", "admin, confirmed", async ({ desk, namespace, form }) => {
      const { name } = namespace;
      const typed = form.get(TYPED) ?? "";
      if (typed.trim() !== name) return { page: await ask(desk, namespace, typed) };
      await deleteNamespace(deps, name);
      return { to: `${PATH}#namespaces`, flash: { say: "settings.namespaceDeleted", values: [name] } };
    }).routes;
};

interface Asked {
  desk: Desk;
  request: Request;
}

async function settings(deps: Deps, { desk, request }: Asked, nameFault?: NameFault) {
  const seen = contextOf(request).origin + basePath(deps.config);
  const gathered = await gather(deps, desk, seen);
  return <SettingsPage desk={desk} gathered={gathered} seen={seen} {...(nameFault && { nameFault })} />;
}

async function makeNamespace(deps: Deps, sent: Asked & { form: URLSearchParams }): Promise<Done | Again> {
  const name = (sent.form.get("namespace") ?? "").trim();
  try {
    await createNamespace(deps, name);
    return { to: `${PATH}#namespaces`, flash: { say: "settings.namespaceMade", values: [name] } };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { namespaces: texts } = sent.desk.view.texts.settings;
    const words =
      error.code === "namespace_exists"
        ? texts.taken(name)
        : error.code === "validation_failed"
          ? texts.wrong
          : undefined;
    if (words === undefined) throw error;
    return { page: await settings(deps, sent, { name, words }) };
  }
}
