/** Feeds when there is no connection, and what they load. Nothing else is answered from here: no page of the dashboard. */
import { keepAnswer, keepFeed, storedAsset, storedFeed } from "../stored.ts";

/** `{ns}/{key}` or `{ns}/{name}/{key}` (src/topics/names.ts); the name is decoration. */
const FEED = /^([^-/][^/]*)\/(?:[^/]+\/)?([a-z0-9_-]{1,32}-[0-9a-hjkmnp-tv-z]{26})$/;

/** What a proxy answers while the server is away. */
const AWAY = new Set([502, 503, 504]);

/** Behind a black hole a browser waits for minutes. */
const PATIENCE_MS = 5_000;

/** Undefined: the request goes its way. `scope`: with the base path and a slash. */
export function answerFor(event: FetchEvent, scope: URL): Promise<Response> | undefined {
  const { request } = event;
  const { origin, pathname, search } = new URL(request.url);
  if (request.method !== "GET" || origin !== scope.origin || !pathname.startsWith(scope.pathname)) return undefined;
  const rest = pathname.slice(scope.pathname.length);
  if (rest.startsWith("-/assets/")) return asset(request, pathname);
  const [, namespace, key] = FEED.exec(rest) ?? [];
  if (request.mode !== "navigate" || namespace === undefined || key === undefined) return undefined;
  return feed(event, `${scope.pathname}${namespace}/${key}`, search === "");
}

async function asset(request: Request, path: string): Promise<Response> {
  return (await storedAsset(path)) ?? fetch(request);
}

/** `isWhole`: nothing of it is left out, so that its answer is what there is to be kept. */
async function feed(event: FetchEvent, path: string, isWhole: boolean): Promise<Response> {
  const asked = fetch(event.request);
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, PATIENCE_MS));
  const answer = await Promise.race([asked.catch(() => undefined), late]);
  if (answer === undefined || AWAY.has(answer.status)) return (await storedFeed(path)) ?? asked;
  const copy = answer.clone();
  event.waitUntil(keep(path, copy, isWhole).catch(() => undefined)); // no room, or no connection any more
  return answer;
}

async function keep(path: string, answer: Response, isWhole: boolean): Promise<void> {
  if (answer.ok && isWhole) await keepAnswer(path, answer);
  // perhaps there is none any more, or none was kept yet
  else if (answer.status === 404 || (answer.ok && !(await storedFeed(path)))) await keepFeed(path);
}
