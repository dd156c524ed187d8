/** Refusals in ntfy's form: `{"code":40401,"http":404,"error":"…"}` (NTFY.md §4; ntfy 2.27, server/errors.go). Pure. */
import type { Formed } from "../http/context.ts";
import { Problem } from "../http/problem.ts";
import { prefersHtml } from "../http/respond.ts";
import { areTopicKeys } from "../names/topic.ts";

/**
 * ntfy's codes, of five digits that begin with the status, for ours. All others are the status and two zeros, as its own 40000
 * is. Whoever may not use a topic is told the same as of one that does not exist, as at ntfy.
 */
const CODES: Readonly<Record<string, number>> = {
  invalid_since: 40008,
  invalid_topic: 40009,
  malformed_json: 40017,
  missing_key: 40101,
  invalid_key: 40101,
  wrong_namespace: 40301,
  insufficient_scope: 40301,
  unknown_topic: 40301,
  not_found: 40401,
  too_large: 41301,
  rate_limited: 42901,
  too_many_streams: 42903,
  internal: 50001,
};
/** A field that cannot be read and must not be left out. */
const OF_FIELDS: Readonly<Record<string, number>> = { delay: 40004, at: 40004 };

/** Our 422 is a 400 at ntfy. */
const UNPROCESSABLE = 422;

function codeOf({ code, status, errors }: Problem): number {
  if (status !== UNPROCESSABLE) return CODES[code] ?? status * 100;
  const [field = ""] = (errors ?? []).map(({ path }) => path.replace(/^\/|^X-/i, "").toLowerCase());
  return OF_FIELDS[field] ?? 40000;
}

/**
 * A refusal as ntfy's clients read it. There is no other field: Home Assistant's library takes none. With 401 the apps ask for a
 * user and a password.
 */
export function refused(problem: Problem): Formed {
  const code = codeOf(problem);
  const status = Math.floor(code / 100);
  return {
    status,
    type: "application/json",
    body: JSON.stringify({ code, http: status, error: problem.detail }),
    ...(status === 401 && { headers: { "www-authenticate": 'Basic realm="peal", charset="UTF-8"' } }),
  };
}

/** A topic that no address of ntfy can have. */
export const invalidTopic = (detail: string): Problem => new Problem("bad_request", detail, { code: "invalid_topic" });

/** Addresses beside those of topics. */
const OTHERS = new Set(["/v1/account", "/v1/account/token", "/v1/health", "/v1/version"]);

/**
 * Whether refusals at this address are in ntfy's form: below `/ntfy`, at topic keys, and at the few others. A page that a browser
 * opens is none of them. `path`: without the base path.
 */
export function speaksNtfy(method: string, path: string): boolean {
  const end = path.indexOf("/", 1);
  const isRead = method === "GET" || method === "HEAD";
  if (end < 0) return !isRead && (path === "/" || areTopicKeys(path.slice(1)));
  return path.startsWith("/ntfy/") || areTopicKeys(path.slice(1, end)) || OTHERS.has(path);
}

/** Where ntfy's clients read at the root. A topic of peal may be called by the last part, and a browser may open its address. */
const READ_AT = /^\/([^/]+)\/(?:json|sse|raw|ws|auth)$/;

/** Whether a client of ntfy reads by something else than topic keys, as by the name of a topic. `path`: without the base path. */
export function readsByName(request: Request, path: string): boolean {
  if (request.method !== "GET" && request.method !== "HEAD") return false;
  const [, topics] = READ_AT.exec(path) ?? [];
  return topics !== undefined && !areTopicKeys(topics) && !prefersHtml(request);
}

export const KEY_RULE =
  "At this address a topic goes by its key, which its share link ends with. By name it goes below `/ntfy/{namespace}`.";

/** For `readsByName`. Not 404: ntfy's app takes that for an old server that lets everybody read, and would wait for ever. */
export const namedAtRoot = (): Problem => new Problem("unknown_topic", KEY_RULE);
