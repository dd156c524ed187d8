/** The ping key of a namespace over HTTP (CHECKINS.md §2): with it all of its checks are pinged by slug. */
import { json, NO_STORE } from "../http/respond.ts";
import { baseUrl } from "../http/urls.ts";
import type { Principal } from "../keys/auth.ts";
import { endpointsOf } from "../keys/endpoint.ts";
import type { NamespaceId } from "../keys/namespace.ts";
import { sha256 } from "../util/ids.ts";
import type { CheckDeps } from "./access.ts";
import { pingUrl } from "./json.ts";
import { PingKey } from "./schema.ts";

const endpoint = endpointsOf<CheckDeps>("checks");

const shown = endpoint("GET /v1/:ns/ping-key", {
  summary: "The key that pings the namespace's checks by slug; created when it is first requested",
  scope: "full",
  answers: { 200: { description: "The ping key.", schema: PingKey } },
  handle: async (asked) => answer(asked, "shown"),
});

const rotate = endpoint("POST /v1/:ns/ping-key/rotate", {
  summary: "Give the namespace a new ping key; the old one stops working",
  scope: "full",
  answers: { 200: { description: "The new ping key.", schema: PingKey } },
  handle: async (asked) => answer(asked, "rotated"),
});

export const pingKeyRoutes = [shown, rotate];

interface OwnerAsked {
  deps: CheckDeps;
  request: Request;
  principal: Principal;
}

async function answer({ deps, request, principal }: OwnerAsked, how: "shown" | "rotated"): Promise<Response> {
  const key = await pingKeyOf(deps, principal.namespaceId, how);
  return json(
    key === undefined ? {} : { ping_key: key, ping_url: pingUrl(baseUrl(deps, request), key) },
    200,
    NO_STORE,
  );
}

/** Undefined: it works, but the secret that it was derived from was lost. */
async function pingKeyOf(
  { store, tokens }: CheckDeps,
  namespaceId: NamespaceId,
  how: "shown" | "rotated",
): Promise<string | undefined> {
  const { generation } = await store.checks.pingKey(namespaceId);
  const derived = await tokens();
  if (generation === 0 || how === "rotated") {
    const key = derived.ofNamespace(namespaceId, generation + 1);
    await store.checks.setPingKey(namespaceId, generation + 1, sha256(key));
    return key;
  }
  const key = derived.ofNamespace(namespaceId, generation);
  return (await store.checks.byPingKey(sha256(key))) === namespaceId ? key : undefined;
}
