/** The ping key of a namespace over HTTP (docs/design/CHECKINS.md §2): with it all of its checks are pinged by slug. */
import { Elysia } from "elysia";
import { authorize } from "../keys/auth.ts";
import { operation } from "../http/operation.ts";
import { json, NO_STORE } from "../http/respond.ts";
import { baseUrl } from "../http/urls.ts";
import type { NamespaceId } from "../keys/namespace.ts";
import { sha256 } from "../util/ids.ts";
import type { CheckDeps } from "./access.ts";
import { pingUrl } from "./json.ts";
import { PingKey } from "./schema.ts";

export const pingKeyRoutes = (deps: CheckDeps) =>
  new Elysia({ prefix: "/v1/:ns/ping-key" })
    .get("", async ({ request, params }) => answer(deps, request, params.ns, "shown"), {
      detail: operation({
        tag: "checks",
        summary: "The key that pings the namespace's checks by slug; created when it is first requested",
        key: true,
        answers: { 200: { description: "The ping key.", schema: PingKey } },
      }),
    })
    .post("/rotate", async ({ request, params }) => answer(deps, request, params.ns, "rotated"), {
      parse: "none",
      detail: operation({
        tag: "checks",
        summary: "Give the namespace a new ping key; the old one stops working",
        key: true,
        answers: { 200: { description: "The new ping key.", schema: PingKey } },
      }),
    });

async function answer(deps: CheckDeps, request: Request, ns: string, how: "shown" | "rotated"): Promise<Response> {
  const { namespaceId } = await authorize(deps, request, ns, "full");
  const key = await pingKeyOf(deps, namespaceId, how);
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
