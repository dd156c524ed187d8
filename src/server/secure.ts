/** What plain http leaves to https: pages, where they can be shown there. And what a certificate authority asks for here. */
import type { Deps } from "../deps.ts";
import { innerPath, rawPath } from "../http/path.ts";
import { basePath, isOwnMachine } from "../http/urls.ts";
import { isFor } from "../tls/certificate.ts";
import { CHALLENGE, type Tls } from "../tls/tls.ts";

/** What proxies add: whoever asked them may have used https. */
const FORWARDED = ["x-forwarded-for", "x-forwarded-proto", "x-forwarded-host", "forwarded", "via"];

/** Undefined: the request goes on. `path`: without the base path. */
export type Secure = (request: Request, path: string) => Response | undefined;

/** `port`: of https. */
export function createSecure(
  { tls, config, clock }: Pick<Deps, "config" | "clock"> & { tls: Tls },
  port: () => number,
): Secure {
  const base = basePath(config);
  const { baseUrl } = config;

  /** The address of the same page; undefined: browsers would warn of it. */
  function target(url: URL): string | undefined {
    const { certificate } = tls;
    const configured = baseUrl?.startsWith("https:") === true ? new URL(baseUrl) : undefined;
    const { hostname } = configured ?? url;
    if (certificate === undefined || !isFor(certificate, hostname.replace(/^\[|\]$/g, ""), clock.now()))
      return undefined;
    const path = innerPath(rawPath(url.href), base);
    if (configured !== undefined) return `${configured.origin}${base}${path}${url.search}`;
    const at = port();
    return `https://${hostname}${at === 443 ? "" : `:${at}`}${base}${path}${url.search}`;
  }
  return (request, path) => {
    if (path.startsWith(CHALLENGE)) {
      const answer = tls.challenge(path.slice(CHALLENGE.length));
      return answer === undefined
        ? undefined
        : new Response(answer, { headers: { "content-type": "application/octet-stream" } });
    }
    if (!isPage(request, path)) return undefined;
    const url = URL.parse(request.url);
    const location = url === null || isOwnMachine(url.origin) ? undefined : target(url);
    if (location === undefined) return undefined;
    // not for ever: https may be turned off again
    return new Response(null, { status: 307, headers: { location, "cache-control": "no-store", vary: "Accept" } });
  };
}

/** What programs ask for, also where a browser opens it: they would have to follow, and many take the answer for a success. */
const OF_PROGRAMS = /^\/(?:v1|api|ping|-\/local)\/|^\/(?:health|ready|metrics|openapi\.json)$/;

/** A browser opens a page. */
const isPage = ({ method, headers }: Request, path: string): boolean =>
  (method === "GET" || method === "HEAD") &&
  headers.get("accept")?.includes("text/html") === true &&
  !OF_PROGRAMS.test(path) &&
  !FORWARDED.some((name) => headers.has(name));
