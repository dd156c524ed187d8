/** What only the operator may ask, over `peal.sock`: namespaces, and the set-up code. The edge lets nobody else here. */
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Deps } from "../deps.ts";
import { readJson } from "../http/body.ts";
import { problem } from "../http/problem.ts";
import { json, NO_STORE } from "../http/respond.ts";
import type { Namespace } from "../keys/namespace.ts";
import { createNamespace, deleteNamespace, muteNamespace, renameNamespace } from "../keys/namespaces.ts";
import { setupCodeOf } from "../accounts/setup-code-file.ts";
import { COUNTED } from "../store/glances.ts";
import { mutedUntilOf } from "../topics/spec.ts";
import { rfc3339 } from "../util/clock.ts";
import { orNull } from "../util/schema.ts";

const NewNamespace = Type.Object({ name: Type.String() });
const NamespacePatch = Type.Object({ muted_until: orNull(Type.String()) });

export const localRoutes = (deps: Pick<Deps, "config" | "store">) =>
  new Elysia({ prefix: "/-/local" })
    .get("/namespaces", async () => json({ namespaces: (await deps.store.namespaces.list()).map(namespaceJson) }))
    .post("/namespaces", async ({ request }) => {
      const { name } = await readJson(request, NewNamespace);
      return json(namespaceJson(await createNamespace(deps, name)), 201);
    })
    .post("/namespaces/:name/rename", async ({ request, params }) => {
      const { name } = await readJson(request, NewNamespace);
      return json(namespaceJson(await renameNamespace(deps, params.name, name)));
    })
    .patch("/namespaces/:name", async ({ request, params }) => {
      const { muted_until } = await readJson(request, NamespacePatch);
      return json(namespaceJson(await muteNamespace(deps, params.name, mutedUntilOf(muted_until))));
    })
    .delete("/namespaces/:name", async ({ params }) => {
      const { topics, messages, checks, keys, hasOwnKey } = await deleteNamespace(deps, params.name);
      return json({
        ...{ topics, messages },
        ...(messages >= COUNTED && { more_messages: true }),
        ...{ checks, keys },
        ...(hasOwnKey && { own_key: true }),
      });
    })
    .get("/setup-code", async () => {
      const code = await setupCodeOf(deps);
      if (code === undefined) throw problem.alreadySetUp();
      return json({ code }, 200, NO_STORE);
    });

const namespaceJson = ({ name, createdAt, mutedUntil }: Namespace) => ({
  name,
  created_at: rfc3339(createdAt),
  ...(mutedUntil !== undefined && { muted_until: rfc3339(mutedUntil) }),
});
