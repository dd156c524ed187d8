/** Feeds when there is no connection, and what they load. Nothing else is answered from here: no page of the dashboard. */
import { keepFeed, storedAsset, storedFeed } from "../stored.ts";

/** `{ns}/{key}` or `{ns}/{name}/{key}` (src/topics/names.ts); the name is decoration. */
const FEED = /^([^-/][^/]*)\/(?:[^/]+\/)?([a-z0-9_-]{1,32}-[0-9a-hjkmnp-tv-z]{26})$/;

/** What a proxy answers while the server is away. */
const AWAY = new Set([502, 503, 504]);

/** Undefined: the request goes its way. `scope`: with the base path and a slash. */
export function answerFor({ request }: FetchEvent, scope: URL): Promise<Response> | undefined {
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== scope.origin || !pathname.startsWith(scope.pathname)) return undefined;
  const rest = pathname.slice(scope.pathname.length);
  if (rest.startsWith("-/assets/")) return asset(request, pathname);
  const [, namespace, key] = FEED.exec(rest) ?? [];
  if (request.mode !== "navigate" || namespace === undefined || key === undefined) return undefined;
  return feed(request, `${scope.pathname}${namespace}/${key}`);
}

async function asset(request: Request, path: string): Promise<Response> {
  return (await storedAsset(path)) ?? fetch(request);
}

async function feed(request: Request, path: string): Promise<Response> {
  try {
    const answer = await fetch(request);
    if (answer.status === 404) void keepFeed(path).catch(() => undefined); // perhaps there is none any more
    return AWAY.has(answer.status) ? ((await storedFeed(path)) ?? answer) : answer;
  } catch (error) {
    const kept = await storedFeed(path);
    if (kept) return kept;
    throw error;
  }
}
