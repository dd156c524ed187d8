/** Decides which requests get in: the others are refused, or answered, before any route. */
import type { Deps } from "../deps.ts";
import { isHost } from "../http/address.ts";
import { isAmbiguous, SHOUTRRR } from "../http/path.ts";
import { problem } from "../http/problem.ts";
import { basePath, baseSegment } from "../http/urls.ts";
import { isReserved } from "../names/namespace.ts";
import type { Door } from "./context.ts";
import { allowed, type RouteTable } from "./table.ts";

const MAX_URL = 8_192;
/** Only these may be redirected: a publish would become a GET, whose 200 its sender would believe (REWRITES.md §2). */
const READS = new Set(["GET", "HEAD"]);
/** What works before the server is claimed, beside the pages below `/-/`, which lead to the set-up anyway. */
const OPEN_UNCLAIMED = new Set(["/", "/-", "/health", "/ready", "/metrics", "/openapi.json", "/docs"]);

/** The server's own pages below `/-/` answer only their own origin. */
export const isOwn = (path: string): boolean => path.startsWith("/-/");

/** Scripts of any origin may read the answer: the request needs a key or a capability, or anybody may ask. */
export const isShared = (path: string): boolean => !isOwn(path) && path !== "/metrics";

/** `path`: without the base path. Undefined: the request goes to its route. @throws Problem */
export type Gate = (request: Request, path: string, door: Door) => Response | undefined;

/** `taken`: reserved words that are names of older namespaces. */
export function createGate(
  { config, store }: Pick<Deps, "config" | "store">,
  table: RouteTable,
  taken: readonly string[],
): Gate {
  const base = basePath(config);
  const nobodys = { taken, ofBase: baseSegment(config) };
  const isUnclaimed = () => {
    const { claimed, keys } = store.setup.state();
    return !claimed && !keys;
  };
  return (request, path, door) => {
    requireSane(request, path);
    if (path.startsWith("/-/local/") && door !== "local") throw problem.notFound();
    if (request.method === "OPTIONS") return preflight(table, request, path);
    if (base !== "" && path === base && READS.has(request.method)) return Response.redirect(`${base}/-/`, 303);
    if (door !== "local" && isUnclaimed() && !isOpenUnclaimed(table, path)) throw problem.notSetUp();
    if (!isServed(table, path, nobodys)) throw problem.notFound();
    return undefined;
  };
}

/** @throws Problem if a reader could take the address for another */
function requireSane({ headers, url }: Request, path: string): void {
  const host = headers.get("host") ?? "";
  if (host !== "" && !isHost(host)) throw problem.badRequest("The Host header doesn't contain a host.");
  if (url.length > MAX_URL) throw problem.uriTooLong(MAX_URL);
  if (isAmbiguous(path) && !SHOUTRRR.some((known) => known === path)) throw problem.notFound();
}

interface Nobodys {
  taken: readonly string[];
  ofBase: string | undefined;
}

/** No namespace has a reserved first segment: it never reaches a route that begins with a parameter. */
function isServed(table: RouteTable, path: string, { taken, ofBase }: Nobodys): boolean {
  const end = path.indexOf("/", 1);
  const first = path.slice(1, end < 0 ? undefined : end);
  const isNobodys = (isReserved(first) && !taken.includes(first)) || first === ofBase;
  return !isNobodys || table.match(path)?.template.startsWith(`/${first}`) === true;
}

const isOpenUnclaimed = (table: RouteTable, path: string): boolean =>
  isOwn(path) ? table.match(path)?.template.startsWith("/-/") === true : OPEN_UNCLAIMED.has(path);

function preflight(table: RouteTable, { headers: sent }: Request, path: string): Response {
  const match = table.match(path);
  if (match === undefined) throw problem.notFound();
  const allow = allowed(match.methods).join(", ");
  const headers: Record<string, string> = { allow };
  if (isShared(path) && sent.has("access-control-request-method")) {
    const asked = sent.get("access-control-request-headers") ?? "";
    headers["access-control-allow-methods"] = allow;
    headers["access-control-max-age"] = "86400";
    if (/^[\w-]+(?:, *[\w-]+)*$/.test(asked)) headers["access-control-allow-headers"] = asked;
  }
  return new Response(null, { status: 204, headers });
}
