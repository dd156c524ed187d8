/** Without a connection: feeds, and what they load. Of the dashboard nothing is kept: in its place is said so. */
import { keepAnswer, keepFeed, storedAsset, storedFeed } from "../stored.ts";
import { settings } from "./settings.ts";

/** `{ns}/{key}` or `{ns}/{name}/{key}` (src/names/topic.ts); the name is decoration. */
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
  if (request.mode !== "navigate") return undefined;
  if (rest.startsWith("-/")) return fetch(request).catch(noConnection);
  const [, namespace, key] = FEED.exec(rest) ?? [];
  if (namespace === undefined || key === undefined) return undefined;
  return feed(event, `${scope.pathname}${namespace}/${key}`, search === "");
}

/** A page of its own, which loads nothing: a style of the dashboard may be of another version by now. */
function noConnection(): Response {
  const { language, words } = settings;
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">`;
  const page = `<!doctype html><html lang="${language}"><head>${head}<title>${words.offline} · peal</title></head>
<body><main><h1>${words.offline}</h1><p>${words.offlineWhy}</p><p><a href="">${words.again}</a></p></main></body></html>`;
  const headers = { "content-type": "text/html; charset=utf-8", "content-security-policy": "default-src 'none'" };
  return new Response(page, { status: 503, headers });
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
