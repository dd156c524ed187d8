/** `/openapi.json` and `/docs`: OpenAPI 3.1, made from the declarations of the routes and from their schemas (API.md §2). */
import { Type } from "@sinclair/typebox";
import { SLUG } from "../checks/schema.ts";
import type { Deps } from "../deps.ts";
import { DIALECTS } from "../hooks/hook.ts";
import { problemTable } from "../http/problem.ts";
import { JSON_HEADERS } from "../http/respond.ts";
import type { Route } from "../http/route.ts";
import { baseUrl } from "../http/urls.ts";
import { docsPage } from "../pages/docs.tsx";
import { endpointsOf, routesOf } from "../keys/endpoint.ts";
import { type Answering, pageRoutesOf, packed } from "../pages/respond.ts";
import { viewOf } from "../pages/view.ts";
import { VERSION } from "../util/version.ts";

type Described = Pick<Route, "method" | "path"> & { detail?: { summary?: string; parameters?: readonly object[] } };

type DocumentDeps = Pick<Deps, "config" | "clock" | "store" | "keyUse" | "limits" | "log" | "answers">;

/** `routes`: asked for at the first look, so its own too; those without a description (pages, assets) are left out. */
export function openApiRoutes(deps: DocumentDeps, routes: () => readonly Described[]) {
  let description: ReturnType<typeof describe> | undefined; // no start waits for what few ask for
  const find = () => (description ??= describe(routes()));
  const of = { scope: "none", limit: ["read"], problems: [503], find } as const;
  const json = endpointsOf<DocumentDeps>("server")("GET /openapi.json", {
    ...of,
    summary: "This document",
    answers: { 200: { description: "OpenAPI 3.1", schema: Type.Object({}) } },
    handle: async ({ request, found: { text } }) => {
      const servers = JSON.stringify([{ url: baseUrl(deps, request) }]);
      return deps.answers.send(request, async () => ({
        body: `${text.slice(0, -1)},"servers":${servers}}`,
        headers: JSON_HEADERS,
      }));
    },
  });
  const page = endpointsOf<DocumentDeps, Answering>("server")("GET /docs", {
    ...of,
    summary: "This document as a page",
    answers: { 200: { description: "OpenAPI 3.1", type: "text/html", schema: Type.String() } },
    handle: async ({ request, answering, found: { page } }) =>
      deps.answers.send(request, async () => packed(request, answering, page(viewOf(deps, request)))),
  });
  return [...routesOf(deps, [json]), ...pageRoutesOf(deps, [page])];
}

/** The share link answers as the feed's own path does. */
const FEED = "/:ns/:key";
const SHARE_LINK = "/:ns/:key/:last";

/** The router wants the same name for the same place in all paths, and so does OpenAPI for paths of one shape. */
const SHOWN = new Map([
  ["/:ns/:name", "/:ns/:topic"],
  [FEED, "/:ns/:topic"],
  [SHARE_LINK, "/:ns/:name/:key"],
]);

function describe(routes: readonly Described[]) {
  const api = document(routes);
  return { text: JSON.stringify(api), page: docsPage(api) };
}

function document(routes: readonly Described[]) {
  const paths: Record<string, Record<string, object>> = {};
  const feed = routes.find(({ method, path }) => method === "GET" && path === FEED)?.detail;
  for (const { method, path, detail: own } of routes) {
    const detail = path === SHARE_LINK ? feed : own;
    if (detail?.summary === undefined) continue;
    const shown = SHOWN.get(path) ?? path;
    const names = [...shown.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
    const parameters = [...names.map(pathParameter), ...(detail.parameters ?? [])];
    const operations = (paths[shown.replace(/:(\w+)/g, "{$1}")] ??= {});
    operations[method.toLowerCase()] = {
      operationId: operationId(method, shown),
      ...(method === "GET" ? bodiless(detail) : detail),
      ...(parameters.length > 0 && { parameters }),
    };
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

/** A path may take the same by GET as by POST; the content of a GET means nothing (RFC 9110 §9.3.1). */
const bodiless = (detail: object): object =>
  Object.fromEntries(Object.entries(detail).filter(([name]) => name !== "requestBody"));

/** `getV1NsKeyMessages` of `GET /v1/:ns/:key/messages`: what generators call the function. */
const operationId = (method: string, path: string): string =>
  method.toLowerCase() + path.replaceAll(/[^A-Za-z0-9]+([A-Za-z0-9]?)/g, (_, first: string) => first.toUpperCase());

const NAME = "^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$";

/** The forms of path parameters, by their names in the routes. */
const FORMS: Record<string, object> = {
  ns: { type: "string", description: "Namespace", pattern: "^[a-z0-9][a-z0-9_-]{0,31}$" },
  key: { type: "string", description: "Topic key" },
  name: { type: "string", description: "Topic name", pattern: NAME },
  topic: { type: "string", description: "Topic name to publish, topic key to read", pattern: NAME },
  id: { type: "string" },
  version: { type: "string", enum: ["v1", "v2", "v3"] },
  token: { type: "string", description: "Token of a check or a hook, or ping key of a namespace" },
  dialect: { type: "string", enum: [...DIALECTS] },
  suffix: { type: "string", description: "Behind a token what happened, behind a ping key a slug", pattern: SLUG },
  outcome: { type: "string", description: "What happened", pattern: "^(?:start|fail|log|[0-9]{1,3})$" },
  n: { type: "integer", minimum: 1, description: "Number of the event" },
  file: { type: "string", description: "Token of the badge", pattern: "^[0-9a-hjkmnp-tv-z]{26}\\.(?:svg|json)$" },
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
