/**
 * Stores feeds as they were last seen, for when there is no connection (WEB.md §5). They stay in this browser, whose history
 * has their links anyway. Only feeds and what they load are stored, never a page of the dashboard.
 */

const CACHE = "peal-feeds";
/** The feeds that were opened last are kept. */
const MAX_FEEDS = 20;
/** An asset as the page loads it. Such a path in a message does not match: it is text, or part of an absolute URL. */
const ASSET = / (?:href|src)="((?:\/[\w.-]+)*\/-\/assets\/[\w.-]+)/g;

/** Fetches the unfiltered feed at `path`, and stores it with what it loads. */
export async function keepFeed(path: string): Promise<void> {
  const answer = await fetch(path);
  if (isNoTopic(answer.status, answer.headers.get("content-type"))) await forgetFeed(path);
  else if (answer.ok) await keepAnswer(path, answer);
}

/** Stores an answer of the server for the feed at `path`, with what it loads. */
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

/** Deletes the feed at `path`, which nobody may read any more. */
export async function forgetFeed(path: string): Promise<void> {
  const cache = await caches.open(CACHE);
  if (await cache.delete(path)) await tidy(cache);
}

/** The stored feed at `path`, whose `data-stored` says when it was stored. */
export async function storedFeed(path: string): Promise<Response | undefined> {
  const kept = await (await caches.open(CACHE)).match(path);
  if (!kept) return undefined;
  const at = kept.headers.get("date") ?? "";
  const text = (await kept.text()).replace("<html ", `<html data-stored="${at}" `);
  return new Response(text, { headers: kept.headers });
}

/** An asset of a stored feed. Its name has a hash in it, so it never changes. */
export const storedAsset = async (path: string): Promise<Response | undefined> =>
  (await caches.open(CACHE)).match(path);

/** Whether peal says that there is no such topic. A proxy's 404 may only mean that the server is away for a moment. */
const isNoTopic = (status: number, type: string | null): boolean =>
  status === 404 && type?.startsWith("application/problem+json") === true;

/** Deletes the oldest feeds beyond `MAX_FEEDS`, and the assets that no stored feed loads. */
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
