/**
 * Everything that a request passes on its way to the routes and back, in one function: Elysia's hooks would cost every publish
 * (measured). It names the request, refuses what nobody may ask, answers OPTIONS, counts and logs.
 */
import type { Server } from "bun";
import type { Deps } from "../deps.ts";
import { isHost } from "../http/address.ts";
import { endBody } from "../http/body.ts";
import { setContext } from "../http/context.ts";
import { innerPath, isAmbiguous, rawPath, SHOUTRRR } from "../http/path.ts";
import { problem } from "../http/problem.ts";
import { SHARED_HEADERS } from "../http/respond.ts";
import { basePath, baseSegment } from "../http/urls.ts";
import { isReserved } from "../names/namespace.ts";
import type { Counter } from "../telemetry/instruments.ts";
import type { App } from "./app.ts";
import { Context, createProxies, NO_HOST, type Door } from "./context.ts";
import { refusal } from "./errors.ts";
import { allowed } from "./table.ts";

export type Handler = (request: Request, server: Server<unknown>) => Response | Promise<Response>;

export interface Edge {
  /** The function that a listener calls. `origin`: of this door, instead of the one that requests name. */
  through(door: Door, origin?: string): Handler;
  /** From now on requests are refused with 503 `stopping`. */
  drain(): void;
}

const MAX_URL = 8_192;
/** Only these may be redirected: a publish would become a GET, whose 200 its sender would believe (REWRITES.md §2). */
const READS = new Set(["GET", "HEAD"]);

/** `taken`: reserved words that are the name of a namespace all the same. */
export function createEdge(deps: Deps, app: App, taken: readonly string[] = []): Edge {
  const { config, store, log, clock, metrics } = deps;
  const base = basePath(config);
  const firstOfBase = baseSegment(config);
  const proxies = createProxies(config, { clock, log });
  const byStatus = new Map<number, Counter>();
  let isDraining = false;

  /** The answer to a request that is refused or answered before any route. `path`: without the base path. */
  function gate(request: Request, path: string, door: Door): Response | undefined {
    if (isDraining && path !== "/health") throw problem.stopping();
    const host = request.headers.get("host") ?? "";
    if (host !== "" && !isHost(host)) throw problem.badRequest("The Host header doesn't contain a host.");
    if (request.url.length > MAX_URL) throw problem.uriTooLong(MAX_URL);
    if (isAmbiguous(path) && !SHOUTRRR.some((known) => known === path)) throw problem.notFound();
    if (path.startsWith("/-/local/") && door !== "local") throw problem.notFound();
    if (request.method === "OPTIONS") return preflight(request, path);
    if (base !== "" && path === base && READS.has(request.method)) return Response.redirect(`${base}/-/`, 303);
    if (door !== "local" && isUnclaimed() && !isOpenUnclaimed(path)) throw problem.notSetUp();
    if (!isServed(path)) throw problem.notFound();
    return undefined;
  }

  /** No namespace has a reserved first segment: it never reaches a route that begins with a parameter. */
  function isServed(path: string): boolean {
    const end = path.indexOf("/", 1);
    const first = path.slice(1, end < 0 ? undefined : end);
    const isNobodys = (isReserved(first) && !taken.includes(first)) || first === firstOfBase;
    return !isNobodys || app.table.match(path)?.template.startsWith(`/${first}`) === true;
  }

  /** What works before the server is claimed: the pages below `/-/` lead to the set-up by themselves. */
  const isOpenUnclaimed = (path: string): boolean =>
    isOwn(path) ? app.table.match(path)?.template.startsWith("/-/") === true : OPEN_UNCLAIMED.has(path);

  function isUnclaimed(): boolean {
    const { claimed, keys } = store.setup.state();
    return !claimed && !keys;
  }

  function preflight(request: Request, path: string): Response {
    const match = app.table.match(path);
    if (match === undefined) throw problem.notFound();
    const allow = allowed(match.methods).join(", ");
    const asked = request.headers.get("access-control-request-headers") ?? "";
    const headers: Record<string, string> = { allow };
    if (isShared(path) && request.headers.has("access-control-request-method"))
      Object.assign(headers, {
        "access-control-allow-methods": allow,
        "access-control-max-age": "86400",
        ...(/^[\w-]+(?:, *[\w-]+)*$/.test(asked) && { "access-control-allow-headers": asked }),
      });
    return new Response(null, { status: 204, headers });
  }

  function finish(request: Request, context: Context, path: string, startedAt: number, response: Response): Response {
    const { headers, status } = response;
    headers.set("x-request-id", context.id);
    // an answer to a publish has them from its beginning
    if (isShared(path) && !headers.has("access-control-allow-origin"))
      for (const [name, value] of SHARED) headers.set(name, value);
    if (status >= 400 && !request.bodyUsed && request.headers.has("transfer-encoding")) endBody(request);
    let counter = byStatus.get(status);
    if (counter === undefined) byStatus.set(status, (counter = metrics.requests.of(String(status))));
    counter.inc();
    const ms = clock.monotonic() - startedAt;
    if (isPublish(request.method, path) && status < 300) metrics.publishSeconds.observe(ms / 1000);
    if (log.isDebugging)
      log.debug("request", {
        request: context.id,
        method: request.method,
        route: app.table.match(path)?.template ?? "none", // never the path: it may hold a capability
        status,
        ms: Math.round(ms * 10) / 10,
        client: context.address,
      });
    return response;
  }

  const through = (door: Door, origin?: string): Handler => {
    return (request, server): Response | Promise<Response> => {
      const startedAt = clock.monotonic();
      const context = new Context(request, server, door, proxies, origin);
      setContext(request, context);
      const whole = rawPath(request.url);
      const given = innerPath(whole, base);
      const isSlashed = given.length > 1 && given.endsWith("/") && isPublish(request.method, given.slice(0, -1));
      const path = isSlashed ? given.slice(0, -1) : given;
      let answer: Response | Promise<Response>;
      try {
        answer = gate(request, path, door) ?? app.fetch(routed(request, context, isSlashed), given !== whole);
      } catch (error) {
        answer = refusal(deps, request, error);
      }
      return answer instanceof Promise
        ? answer.then((response) => finish(request, context, path, startedAt, response))
        : finish(request, context, path, startedAt, answer);
    };
  };

  return {
    through,
    drain: () => {
      isDraining = true;
    },
  };
}

const SHARED = Object.entries(SHARED_HEADERS);
const OPEN_UNCLAIMED = new Set(["/", "/-", "/health", "/ready", "/metrics", "/openapi.json", "/docs"]);

/** The server's own pages below `/-/` answer their own origin only. */
const isOwn = (path: string): boolean => path.startsWith("/-/");

/** Scripts of any origin may read the answer: the request needs a key or a capability, or anybody may ask. */
const isShared = (path: string): boolean => !isOwn(path) && path !== "/metrics";

/** One of the publishing paths (API.md §2, §9). */
const isPublish = (method: string, path: string): boolean =>
  (method === "POST" || method === "PUT") &&
  (path.startsWith("/v1/")
    ? path.endsWith("/publish") || HOOKS.test(path)
    : !isOwn(path) && !path.startsWith("/api/push/"));
const HOOKS = /^\/v1\/(?:hook|gotify|apprise)\//;

/**
 * The routes get a whole URL, even if the client named no host. A slash at the end of an address to publish to is dropped: its
 * sender would not try again without it. Elysia itself runs a HEAD as its GET.
 */
function routed(request: Request, context: Context, isSlashed: boolean): Request {
  const { url } = request;
  const isWhole = !url.startsWith("/");
  if (isWhole && !isSlashed) return request;
  const copy = new Request((isWhole ? "" : NO_HOST) + (isSlashed ? url.replace(/\/(?=\?|$)/, "") : url), request);
  setContext(copy, context);
  return copy;
}
