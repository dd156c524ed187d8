/** How every page leaves: the headers of WEB.md §1 in one place. */
import { html as htmlPlugin } from "@elysiajs/html";
import type { Context } from "elysia";
import { acceptsGzip } from "../http/respond.ts";
import type { Safe } from "./jsx/jsx-runtime.ts";
import { VIEW_VARIES } from "./view.ts";

const CONTENT_TYPE = "text/html; charset=utf-8";

/**
 * For the rooms of pages: gives their handlers `html`, which makes a document the answer. Of the plugin no more than
 * that: its JSX does not escape. Its hook runs for every route that is registered later (server/app.ts).
 */
export const pages = htmlPlugin({ autoDetect: false, contentType: CONTENT_TYPE });

/** What a handler of such a room answers with. */
export interface Answering {
  set: Pick<Context["set"], "status" | "headers">;
  html: (document: string) => Answer | Promise<Answer>;
}
type Answer = Response | string;

interface PageOptions {
  status?: number;
  /** Hosts whose images the page may load, beside our own. */
  imageHosts?: readonly string[];
  /** Path of a stylesheet: a slow browser asks for it before it has read that far. */
  style?: string;
}

const policy = (imageHosts: readonly string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    ["img-src 'self' data:", ...imageHosts].join(" "),
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join("; ");

/** No page of ours asks for any of these, so none may be asked for in its name. */
const PERMISSIONS = [
  "accelerometer",
  "camera",
  "geolocation",
  "gyroscope",
  "magnetometer",
  "microphone",
  "payment",
  "usb",
]
  .map((feature) => `${feature}=()`)
  .join(", ");

/** Never cached: a page shows messages, or a key. */
const houseHeaders = (imageHosts: readonly string[]): Record<string, string> => ({
  "content-security-policy": policy(imageHosts),
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": PERMISSIONS,
  "x-robots-tag": "noindex, nofollow",
  "cache-control": "no-store",
  vary: `accept, ${VIEW_VARIES}`,
});

/** A whole document as the answer of a route. */
export async function show(
  { set, html }: Answering,
  document: Safe,
  { status = 200, imageHosts = [], style }: PageOptions = {},
): Promise<Answer> {
  set.status = status;
  Object.assign(set.headers, houseHeaders(imageHosts));
  if (style !== undefined) set.headers["link"] = `<${style}>; rel=preload; as=style`;
  return html(document.html);
}

/**
 * The same, compressed where the reader takes that: a feed of 90 KB is read over bad lines. Not for pages that hold
 * secrets of whoever is signed in beside what an address made them say (BREACH): their length would tell of them.
 */
export async function showPacked(
  request: Request,
  { set, html }: Answering,
  document: Safe,
  options: PageOptions = {},
): Promise<Answer> {
  const answer = await show({ set, html }, document, options);
  set.headers["vary"] = `${set.headers["vary"] ?? ""}, accept-encoding`;
  if (!acceptsGzip(request)) return answer;
  const text = typeof answer === "string" ? answer : await answer.text();
  set.headers["content-encoding"] = "gzip";
  set.headers["content-type"] = CONTENT_TYPE;
  return new Response(Bun.gzipSync(text, { level: 4 }));
}

/** The same where no route answers: a request may be refused before it has reached one. */
export const refusalPage = (document: Safe, status: number, headers: Record<string, string>): Response =>
  new Response(`<!doctype html>${document.html}`, {
    status,
    headers: { ...headers, "content-type": CONTENT_TYPE, ...houseHeaders([]) },
  });

/** 303 to a path of ours or an absolute URL of ours. */
export const seeOther = (location: string): Response =>
  new Response(null, {
    status: 303,
    headers: { location, "cache-control": "no-store", "referrer-policy": "no-referrer" },
  });
