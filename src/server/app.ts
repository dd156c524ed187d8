/** All routes in one Elysia app: assembled from the rooms, with errors answered in one place. */
import { Elysia, NotFoundError, type AnyElysia } from "elysia";
import { peopleRoutes } from "../accounts/routes.ts";
import { pingRoutes } from "../checks/ping/routes.ts";
import { healthchecksRoutes } from "../checks/healthchecks/routes.ts";
import { checkRoutes } from "../checks/routes.ts";
import { scriptRoutes } from "../checks/scripts.ts";
import { deliveryRoutes } from "../delivery/routes.ts";
import type { Deps } from "../deps.ts";
import { fileRoutes } from "../files/routes.ts";
import { deviceRoutes } from "../devices/routes.ts";
import { forwardRoutes } from "../forwards/routes.ts";
import { gotifyRoutes } from "../gotify/routes.ts";
import { hookRoutes } from "../hooks/routes.ts";
import { innerPath, rawPath } from "../http/path.ts";
import { Problem, problem } from "../http/problem.ts";
import type { Route } from "../http/route.ts";
import { basePath } from "../http/urls.ts";
import { keyRoutes } from "../keys/routes.ts";
import { eventRoutes } from "../messages/events/routes.ts";
import { messageRoutes } from "../messages/routes.ts";
import { moveRoutes } from "../moves/routes.ts";
import { ntfyRoutes } from "../ntfy/routes.ts";
import { healthRoutes } from "../ops/health.ts";
import { summaryRoutes } from "../ops/summary.ts";
import { ntfyReadRoutes } from "../ntfy/read/routes.ts";
import { assetRoutes } from "../pages/assets.ts";
import { keyPageRoutes } from "../pages/dashboard/keys/routes.tsx";
import { checkPageRoutes } from "../pages/dashboard/checks/routes.tsx";
import { hookPageRoutes } from "../pages/dashboard/hooks/routes.tsx";
import { settingsRoutes } from "../pages/dashboard/settings/routes.tsx";
import { signInRoutes } from "../pages/dashboard/signin/routes.tsx";
import { topicPageRoutes } from "../pages/dashboard/topics/routes.tsx";
import { deliveryPageRoutes } from "../pages/dashboard/deliveries/routes.tsx";
import { devicePageRoutes } from "../pages/dashboard/devices/routes.tsx";
import { forwardPageRoutes } from "../pages/dashboard/forwards/routes.tsx";
import { feedRoutes } from "../pages/feed/routes.ts";
import { messagePageRoutes } from "../pages/dashboard/messages/routes.tsx";
import { overviewRoutes } from "../pages/dashboard/overview/routes.tsx";
import { languageRoutes } from "../pages/language/routes.ts";
import { pages } from "../pages/respond.ts";
import { setupRoutes } from "../setup/routes.tsx";
import { topicRoutes } from "../topics/routes.ts";
import { refusal } from "./errors.ts";
import { direct } from "./direct.ts";
import { localRoutes } from "./local.ts";
import { openApiRoutes } from "./openapi.ts";
import { allowed, createTable, type RouteTable } from "./table.ts";

export interface App {
  /**
   * Answers a request that the edge has let through. `path`: without the base path; `hasBase`: the request's own path begins with
   * it. May throw or reject with what the edge makes a refusal of.
   */
  fetch(request: Request, path: string, hasBase: boolean): Response | Promise<Response>;
  table: RouteTable;
  /** The addresses at which they answer, without the base path, each with the hooks that it runs. */
  routes: readonly (Pick<Route, "method" | "path"> & { hooks: Readonly<Record<string, unknown>> })[];
}

/**
 * One router, not two (`systemRouter`); `/x/` is not `/x`; and the path begins after the host, wherever that ends: with
 * `standardHostname`, `Host: pi` made the path begin later (measured).
 */
const OPTIONS = { systemRouter: false, strictPath: true, handler: { standardHostname: false } } as const;

export function createApp(deps: Deps): App {
  const routes: Route[] = [
    ...messageRoutes(deps),
    ...topicRoutes(deps),
    ...keyRoutes(deps),
    ...eventRoutes(deps),
    ...ntfyReadRoutes(deps),
    ...fileRoutes(deps),
    ...pingRoutes(deps),
    ...checkRoutes(deps),
    ...healthchecksRoutes(deps),
    ...scriptRoutes(deps),
    ...hookRoutes(deps),
    ...gotifyRoutes(deps),
    ...ntfyRoutes(deps),
    ...deviceRoutes(deps),
    ...forwardRoutes(deps),
    ...deliveryRoutes(deps),
    ...assetRoutes(deps),
    ...languageRoutes(deps),
    ...healthRoutes(deps),
    ...summaryRoutes(deps),
    ...localRoutes(deps),
    ...moveRoutes(deps),
    ...peopleRoutes(deps),
    ...feedRoutes(deps),
    ...overviewRoutes(deps),
    ...messagePageRoutes(deps),
    ...signInRoutes(deps),
    ...devicePageRoutes(deps),
    ...forwardPageRoutes(deps),
    ...deliveryPageRoutes(deps),
    ...checkPageRoutes(deps),
    ...topicPageRoutes(deps),
    ...hookPageRoutes(deps),
    ...keyPageRoutes(deps),
    ...settingsRoutes(deps),
    ...setupRoutes(deps),
    ...openApiRoutes(deps, () => routes),
  ];
  const table = createTable(routes);
  const ofElysia = routes.filter((route) => route.direct === undefined);
  const ofPrograms = [...ofElysia.filter(({ isPage }) => isPage !== true), ...refusals(table)];
  const ofPages = ofElysia.filter(({ isPage }) => isPage === true);

  const base = basePath(deps.config);
  const mounted = (prefix: string) => {
    const app: AnyElysia = new Elysia({ ...OPTIONS, prefix }).onError(({ request, error }) =>
      refusal(
        deps,
        request,
        error instanceof NotFoundError ? missing(table, innerPath(rawPath(request.url), prefix)) : error,
      ),
    );
    add(app, ofPrograms);
    // the hook of @elysiajs/html is on every route that is added after it: a publish pays for none
    return add(app.use(pages), ofPages);
  };
  const plain = mounted("");
  // mounted twice, because a request with another URL would lose its tie to the socket (address, time-outs)
  const based = base === "" ? plain : mounted(base);
  return {
    fetch: (request, path, hasBase): Response | Promise<Response> =>
      direct(table, request, path) ?? (hasBase ? based : plain).fetch(request),
    table,
    routes: [
      ...plain.routes,
      ...routes.flatMap(({ direct, detail, ...route }) => (direct ? [{ ...route, hooks: { detail } }] : [])),
    ],
  };
}

/** Adds routes one by one: with an app for each room, which another uses, Elysia would add each several times (measured). */
function add(app: AnyElysia, routes: readonly Route[]): AnyElysia {
  for (const { method, path, handler, detail = {} } of routes)
    app.route(method, path, handler as never, { parse: "none", detail });
  return app;
}

/** A separate route for each method that another path's route would take. */
const refusals = (table: RouteTable): Route[] =>
  table.shadowed().map(({ method, path, allow }) => ({
    ...{ method, path },
    handler: () => {
      throw notTaken(path, allow);
    },
  }));

/** No route took it: either another method of a known path, or an unknown path. */
function missing(table: RouteTable, path: string): Problem {
  const match = table.match(path);
  return match === undefined ? problem.notFound() : notTaken(match.template, match.methods);
}

/** A browser that opens an address to publish to learns how to do it; for a topic's name, the room of the feed says so. */
const PUBLISHING = /^\/v1\/.*\/publish$/;

/** What somebody who comes from ntfy tries first: `curl -d hi https://host/backups`. */
const NO_TOPIC =
  "Publish to a topic below its namespace: `POST /home/backups`. ntfy's tools publish to `/ntfy/home/backups`, or here to the topic's key.";

function notTaken(template: string, methods: readonly string[]): Problem {
  const allow = allowed(methods);
  if (PUBLISHING.test(template)) return problem.publishByPost(allow);
  if (template === "/:ns") return new Problem("method_not_allowed", NO_TOPIC, { headers: { allow: allow.join(", ") } });
  return problem.methodNotAllowed(allow);
}
