/**
 * Calls the handlers of publishes, pings and hooks without Elysia, whose context and promises each of them would pay for: 6 of 27
 * objects and 0.5 of 6.5 KB of a publish (measured). Only POST and PUT, because Elysia runs a HEAD as its GET.
 */
import type { Direct, Route } from "../http/route.ts";
import type { RouteTable } from "./table.ts";

/** `path`: without the base path. Undefined: the route is Elysia's, or there is none. */
export type Dispatch = (request: Request, path: string) => Response | Promise<Response> | undefined;

export const isDirect = (route: Route): route is Route & { direct: Direct } =>
  route.direct !== undefined && (route.method === "POST" || route.method === "PUT");

export function createDispatch(routes: readonly Route[], table: RouteTable): Dispatch {
  const byMethod = new Map<string, Map<string, Called>>();
  for (const { method, path, direct } of routes.filter(isDirect)) {
    const byTemplate = byMethod.get(method) ?? new Map<string, Called>();
    byMethod.set(method, byTemplate.set(path, { names: namesIn(path), direct }));
  }
  return (request, path): ReturnType<Dispatch> => {
    const byTemplate = byMethod.get(request.method);
    if (byTemplate === undefined) return undefined;
    const segments = path.split("/");
    const called = byTemplate.get(table.matchSegments(segments)?.template ?? "");
    return called?.direct(request, paramsOf(called.names, segments));
  };
}

interface Called {
  /** By segment; undefined where a segment is not a parameter. */
  names: readonly (string | undefined)[];
  direct: Direct;
}

const namesIn = (template: string) =>
  template.split("/").map((segment) => (segment.startsWith(":") ? segment.slice(1) : undefined));

function paramsOf(names: Called["names"], segments: readonly string[]): Record<string, string | null> {
  const params: Record<string, string | null> = {};
  for (let at = 0; at < segments.length; at++) {
    const name = names[at];
    if (name !== undefined) params[name] = decoded(segments[at] ?? "");
  }
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
