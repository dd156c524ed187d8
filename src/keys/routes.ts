/** API keys over HTTP (API.md §3): an admin key mints, lists and revokes the keys of its own namespace. */
import { Elysia } from "elysia";
import type { Deps } from "../deps.ts";
import { authorizeAdmin, requireStill } from "./auth.ts";
import { readJson } from "../http/body.ts";
import { jsonBody, operation } from "../http/operation.ts";
import { problem } from "../http/problem.ts";
import { json, NO_STORE } from "../http/respond.ts";
import { parseTime } from "../util/time.ts";
import { keyJson } from "./json.ts";
import { EXPIRY_RULE, mintKey } from "./mint.ts";
import { KeyList, MintedKey, NewKeyBody } from "./schema.ts";

export const keyRoutes = (deps: Pick<Deps, "clock" | "store" | "keyUse" | "limits" | "log">) =>
  new Elysia({ prefix: "/v1/keys" })
    .post(
      "",
      async ({ request }) => {
        const admin = await authorizeAdmin(deps, request);
        const { name = "", scope = "full", expires_at } = await readJson(request, NewKeyBody);
        requireStill(deps, request, admin);
        const { namespaceId } = admin;
        const expiresAt = expires_at === undefined ? undefined : parseTime(expires_at);
        if (expires_at !== undefined && expiresAt === undefined) throw problem.validationFailed([EXPIRY_RULE]);
        const made = await mintKey(deps, { namespaceId, scope, name, ...(expiresAt !== undefined && { expiresAt }) });
        return json({ ...keyJson(made.key), key: made.secret }, 201, NO_STORE);
      },
      {
        parse: "none",
        detail: operation({
          tag: "keys",
          summary: "Create a key in the admin key's namespace",
          key: "admin",
          body: jsonBody(NewKeyBody),
          answers: { 201: { description: "The key, shown only once.", schema: MintedKey } },
          problems: [400, 404, 413, 415, 422],
        }),
      },
    )
    .get(
      "",
      async ({ request }) => {
        const { namespaceId } = await authorizeAdmin(deps, request);
        return json({ keys: (await deps.store.keys.list(namespaceId)).map(keyJson) });
      },
      {
        detail: operation({
          tag: "keys",
          summary: "The keys of the namespace, without their secrets",
          key: "admin",
          answers: { 200: { description: "All keys.", schema: KeyList } },
        }),
      },
    )
    .delete(
      "/:id",
      async ({ request, params }) => {
        const { namespaceId } = await authorizeAdmin(deps, request);
        if (!(await deps.store.keys.revoke(namespaceId, params.id))) throw problem.unknownKey();
        return new Response(null, { status: 204 });
      },
      {
        detail: operation({
          tag: "keys",
          summary: "Revoke a key; it stops working before the answer leaves",
          key: "admin",
          answers: { 204: { description: "It no longer works." } },
          problems: [404],
        }),
      },
    );
