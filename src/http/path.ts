/** The path of a request as text: before any decoding, after the base path. */

/**
 * From the first slash after the host to the query, still percent-encoded. Without a valid Host (HTTP/1.0 may send none) Bun
 * makes no URL and gives only the path.
 */
export function rawPath(url: string): string {
  const start = pathStart(url);
  const query = url.indexOf("?", start);
  return url.slice(start, query < 0 ? undefined : query);
}

/** The path as `rawPath` gives it, and the query. */
export const rawTarget = (url: string): string => url.slice(pathStart(url));

const pathStart = (url: string): number => (url.startsWith("http") ? url.indexOf("/", url.indexOf("//") + 2) : 0);

/** The path without the base path (`/peal`, or empty): requests work with and without it. */
export const innerPath = (path: string, base: string): string =>
  base !== "" && path.startsWith(`${base}/`) ? path.slice(base.length) : path;

/** The paths that shoutrrr makes of a Gotify server's address with a path (`pkg/services/gotify/gotify.go`, `buildURL`). */
export const SHOUTRRR = ["//message", "/v1/gotify//message"] as const;

/**
 * Whether two readers could understand the path differently: empty segments, encoded slashes, backslashes, NUL, dot segments,
 * fragments. No path of ours is like that; Bun itself has already resolved plain `..` and turned `\` into `/`.
 */
export const isAmbiguous = (path: string): boolean => /\/\/|[\\#]|%(?:2f|5c|00)|\/(?:\.|%2e){1,2}(?:\/|$)/i.test(path);

/** The parameters of a path. The router gives null for broken escapes; here they are empty, which names nothing. */
export function namedParts<Name extends string>(params: Record<Name, string | null>): Record<Name, string> {
  for (const name in params) params[name] ??= "";
  return params as Record<Name, string>;
}
