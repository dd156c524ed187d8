/** Answers without a connection: feeds and what they load are stored; for the dashboard a page says that there is no connection. */
import { keepAnswer, keepFeed, storedAsset, storedFeed } from "../stored.ts";
import { settings } from "./settings.ts";

/** `{ns}/{key}` or `{ns}/{name}/{key}` (src/names/topic.ts). The name does not matter. */
const FEED = /^([^-/][^/]*)\/(?:[^/]+\/)?([a-z0-9_-]{1,32}-[0-9a-hjkmnp-tv-z]{26})$/;

/** The statuses that a proxy answers with while the server is away. */
const AWAY = new Set([502, 503, 504]);

/** Without any answer a browser would wait for minutes. */
const PATIENCE_MS = 5_000;

/** The answer to a request; undefined if the browser is to answer it. `scope`: the server's address with its base path and a slash. */
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

/** A page that loads nothing, since the stylesheet of the dashboard may be of another version by now. */
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

/** `isWhole`: the feed is asked for without a filter, so its answer can be stored. */
async function feed(event: FetchEvent, path: string, isWhole: boolean): Promise<Response> {
  const asked = fetch(event.request);
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, PATIENCE_MS));
  const answer = await Promise.race([asked.catch(() => undefined), late]);
  if (answer === undefined || AWAY.has(answer.status)) return (await storedFeed(path)) ?? asked;
  const copy = answer.clone();
  event.waitUntil(keep(path, copy, isWhole).catch(() => undefined)); // no room, or the connection is lost
  return answer;
}

async function keep(path: string, answer: Response, isWhole: boolean): Promise<void> {
  if (answer.ok && isWhole) await keepAnswer(path, answer);
  // the feed may be gone, or not stored yet
  else if (answer.status === 404 || (answer.ok && !(await storedFeed(path)))) await keepFeed(path);
}
