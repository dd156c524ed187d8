/** `/openapi.json` and `/docs`: OpenAPI 3.1, made from what the routes say of themselves and the schemas that validate (API.md §2). */
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Deps } from "../deps.ts";
import { contextOf } from "../http/context.ts";
import { problemTable } from "../http/problem.ts";
import { json } from "../http/respond.ts";
import { baseUrl } from "../http/urls.ts";
import { docsPage } from "../pages/docs.tsx";
import { viewOf } from "../pages/view.ts";
import { VERSION } from "../util/version.ts";

interface Described {
  method: string;
  path: string;
  hooks: { detail?: { parameters?: readonly object[] } };
}

/** `routes`: all that are described by then; those without a description (pages, assets) are left out. */
export function openApiRoutes(deps: Pick<Deps, "config" | "limits">, routes: readonly Described[]) {
  let made: ReturnType<typeof describe> | undefined; // no start waits for what few ask for
  const described = (request: Request) => {
    deps.limits.take("read", contextOf(request).address);
    return (made ??= describe(routes));
  };
  return new Elysia()
    .get("/openapi.json", ({ request }) => {
      const servers = JSON.stringify([{ url: baseUrl(deps, request) }]);
      return json(`${described(request).text.slice(0, -1)},"servers":${servers}}`);
    })
    .get("/docs", ({ request }) => described(request).page(viewOf(deps, request)));
}

function describe(routes: readonly Described[]) {
  const api = document(routes);
  return { text: JSON.stringify(api), page: docsPage(api) };
}

function document(routes: readonly Described[]) {
  const paths: Record<string, Record<string, object>> = {};
  for (const { method, path, hooks } of routes) {
    if (hooks.detail === undefined) continue;
    const names = [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
    const parameters = [...names.map(pathParameter), ...(hooks.detail.parameters ?? [])];
    const operations = (paths[path.replace(/:(\w+)/g, "{$1}")] ??= {});
    operations[method.toLowerCase()] = { ...hooks.detail, ...(parameters.length > 0 && { parameters }) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "peal",
      version: VERSION,
      description: "Notifications over HTTP: publish, read, follow live.",
      license: { name: "MIT", identifier: "MIT" },
    },
    paths,
    components: { responses: { Problem }, securitySchemes },
  };
}

/** What path parameters look like, by their names in the routes. */
const FORMS: Record<string, object> = {
  ns: { type: "string", description: "Namespace", pattern: "^[a-z0-9][a-z0-9_-]{0,31}$" },
  key: { type: "string", description: "Topic key" },
  name: { type: "string", description: "Topic name", pattern: "^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$" },
  id: { type: "string" },
};

const pathParameter = (name: string) => ({
  name,
  in: "path",
  required: true,
  schema: FORMS[name] ?? { type: "string" },
});

const Problem = {
  description: "What went wrong, and what to do (RFC 9457)",
  content: {
    "application/problem+json": {
      schema: Type.Object({
        type: Type.String(),
        title: Type.String(),
        status: Type.Integer(),
        code: Type.String({
          description: `One of ${problemTable.map(({ code }) => code).join(", ")}, or invalid_<parameter>`,
        }),
        detail: Type.String(),
        errors: Type.Optional(Type.Array(Type.Object({ path: Type.String(), message: Type.String() }))),
        request_id: Type.String(),
      }),
    },
  },
};

const securitySchemes = {
  bearer: { type: "http", scheme: "bearer", description: "An API key: `svc_` and 64 hex digits" },
  basic: { type: "http", scheme: "basic", description: "Any user name, the API key as password" },
};
