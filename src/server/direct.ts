/**
 * Calls the handlers of publishes, pings and hooks without Elysia, whose context and promises each of them would pay for: 0.5 KB of a
 * publish (measured). Only POST and PUT, because Elysia runs a HEAD as its GET.
 */
import type { RouteTable } from "./table.ts";

/** Undefined: the route is Elysia's, or there is none. `path`: without the base path. */
export function direct(table: RouteTable, request: Request, path: string): Response | Promise<Response> | undefined {
  const { method } = request;
  if (method !== "POST" && method !== "PUT") return undefined;
  const segments = path.split("/");
  const match = table.matchSegments(segments);
  return match?.direct?.get(method)?.(request, paramsOf(match.segments, segments));
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
