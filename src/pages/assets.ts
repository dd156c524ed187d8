/** The files that pages load: `/-/assets/<name>.<hash>.<ext>`, immutable, from memory (WEB.md §1). */
import type { Deps } from "../deps.ts";
import { problem } from "../http/problem.ts";
import { acceptsGzip, etag, notModified } from "../http/respond.ts";
import { endpointsOf, routesOf } from "../keys/endpoint.ts";
import { ASSETS, IMAGES, WORKER } from "./assets.generated.ts";
import { LANGUAGES, textsOf } from "./texts/languages.ts";

export type AssetName = keyof typeof ASSETS;
export type ImageName = keyof typeof IMAGES;

/** Path of an asset below the base path `base`. */
export const assetPath = (base: string, name: AssetName): string => base + ASSETS[name].path;

export const imagePath = (base: string, name: ImageName): string => base + IMAGES[name].path;

/** Blobs, which all readers share: of plain bytes Bun keeps a copy for each until it is read (measured). */
interface File {
  headers: Record<string, string>;
  body: Blob;
  /** Absent for images, which are packed already. */
  unpacked?: () => Blob;
}

const NO_SNIFFING = { "x-content-type-options": "nosniff" };
const IMMUTABLE = { "cache-control": "public, max-age=31536000, immutable", ...NO_SNIFFING };

type AssetDeps = Pick<Deps, "config" | "clock" | "store" | "keyUse" | "limits" | "log">;

export function assetRoutes(deps: AssetDeps) {
  // when they are first asked for: a start packs and unpacks nothing
  let files: Map<string, File> | undefined;
  let worker: ReturnType<typeof workerFile> | undefined;
  const endpoint = endpointsOf<AssetDeps>();
  return routesOf(deps, [
    endpoint("GET /sw.js", {
      scope: "none",
      bare: ({ config }, request) => {
        worker ??= workerFile(config.push.receipts);
        return notModified(request, worker.etag) ?? respond(request, worker);
      },
    }),
    endpoint("GET /-/assets/:file", {
      scope: "none",
      bare: (_, request, params) => {
        files ??= new Map([...assets(), ...images()]);
        const file = files.get(`/-/assets/${params.file ?? ""}`);
        if (file === undefined) throw problem.notFound();
        return respond(request, file);
      },
    }),
  ]);
}

function respond(request: Request, { headers, body, unpacked }: File): Response {
  if (unpacked === undefined) return new Response(body, { headers });
  const either = { ...headers, vary: "accept-encoding" };
  if (!acceptsGzip(request)) return new Response(unpacked(), { headers: either });
  return new Response(body, { headers: { ...either, "content-encoding": "gzip" } });
}

/** A file that is kept packed, and unpacked once somebody wants it so. */
function file(headers: Record<string, string>, gzip: Uint8Array<ArrayBuffer>): File {
  let plain: Blob | undefined;
  return { headers, body: new Blob([gzip]), unpacked: () => (plain ??= new Blob([Bun.gunzipSync(gzip)])) };
}

const assets = (): [path: string, File][] =>
  Object.values(ASSETS).map(({ path, type, gzip }) => [
    path,
    file({ "content-type": type, ...IMMUTABLE }, Buffer.from(gzip, "base64")),
  ]);

const images = (): [path: string, File][] =>
  Object.values(IMAGES).map(({ path, base64 }) => [
    path,
    { headers: { "content-type": "image/png", ...IMMUTABLE }, body: new Blob([Buffer.from(base64, "base64")]) },
  ]);

/**
 * The service worker may ask any host: buttons of notifications send requests (API.md §3), and a push names no image but
 * of hosts that may be shown (PEAL_IMAGE_HOSTS). Its address is the same for ever, so that browsers ask each time whether
 * it is another: every reader gets the same, with the words of all languages (static/worker/settings.ts takes those of its
 * browser).
 */
function workerFile(receipts: boolean) {
  const words = Object.fromEntries(LANGUAGES.map((language) => [language, textsOf(language).worker]));
  const script = `const PEAL=${JSON.stringify({ words, receipts })};\n${WORKER}`;
  const headers = {
    etag: etag(script),
    "content-type": "text/javascript; charset=utf-8",
    "cache-control": "no-cache",
    "content-security-policy": "default-src 'none'; connect-src 'self' https: http:; img-src https: http:",
    "referrer-policy": "no-referrer",
    ...NO_SNIFFING,
  };
  return { ...file(headers, Bun.gzipSync(script)), etag: headers.etag };
}
