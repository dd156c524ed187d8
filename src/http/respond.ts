/** Answers: JSON, entity tags, and what the client prefers. */
import { sha256 } from "../util/ids.ts";

export const JSON_HEADERS = { "content-type": "application/json", "x-content-type-options": "nosniff" };

/** Headers that a script of another origin may read beside the plain ones. */
const EXPOSED =
  "Content-Disposition, Content-Range, ETag, Idempotent-Replay, Link, Location, Ping-Body-Limit, Ping-Coalesced, Preference-Applied, RateLimit, RateLimit-Policy, Retry-After, " +
  "X-Request-Id";

/** Headers of an answer that a script of any origin may read. */
export const SHARED_HEADERS = { "access-control-allow-origin": "*", "access-control-expose-headers": EXPOSED };

/** A JSON answer; a string is already JSON. */
export function json(body: string | object, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(typeof body === "string" ? body : JSON.stringify(body), {
    status,
    headers: { ...JSON_HEADERS, ...headers },
  });
}

/** 204: it is done, and there is nothing to say. */
export const noContent = (): Response => new Response(null, { status: 204 });

/** Whether the client takes gzip (RFC 9110 §12.5.3). */
export const acceptsGzip = (request: Request): boolean =>
  /(?:^|[,\s])gzip(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(request.headers.get("accept-encoding") ?? "");

/** For answers that carry a secret: no cache may keep it. */
export const NO_STORE = { "cache-control": "no-store" };

/** Whether a person with a browser asked: HTML is named, and JSON is not preferred (RFC 9110 §12.5.1). */
export function prefersHtml(request: Request): boolean {
  const accept = request.headers.get("accept");
  if (accept?.includes("text/html") !== true) return false;
  return quality(accept, "text/html") >= Math.max(quality(accept, "application/json"), Number.MIN_VALUE);
}

function quality(accept: string, type: string): number {
  for (const range of accept.split(",")) {
    const [name, ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
    if (name !== type) continue;
    const q = Number(parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? 1);
    return q >= 0 && q <= 1 ? q : 0;
  }
  return 0;
}

/** A strong entity tag of everything that the answer depends on. */
export const etag = (...parts: readonly (string | number)[]): string => `"${sha256(parts.join("\0")).slice(0, 32)}"`;

/**
 * 304 if the client already has this version (weak comparison, RFC 9110 §13.1.2), else `undefined`. It has the 200's word on
 * caches (§15.4.5): nearly everything with a tag has to be asked for again.
 */
export function notModified(request: Request, tag: string, cache = "no-cache"): Response | undefined {
  const known = request.headers.get("if-none-match");
  if (known === null) return undefined;
  const isKnown = known.split(",").some((candidate) => {
    const trimmed = candidate.trim();
    return trimmed === "*" || trimmed.replace(/^W\//, "") === tag;
  });
  return isKnown ? new Response(null, { status: 304, headers: { etag: tag, "cache-control": cache } }) : undefined;
}
