/** What only the operator may ask, over `peal.sock`: namespaces, and the set-up code. The edge lets nobody else here. */
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Deps } from "../deps.ts";
import { readJson } from "../http/body.ts";
import { problem } from "../http/problem.ts";
import { json, NO_STORE } from "../http/respond.ts";
import { baseSegment } from "../http/urls.ts";
import { isNamespaceName, type Namespace } from "../keys/namespace.ts";
import { setupCodeOf } from "../setup/code-file.ts";
import { rfc3339 } from "../util/clock.ts";

const NewNamespace = Type.Object({ name: Type.String() });

export const localRoutes = (deps: Pick<Deps, "config" | "store">) =>
  new Elysia({ prefix: "/-/local" })
    .get("/namespaces", async () => json({ namespaces: (await deps.store.namespaces.list()).map(namespaceJson) }))
    .post("/namespaces", async ({ request }) => {
      const { name } = await readJson(request, NewNamespace);
      if (!isNamespaceName(name, baseSegment(deps.config))) throw problem.validationFailed([NAME_RULE]);
      const made = await deps.store.namespaces.create(name);
      if (made === "name_taken") throw problem.namespaceExists(name);
      return json(namespaceJson(made), 201);
    })
    .get("/setup-code", async () => {
      const code = await setupCodeOf(deps);
      if (code === undefined) throw problem.alreadySetUp();
      return json({ code }, 200, NO_STORE);
    });

const NAME_RULE = {
  path: "/name",
  message: "must be 1 to 32 of a-z 0-9 _ -, begin with a letter or digit, and be no word that the server uses itself",
};

const namespaceJson = ({ name, createdAt }: Namespace) => ({ name, created_at: rfc3339(createdAt) });
