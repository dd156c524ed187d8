/**
 * Feeds as they were last seen, for when there is no connection (WEB.md §5): only in this browser, where their links are
 * in the history too. Nothing but feeds and what they load: no page of the dashboard.
 */

const CACHE = "peal-feeds";
/** Those that were opened last. */
const MAX_FEEDS = 20;
/** As the page loads it: what a message says of such paths is text, or an address of another host. */
const ASSET = / (?:href|src)="((?:\/[\w.-]+)*\/-\/assets\/[\w.-]+)/g;

/** Asks for the feed at `path` as everybody sees it, and keeps it with what it loads. */
export async function keepFeed(path: string): Promise<void> {
  const answer = await fetch(path);
  if (isNoTopic(answer.status, answer.headers.get("content-type"))) await forgetFeed(path);
  else if (answer.ok) await keepAnswer(path, answer);
}

/** Keeps what the server answered when it was asked for the feed, with what it loads. */
export async function keepAnswer(path: string, answer: Response): Promise<void> {
  const text = await answer.clone().text();
  const cache = await caches.open(CACHE);
  const known = new Set((await cache.keys()).map(({ url }) => new URL(url).pathname));
  const assets = new Set([...text.matchAll(ASSET)].map(([, asset = ""]) => asset));
  const missing = [...assets].filter((asset) => !known.has(asset));
  await Promise.allSettled(missing.map(async (asset) => cache.add(asset)));
  await cache.put(path, answer);
  if (missing.length > 0 || !known.has(path)) await tidy(cache);
}

/** Nobody may read it any more. */
export async function forgetFeed(path: string): Promise<void> {
  const cache = await caches.open(CACHE);
  if (await cache.delete(path)) await tidy(cache);
}

/** The feed at `path`, marked with when it was kept: `data-stored`. */
export async function storedFeed(path: string): Promise<Response | undefined> {
  const kept = await (await caches.open(CACHE)).match(path);
  if (!kept) return undefined;
  const at = kept.headers.get("date") ?? "";
  const text = (await kept.text()).replace("<html ", `<html data-stored="${at}" `);
  return new Response(text, { headers: kept.headers });
}

/** An asset of a feed that is kept; its name has a hash in it, so that it is never another. */
export const storedAsset = async (path: string): Promise<Response | undefined> =>
  (await caches.open(CACHE)).match(path);

/** Our own answer: a proxy's 404 may only mean that the server is away for a moment. */
const isNoTopic = (status: number, type: string | null): boolean =>
  status === 404 && type?.startsWith("application/problem+json") === true;

/** Not too many, and no asset that none of them loads. */
async function tidy(cache: Cache): Promise<void> {
  const isAsset = ({ url }: Request) => url.includes("/-/assets/");
  const keys = await cache.keys();
  const feeds = await Promise.all(
    keys
      .filter((key) => !isAsset(key))
      .map(async (key) => {
        const kept = await cache.match(key);
        return { key, at: Date.parse(kept?.headers.get("date") ?? "") || 0, text: (await kept?.text()) ?? "" };
      }),
  );
  feeds.sort((a, b) => b.at - a.at);
  const old = feeds.splice(MAX_FEEDS).map(({ key }) => key);
  const isLoaded = ({ url }: Request) => feeds.some(({ text }) => text.includes(new URL(url).pathname));
  const unused = keys.filter((key) => isAsset(key) && !isLoaded(key));
  await Promise.all([...old, ...unused].map(async (key) => cache.delete(key)));
}
