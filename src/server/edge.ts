/**
 * What every request passes on its way to the routes and back, in one function: Elysia's hooks would cost every publish
 * (measured). Names the request, asks the gate (gate.ts), counts, logs.
 */
import type { Server } from "bun";
import type { Deps } from "../deps.ts";
import { endBody } from "../http/body.ts";
import { rareHeader, setContext } from "../http/context.ts";
import { innerPath, rawPath } from "../http/path.ts";
import { problem } from "../http/problem.ts";
import { SHARED_HEADERS } from "../http/respond.ts";
import { basePath } from "../http/urls.ts";
import { namedAtRoot, readsByName, refused as refusedAsNtfy, speaksNtfy } from "../ntfy/errors.ts";
import type { Counter } from "../telemetry/instruments.ts";
import type { App } from "./app.ts";
import { Context, NO_HOST, type Door } from "./context.ts";
import { refusal } from "./errors.ts";
import { createGate, isOwn, isShared } from "./gate.ts";
import type { Secure } from "./secure.ts";

export type Handler = (request: Request, server: Server<unknown>) => Response | Promise<Response>;

export interface Edge {
  /** The function that a listener calls. `origin`: of this door, instead of the one that requests name. */
  through(door: Door, origin?: string): Handler;
  /** From now on requests are refused with 503 `stopping`. */
  drain(): void;
}

/** `taken`: reserved words that are the name of a namespace all the same. `secure`: what plain http leaves to https. */
export function createEdge(deps: Deps, app: App, taken: readonly string[] = [], secure?: Secure): Edge {
  const { config, log, clock, metrics, limits, proxies } = deps;
  const hsts = config.hsts === undefined ? undefined : `max-age=${config.hsts}`;
  const base = basePath(config);
  const gate = createGate(deps, app.table, taken);
  const byStatus = new Map<number, Counter>();
  let isDraining = false;

  function finish(context: Context, path: string, response: Response): Response {
    const { request } = context;
    const { headers, status } = response;
    headers.set("x-request-id", context.id);
    const isTaken = isPublish(request.method, path) && status < 300;
    // a script of another origin names it with each POST and PUT (Fetch §3.2); tools, which do not, are spared a fifth of the answer
    if (isShared(path) && (!isTaken || rareHeader(request, "origin") !== null))
      for (const [name, value] of SHARED) headers.set(name, value);
    if (hsts !== undefined && context.origin.startsWith("https:")) headers.set("strict-transport-security", hsts);
    if (status >= 400 && !request.bodyUsed && request.headers.has("transfer-encoding")) endBody(request);
    let counter = byStatus.get(status);
    if (counter === undefined) byStatus.set(status, (counter = metrics.requests.of(String(status))));
    counter.inc();
    const ms = clock.monotonic() - context.cameAt;
    if (isTaken) metrics.publishSeconds.observe(ms / 1000);
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
    const entrance = { door, proxies, limits, origin };
    return (request, server): Response | Promise<Response> => {
      if (door === "tls") namePlain(request);
      const context = new Context(request, server, entrance, clock.monotonic());
      setContext(request, context);
      const whole = rawPath(request.url);
      // some clients drop the slash of an address that is nothing but the base
      const given = whole === base && request.method === "POST" ? "/" : innerPath(whole, base);
      const isSlashed = given.length > 1 && given.endsWith("/") && isPublish(request.method, given.slice(0, -1));
      const path = isSlashed ? given.slice(0, -1) : given;
      const isNamed = readsByName(request, path) && OF_TOPIC.test(app.table.match(path)?.template ?? "");
      if (isNamed || speaksNtfy(request.method, path)) context.form = refusedAsNtfy;
      let answer: Response | Promise<Response>;
      try {
        if (isDraining && path !== "/health") throw problem.stopping();
        const elsewhere = door === "tcp" ? secure?.(request, path) : undefined;
        const answered = elsewhere ?? gate(request, path, door);
        if (answered === undefined && isNamed) throw namedAtRoot();
        answer = answered ?? app.fetch(routed(request, context, isSlashed), path, given !== whole);
      } catch (error) {
        answer = refusal(deps, request, error);
      }
      return answer instanceof Promise
        ? answer.then(
            (response) => finish(context, path, response),
            (error: unknown) => finish(context, path, refusal(deps, request, error)),
          )
        : finish(context, path, answer);
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

/** The template of a topic's address in its namespace. */
const OF_TOPIC = /^\/:ns\/:\w+$/;

/**
 * Elysia looks for the path behind `http://` (app.ts) and would find another one behind `https://`. The request itself stays: a
 * copy would lose its tie to the socket. Context.origin says https all the same.
 */
function namePlain(request: Request): void {
  const { url } = request;
  if (url.startsWith("https://")) Object.defineProperty(request, "url", { value: `http${url.slice("https".length)}` });
}

/** One of the publishing paths (API.md §2, §9). */
const isPublish = (method: string, path: string): boolean =>
  (method === "POST" || method === "PUT") &&
  (path.startsWith("/v1/")
    ? path.endsWith("/publish") || HOOKS.test(path)
    : !isOwn(path) && !NOT_PUBLISHING.test(path));
/** Anchored: it fails at the first letters of nearly every address. */
const NOT_PUBLISHING = /^\/(?:api\/(?:push\/|v\d)|(?:client|auth\/logout)$)/;
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
