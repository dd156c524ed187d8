/** Subscriptions and polls at the addresses of ntfy (NTFY.md §1). */
import { endpointsOf, routesOf } from "../../keys/endpoint.ts";
import { createFormats, type Formats } from "./formats.ts";
import { subscribe, type ReadDeps } from "./subscribe.ts";

type WithFormats = ReadDeps & { formats: Formats };

const endpoint = endpointsOf<WithFormats>();

// an address each: a topic key and a namespace differ by their form, which a parameter in the last place would hide
const json = endpoint(["GET /:topics/json", "GET /ntfy/:ns/:topics/json"], {
  scope: "topic key",
  bare: async (deps, request, params) => subscribe(deps, request, params, "json"),
});
const sse = endpoint(["GET /:topics/sse", "GET /ntfy/:ns/:topics/sse"], {
  scope: "topic key",
  bare: async (deps, request, params) => subscribe(deps, request, params, "sse"),
});
const raw = endpoint(["GET /:topics/raw", "GET /ntfy/:ns/:topics/raw"], {
  scope: "topic key",
  bare: async (deps, request, params) => subscribe(deps, request, params, "raw"),
});
const ws = endpoint(["GET /:topics/ws", "GET /ntfy/:ns/:topics/ws"], {
  scope: "topic key",
  bare: async (deps, request, params) => subscribe(deps, request, params, "ws"),
});

export const ntfyReadRoutes = (deps: ReadDeps) =>
  routesOf({ ...deps, formats: createFormats(deps) }, [json, sse, raw, ws]);
