/**
 * Calls the handlers of publishes, pings and hooks without Elysia, whose context and promises each of them would pay for: 0.5 KB of a
 * publish (measured). And all of addresses that begin with topic keys, as ntfy's do, which its router cannot tell from namespaces.
 */
import { areTopicKeys } from "../names/topic.ts";
import type { RouteTable } from "./table.ts";

/** Undefined: the route is Elysia's, or there is none. `path`: without the base path. */
export function direct(table: RouteTable, request: Request, path: string): Response | Promise<Response> | undefined {
  const { method } = request;
  const segments = path.split("/");
  if (method !== "POST" && method !== "PUT" && !areTopicKeys(segments[1] ?? "")) return undefined;
  const match = table.matchSegments(segments);
  const handler = match?.direct?.get(method === "HEAD" ? "GET" : method);
  return match === undefined ? undefined : handler?.(request, paramsOf(match.segments, segments));
}

function paramsOf(template: readonly string[], path: readonly string[]): Record<string, string | null> {
  const params: Record<string, string | null> = {};
  for (let at = 0; at < template.length; at++)
    if (template[at]?.startsWith(":") === true) params[template[at]?.slice(1) ?? ""] = decoded(path[at] ?? "");
  return params;
}

function decoded(segment: string): string | null {
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}
