/** All routes in one Elysia app: assembled from the rooms, with errors answered in one place. */
import { Elysia, NotFoundError } from "elysia";
import { peopleRoutes } from "../accounts/routes.ts";
import { pingRoutes } from "../checks/ping/routes.ts";
import { checkRoutes } from "../checks/routes.ts";
import { deliveryRoutes } from "../delivery/routes.ts";
import type { Deps } from "../deps.ts";
import { deviceRoutes } from "../devices/routes.ts";
import { innerPath, rawPath } from "../http/path.ts";
import { problem, type Problem } from "../http/problem.ts";
import { basePath } from "../http/urls.ts";
import { keyRoutes } from "../keys/routes.ts";
import { eventRoutes } from "../messages/events/routes.ts";
import { messageRoutes } from "../messages/routes.ts";
import { healthRoutes } from "../ops/health.ts";
import { assetRoutes } from "../pages/assets.ts";
import { keyPageRoutes } from "../pages/dashboard/keys/routes.tsx";
import { checkPageRoutes } from "../pages/dashboard/checks/routes.tsx";
import { settingsRoutes } from "../pages/dashboard/settings/routes.tsx";
import { signInRoutes } from "../pages/dashboard/signin/routes.tsx";
import { topicPageRoutes } from "../pages/dashboard/topics/routes.tsx";
import { deliveryPageRoutes } from "../pages/dashboard/deliveries/routes.tsx";
import { devicePageRoutes } from "../pages/dashboard/devices/routes.tsx";
import { feedRoutes } from "../pages/feed/routes.tsx";
import { overviewRoutes } from "../pages/dashboard/overview/routes.tsx";
import { languageRoutes } from "../pages/language/routes.ts";
import { setupRoutes } from "../setup/routes.tsx";
import { topicRoutes } from "../topics/routes.ts";
import { refusal } from "./errors.ts";
import { localRoutes } from "./local.ts";
import { openApiRoutes } from "./openapi.ts";
import { allowed, createTable, shadowed, type Route, type RouteTable } from "./table.ts";

export interface App {
  /** Answers a request that the edge has let through. `hasBase`: its path begins with the base path. */
  fetch(request: Request, hasBase: boolean): Response | Promise<Response>;
  table: RouteTable;
  /** As they answer, without the base path, each with the hooks that it runs. */
  routes: readonly (Route & { hooks: Readonly<Record<string, unknown>> })[];
}

/**
 * One router and not two (`systemRouter`), `/x/` is not `/x`, and the path begins after the host, wherever that ends:
 * with `standardHostname`, `Host: pi` made the path begin later (measured).
 */
const OPTIONS = { systemRouter: false, strictPath: true, handler: { standardHostname: false } } as const;

export function createApp(deps: Deps): App {
  const rooms = new Elysia(OPTIONS)
    .use(messageRoutes(deps))
    .use(topicRoutes(deps))
    .use(keyRoutes(deps))
    .use(eventRoutes(deps))
    .use(pingRoutes(deps))
    .use(checkRoutes(deps))
    .use(deviceRoutes(deps))
    .use(deliveryRoutes(deps))
    .use(assetRoutes(deps))
    .use(languageRoutes(deps))
    .use(healthRoutes(deps))
    .use(localRoutes(deps))
    .use(peopleRoutes(deps))
    // pages come last: the hook of @elysiajs/html is on every route that is registered after it, and a publish pays for none
    .use(feedRoutes(deps))
    .use(overviewRoutes(deps))
    .use(signInRoutes(deps))
    .use(devicePageRoutes(deps))
    .use(deliveryPageRoutes(deps))
    .use(checkPageRoutes(deps))
    .use(topicPageRoutes(deps))
    .use(keyPageRoutes(deps))
    .use(settingsRoutes(deps))
    .use(setupRoutes(deps));
  rooms.use(openApiRoutes(deps, rooms.routes));
  const table = createTable(rooms.routes);
  for (const { method, path, allow } of shadowed(table))
    rooms.route(method, path, () => {
      throw problem.methodNotAllowed(allowed(allow));
    });

  const base = basePath(deps.config);
  const mounted = (prefix: string) =>
    new Elysia({ ...OPTIONS, prefix })
      .onError(({ request, error }) =>
        refusal(
          deps,
          request,
          error instanceof NotFoundError ? missing(table, innerPath(rawPath(request.url), prefix)) : error,
        ),
      )
      .use(rooms);
  const plain = mounted("");
  // mounted twice, since a request with another URL would lose its tie to the socket (address, time-outs)
  const based = base === "" ? plain : mounted(base);
  return {
    fetch: (request, hasBase): Response | Promise<Response> => (hasBase ? based : plain).fetch(request),
    table,
    routes: plain.routes,
  };
}

/** No route took it: a known path with another method, or nothing at all. */
function missing(table: RouteTable, path: string): Problem {
  const match = table.match(path);
  return match === undefined ? problem.notFound() : problem.methodNotAllowed(allowed(match.methods));
}
