/**
 * ntfy's addresses for publishing, and those that its clients ask first (NTFY.md §1), each at the root and below `/ntfy/{ns}`: at
 * the root `ns` is absent. Our OpenAPI document leaves them to ntfy's own documentation.
 */
import { problem } from "../http/problem.ts";
import { json } from "../http/respond.ts";
import { endpointsOf, routesOf } from "../keys/endpoint.ts";
import type { PublishDeps } from "../messages/publish.ts";
import { account, forgetToken, token, type AccountDeps } from "./account.ts";
import { readableAt } from "./address.ts";
import { publishJson, publishTo, takeBack } from "./publish.ts";

type NtfyDeps = PublishDeps & AccountDeps;

const endpoint = endpointsOf<NtfyDeps>();

const publishing = [
  endpoint(["POST /", "PUT /", "POST /ntfy/:ns", "PUT /ntfy/:ns"], {
    scope: "publish",
    bare: async (deps, request, at) => publishJson(deps, request, at),
  }),
  endpoint(["POST /:topics", "PUT /:topics", "POST /ntfy/:ns/:topics", "PUT /ntfy/:ns/:topics"], {
    scope: "publish",
    bare: async (deps, request, at) => publishTo(deps, request, at),
  }),
  endpoint(["POST /:topics/:seq", "PUT /:topics/:seq", "POST /ntfy/:ns/:topics/:seq", "PUT /ntfy/:ns/:topics/:seq"], {
    scope: "publish",
    bare: async (deps, request, at) => publishTo(deps, request, at),
  }),
  endpoint(["DELETE /:topics/:seq", "DELETE /ntfy/:ns/:topics/:seq"], {
    scope: "publish",
    bare: async (deps, request, at) => takeBack(deps, request, at, "message_delete"),
  }),
  endpoint(
    [
      ...(["PUT /:topics/:seq/clear", "PUT /:topics/:seq/read"] as const),
      ...(["PUT /ntfy/:ns/:topics/:seq/clear", "PUT /ntfy/:ns/:topics/:seq/read"] as const),
    ],
    { scope: "publish", bare: async (deps, request, at) => takeBack(deps, request, at, "message_clear") },
  ),
];

/** What clients ask before they publish or read. */
const asking = [
  endpoint(["GET /:topics/auth", "GET /ntfy/:ns/:topics/auth"], {
    scope: "topic key",
    bare: async (deps, request, at) => {
      const { gone } = await readableAt(deps, request, at, at.topics);
      if (gone.length > 0) throw problem.unknownTopic();
      return json({ success: true });
    },
  }),
  endpoint(["GET /v1/health", "GET /ntfy/:ns/v1/health"], { scope: "none", bare: () => json({ healthy: true }) }),
  endpoint(["GET /v1/account", "GET /ntfy/:ns/v1/account"], { scope: "none", bare: account }),
  endpoint(
    [
      ...(["POST /v1/account/token", "PATCH /v1/account/token"] as const),
      ...(["POST /ntfy/:ns/v1/account/token", "PATCH /ntfy/:ns/v1/account/token"] as const),
    ],
    { scope: "any key", bare: token },
  ),
  endpoint(["DELETE /v1/account/token", "DELETE /ntfy/:ns/v1/account/token"], { scope: "any key", bare: forgetToken }),
  // only what has ntfy's version answers this; Home Assistant takes a 404 of ntfy's form for a server that is too old to tell
  endpoint(["GET /v1/version", "GET /ntfy/:ns/v1/version"], {
    scope: "none",
    bare: () => {
      throw problem.notFound("This is peal, which has no version of ntfy.");
    },
  }),
];

export const ntfyRoutes = (deps: NtfyDeps) => routesOf(deps, [...publishing, ...asking]);
