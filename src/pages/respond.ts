/** How every page leaves: the headers of WEB.md §1 in one place. */
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { html as htmlPlugin } from "@elysiajs/html";
import type { Context } from "elysia";
import type { Made } from "../http/answers.ts";
import { acceptsGzip } from "../http/respond.ts";
import type { Route } from "../http/route.ts";
import { type Endpoint, routed } from "../keys/endpoint.ts";
import type { Safe } from "./jsx/jsx-runtime.ts";
import { VIEW_VARIES } from "./view.ts";

const CONTENT_TYPE = "text/html; charset=utf-8";

/**
 * For the rooms of pages: gives their handlers `html`, which turns a document into the answer. Nothing else of the plugin is
 * used: its JSX does not escape. Its hook runs for every route that is registered later (server/app.ts).
 */
export const pages = htmlPlugin({ autoDetect: false, contentType: CONTENT_TYPE });

/** What a handler of such a room gets to answer with. */
export interface Answering {
  set: Pick<Context["set"], "status" | "headers">;
  html: (document: string) => Answer | Promise<Answer>;
}
type Answer = Response | string;

/** `routesOf`, for endpoints that answer with pages. */
export const pageRoutesOf = <D>(deps: D, endpoints: readonly Endpoint<D, Answering>[]): Route[] =>
  routed(
    endpoints,
    ({ answer }) =>
      async ({ request, params, set, html }: Handling) =>
        answer(deps, request, params ?? {}, { set, html }),
  ).map((route) => ({ ...route, isPage: true }));

interface Handling extends Answering {
  request: Request;
  params?: Record<string, string | null>;
}

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

/** The same for a page that may be large: `Answers` sends it. */
export async function made(answering: Answering, document: Safe, options: PageOptions = {}): Promise<Made> {
  const answer = await show(answering, document, options);
  const body = typeof answer === "string" ? answer : await answer.text();
  return { body, status: options.status ?? 200, headers: { "content-type": CONTENT_TYPE } };
}

/**
 * The same, compressed if the reader takes that: a feed of 90 KB is read over slow lines. Not for a page that holds a secret
 * beside words that somebody else chose: in an address (each page has its own, for the switch of languages) or in a message.
 * Somebody who sees the lengths of encrypted answers and chooses such words finds the secret, character by character, because a
 * repetition is sent shorter (BREACH, https://breachattack.com). Tokens against CSRF are not among the secrets: pages have none
 * (src/http/same-site.ts). dashboard/secretless.ts names the pages of the dashboard that may be compressed.
 */
export async function packed(
  request: Request,
  answering: Answering,
  document: Safe,
  options: PageOptions = {},
): Promise<Made> {
  const { body, ...rest } = await made(answering, document, options);
  const { set } = answering;
  set.headers["vary"] = `${set.headers["vary"] ?? ""}, accept-encoding`;
  if (!acceptsGzip(request)) return { body, ...rest };
  const bytes =
    body.length < PACKED_BESIDE ? Bun.gzipSync(body, { level: LEVEL }) : await gzipBeside(body, { level: LEVEL });
  return { ...rest, body: bytes, headers: { ...rest.headers, "content-encoding": "gzip" } };
}

const LEVEL = 4;
/** Bytes from which on it is done beside the event loop: 1.4 MB would hold it for 15 ms. */
const PACKED_BESIDE = 131_072;
const gzipBeside = promisify<string | Uint8Array, { level: number }, Buffer<ArrayBuffer>>(gzip);

/** The same if no route answers: a request may be refused before it has reached one. */
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
