/** The files that pages load: `/-/assets/<name>.<hash>.<ext>`, immutable, from memory (WEB.md §1). */
import { Elysia } from "elysia";
import type { Deps } from "../deps.ts";
import { problem } from "../http/problem.ts";
import { etag, notModified } from "../http/respond.ts";
import { ASSETS, IMAGES, WORKER } from "./assets.generated.ts";
import { LANGUAGES, textsOf } from "./texts/texts.ts";

export type AssetName = keyof typeof ASSETS;
export type ImageName = keyof typeof IMAGES;
interface Asset {
  type: string;
  text: string;
}

const byPath = new Map<string, Asset>(Object.values(ASSETS).map((asset) => [asset.path, asset]));
const images = new Map<string, string>(Object.values(IMAGES).map(({ path, base64 }) => [path, base64]));
const compressed = new Map<string, Uint8Array<ArrayBuffer>>();

/** Path of an asset below the base path `base`. */
export const assetPath = (base: string, name: AssetName): string => base + ASSETS[name].path;

export const imagePath = (base: string, name: ImageName): string => base + IMAGES[name].path;

const IMMUTABLE = { "cache-control": "public, max-age=31536000, immutable", "x-content-type-options": "nosniff" };

export const assetRoutes = ({ config }: Pick<Deps, "config">) =>
  new Elysia()
    .get("/sw.js", ({ request }) => worker(request, config.push.receipts))
    .get("/-/assets/:file", ({ request, params }) => {
      const path = `/-/assets/${params.file}`;
      const image = images.get(path);
      if (image !== undefined)
        return new Response(Buffer.from(image, "base64"), { headers: { "content-type": "image/png", ...IMMUTABLE } });
      const asset = byPath.get(path);
      if (asset === undefined) throw problem.notFound();
      const headers: Record<string, string> = {
        "content-type": asset.type,
        vary: "accept-encoding",
        ...IMMUTABLE,
      };
      if (!acceptsGzip(request)) return new Response(asset.text, { headers });
      return new Response(gzip(path, asset.text), { headers: { ...headers, "content-encoding": "gzip" } });
    });

const acceptsGzip = (request: Request): boolean =>
  /(?:^|[,\s])gzip(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(request.headers.get("accept-encoding") ?? "");

/** Compressed once, at the first request. */
function gzip(path: string, text: string): Uint8Array<ArrayBuffer> {
  const known = compressed.get(path);
  if (known !== undefined) return known;
  const bytes = Bun.gzipSync(Buffer.from(text), { level: 9 });
  compressed.set(path, bytes);
  return bytes;
}

/**
 * The service worker may ask any host: buttons of notifications send requests (API.md §3). Its address is the same for
 * ever, so that browsers ask each time whether it is another: every reader gets the same, with the words of all languages
 * (static/worker/settings.ts takes those of its browser).
 */
function worker(request: Request, receipts: boolean): Response {
  const script = `const PEAL=${JSON.stringify({ words: WORKER_WORDS, receipts })};\n${WORKER}`;
  const tag = etag(script);
  return (
    notModified(request, tag) ??
    new Response(script, {
      headers: {
        etag: tag,
        "content-type": "text/javascript; charset=utf-8",
        "cache-control": "no-cache",
        "content-security-policy": "default-src 'none'; connect-src 'self' https: http:",
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff",
      },
    })
  );
}
const WORKER_WORDS = Object.fromEntries(LANGUAGES.map((language) => [language, textsOf(language).worker]));
