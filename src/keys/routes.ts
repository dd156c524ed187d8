/** API keys over HTTP (API.md §3): an admin key mints, lists and revokes the keys of its own namespace, and any key can ask what it is. */
import type { Deps } from "../deps.ts";
import { jsonBody } from "../http/endpoint.ts";
import { problem } from "../http/problem.ts";
import { json, noContent, NO_STORE } from "../http/respond.ts";
import { parseTime } from "../util/time.ts";
import { endpointsOf, routesOf } from "./endpoint.ts";
import { keyJson } from "./json.ts";
import { EXPIRY_RULE, mintKey } from "./mint.ts";
import { KeyList, KeyRecord, MintedKey, NewKeyBody } from "./schema.ts";

type KeyDeps = Pick<Deps, "clock" | "store" | "keyUse" | "limits" | "log">;

const endpoint = endpointsOf<KeyDeps>("keys");

const make = endpoint("POST /v1/keys", {
  summary: "Create a key in the admin key's namespace",
  scope: "admin",
  body: jsonBody(NewKeyBody),
  answers: { 201: { description: "The key, shown only once.", schema: MintedKey } },
  handle: async ({ deps, principal: { namespaceId }, body: { name = "", scope = "full", expires_at } }) => {
    const expiresAt = expires_at === undefined ? undefined : parseTime(expires_at);
    if (expires_at !== undefined && expiresAt === undefined) throw problem.validationFailed([EXPIRY_RULE]);
    const made = await mintKey(deps, { namespaceId, scope, name, ...(expiresAt !== undefined && { expiresAt }) });
    return json({ ...keyJson(made.key), key: made.secret }, 201, NO_STORE);
  },
});

const list = endpoint("GET /v1/keys", {
  summary: "The keys of the namespace, without their secrets",
  scope: "admin",
  answers: { 200: { description: "All keys.", schema: KeyList } },
  handle: async ({ deps, principal }) =>
    json({ keys: (await deps.store.keys.list(principal.namespaceId)).map(keyJson) }),
});

const revoke = endpoint("DELETE /v1/keys/:id", {
  summary: "Revoke a key; it stops working before the answer leaves",
  scope: "admin",
  answers: { 204: { description: "It no longer works." } },
  handle: async ({ deps, principal, params }) => {
    if (!(await deps.store.keys.revoke(principal.namespaceId, params.id))) throw problem.unknownKey();
    return noContent();
  },
});

const self = endpoint("GET /v1/keys/self", {
  summary: "The key that asks, with its namespace and scope",
  scope: "any key",
  answers: { 200: { description: "It is valid.", schema: KeyRecord } },
  problems: [404],
  handle: ({ deps, principal: { keyHash } }) => {
    const key = keyHash === undefined ? undefined : deps.store.keys.find(keyHash);
    if (key === undefined) throw problem.notFound("The operator's socket needs no key.");
    return json(keyJson(key));
  },
});

export const keyRoutes = (deps: KeyDeps) => routesOf(deps, [make, list, self, revoke]);
