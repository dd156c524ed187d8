/** How every page leaves: the headers of WEB.md §1 in one place. */
import type { Safe } from "./jsx/jsx-runtime.ts";

interface PageOptions {
  status?: number;
  headers?: Record<string, string>;
  /** Hosts whose images the page may load, beside our own. */
  imageHosts?: readonly string[];
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

/** A whole document as the answer. Never cached: a page shows messages, or a key. */
export function pageResponse(
  document: Safe,
  { status = 200, headers = {}, imageHosts = [] }: PageOptions = {},
): Response {
  return new Response(`<!doctype html>${document.html}`, {
    status,
    headers: {
      ...headers,
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policy(imageHosts),
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "permissions-policy": PERMISSIONS,
      "x-robots-tag": "noindex, nofollow",
      "cache-control": "no-store",
      vary: "accept, cookie",
    },
  });
}

/** 303 to a path of ours or an absolute URL of ours. */
export const seeOther = (location: string): Response =>
  new Response(null, {
    status: 303,
    headers: { location, "cache-control": "no-store", "referrer-policy": "no-referrer" },
  });
