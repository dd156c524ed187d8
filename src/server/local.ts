/** Routes for the operator alone, over `peal.sock`: namespaces, and the set-up code. */
import { Type } from "@sinclair/typebox";
import type { Deps } from "../deps.ts";
import { jsonBody } from "../http/endpoint.ts";
import { problem } from "../http/problem.ts";
import { json, NO_STORE } from "../http/respond.ts";
import { endpointsOf, routesOf } from "../keys/endpoint.ts";
import type { Namespace } from "../keys/namespace.ts";
import { createNamespace, deleteNamespace, muteNamespace, renameNamespace } from "../keys/namespaces.ts";
import { setupCodeOf } from "../accounts/setup-code-file.ts";
import { COUNTED } from "../store/glances.ts";
import { mutedUntilOf } from "../topics/spec.ts";
import { rfc3339 } from "../util/clock.ts";
import { orNull } from "../util/schema.ts";

const NewNamespace = Type.Object({ name: Type.String() });
const NamespacePatch = Type.Object({ muted_until: orNull(Type.String()) });

type LocalDeps = Pick<Deps, "config" | "clock" | "store" | "keyUse" | "limits" | "log" | "proxies">;

const endpoint = endpointsOf<LocalDeps>();

const list = endpoint("GET /-/local/namespaces", {
  scope: "operator",
  handle: async ({ deps }) => json({ namespaces: (await deps.store.namespaces.list()).map(namespaceJson) }),
});

const make = endpoint("POST /-/local/namespaces", {
  scope: "operator",
  body: jsonBody(NewNamespace),
  handle: async ({ deps, body: { name } }) => json(namespaceJson(await createNamespace(deps, name)), 201),
});

const rename = endpoint("POST /-/local/namespaces/:name/rename", {
  scope: "operator",
  body: jsonBody(NewNamespace),
  handle: async ({ deps, params, body: { name } }) =>
    json(namespaceJson(await renameNamespace(deps, params.name, name))),
});

const mute = endpoint("PATCH /-/local/namespaces/:name", {
  scope: "operator",
  body: jsonBody(NamespacePatch),
  handle: async ({ deps, params, body: { muted_until } }) =>
    json(namespaceJson(await muteNamespace(deps, params.name, mutedUntilOf(muted_until)))),
});

const remove = endpoint("DELETE /-/local/namespaces/:name", {
  scope: "operator",
  handle: async ({ deps, params }) => {
    const { topics, messages, checks, keys, hasOwnKey } = await deleteNamespace(deps, params.name);
    return json({
      ...{ topics, messages },
      ...(messages >= COUNTED && { more_messages: true }),
      ...{ checks, keys },
      ...(hasOwnKey && { own_key: true }),
    });
  },
});

const setupCode = endpoint("GET /-/local/setup-code", {
  scope: "operator",
  handle: async ({ deps }) => {
    const code = await setupCodeOf(deps);
    if (code === undefined) throw problem.alreadySetUp();
    return json({ code }, 200, NO_STORE);
  },
});

/** For `peal doctor`: a proxy whose forwarding headers were ignored. */
const proxy = endpoint("GET /-/local/undeclared-proxy", {
  scope: "operator",
  handle: ({ deps }) => json(deps.proxies.firstUndeclared() ?? {}),
});

export const localRoutes = (deps: LocalDeps) => routesOf(deps, [list, make, rename, mute, remove, setupCode, proxy]);

const namespaceJson = ({ name, createdAt, mutedUntil }: Namespace) => ({
  name,
  created_at: rfc3339(createdAt),
  ...(mutedUntil !== undefined && { muted_until: rfc3339(mutedUntil) }),
});
