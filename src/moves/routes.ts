/** Takes records of an import from the command line, over `peal.sock`. */
import { Type } from "@sinclair/typebox";
import type { Deps } from "../deps.ts";
import { readJson } from "../http/body.ts";
import type { Body } from "../http/endpoint.ts";
import { problem } from "../http/problem.ts";
import { flag } from "../http/query.ts";
import { json, NO_STORE } from "../http/respond.ts";
import { baseUrl } from "../http/urls.ts";
import { endpointsOf, routesOf } from "../keys/endpoint.ts";
import { tokensOf } from "../tokens/secret.ts";
import type { ApplyDeps } from "./apply.ts";
import type { MoveRecord } from "./record.ts";

type RouteDeps = ApplyDeps & Pick<Deps, "keyUse" | "limits">;

/** The most that one request may have: the command sends far less at once, but a single record may be long. */
const MAX_BYTES = 4_194_304;

const Records = Type.Object({ records: Type.Array(Type.Unknown()) });

const records: Body<MoveRecord[]> = {
  required: true,
  content: { "application/json": { schema: Records } },
  read: async (request) => {
    const { records: given } = await readJson(request, Records, MAX_BYTES);
    const { lineOf } = await import("./record.ts"); // most servers never import: what it checks by takes 0.4 MB (measured)
    return given.map((one, index) => {
      const record = lineOf(one);
      if (typeof record === "string") throw problem.validationFailed([{ path: `/records/${index}`, message: record }]);
      if (record.kind === "peal-export" || record.kind === "end")
        throw problem.validationFailed([{ path: `/records/${index}`, message: "is no record" }]);
      return record;
    });
  },
};

const take = endpointsOf<RouteDeps>()("POST /-/local/import", {
  scope: "operator",
  query: { apply: flag("Store it; otherwise only say what would become of each record.") },
  body: records,
  handle: async ({ deps, request, query: { apply }, body }) => {
    const { applyRecords } = await import("./apply.ts");
    const applied = await applyRecords(deps, body, { isDry: !apply, base: baseUrl(deps, request) });
    return json({ applied }, 200, NO_STORE);
  },
});

export const moveRoutes = (deps: Omit<RouteDeps, "tokens">) => routesOf({ ...deps, tokens: tokensOf(deps) }, [take]);
