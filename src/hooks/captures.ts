/** What is kept of a request beside the message that it became: nothing that could be a secret. Pure. */
import { isSecretName } from "../rewrites/secret.ts";
import { cut, line } from "../rewrites/text.ts";
import { defined } from "../util/defined.ts";
import type { Body } from "../messages/body/body.ts";
import { formOf } from "../messages/body/form.ts";
import type { Use } from "../store/hooks.ts";
import { isGotifyToken, isHookToken } from "./token.ts";

/** The most of a body that is kept. */
const MAX_BODY_BYTES = 65_536;
const MAX_HEADERS = 20;
const MAX_CHARACTERS = 200;
const MAX_QUERY_CHARACTERS = 1_000;

/** A header that is not kept: clients of Apprise send the hook's own token in it. */
const TOKEN_HEADER = "x-apprise-config-id";
/** Headers that proxies add: they say which way the request came, not what it was. */
const OF_PROXIES = /^x-(?:forwarded|real-|request-|correlation|amzn|amz-|cloud|envoy|b3-|scheme|original|client-)/;
/** Headers that are fields of a publish without `X-`, as ntfy has them. */
const BARE = /^(?:title|priority|prio|tags|click|attach|icon|actions|markdown|message|filename)$/;

export function cameBy(
  { method, headers }: Pick<Request, "method" | "headers">,
  { from, query, body: { size, names } }: { from: string; query: URLSearchParams; body: Pick<Body, "size" | "names"> },
): Use["came"] {
  const told = headersOf(headers);
  return defined<Use["came"]>({
    ...{ method, from },
    contentType: short(headers.get("content-type")),
    userAgent: short(headers.get("user-agent")),
    query: queryText(query),
    headers: Object.keys(told).length > 0 ? told : undefined,
    bodyBytes: size > 0 ? size : undefined,
    files: names.length > 0 ? names : undefined,
  });
}

/**
 * The beginning of a body, copied, so that a large body is not held until all is on disk. A form with files, and a form that
 * would be cut, becomes a form of its other fields: cut anywhere else it would not be a form.
 */
export function beginningOf({ bytes, parts, names }: Body, contentType: string): { bytes: Uint8Array; isCut: boolean } {
  const isCut = bytes.length > MAX_BODY_BYTES;
  if (parts !== undefined && (isCut || bytes.length === 0 || names.length > 0))
    return formOf(contentType, parts, MAX_BODY_BYTES);
  return { bytes: isCut ? bytes.slice(0, MAX_BODY_BYTES) : bytes, isCut };
}

const short = (value: string | null): string | undefined =>
  value === null || value === "" ? undefined : cut(line(value), MAX_CHARACTERS);

/** Whether it is a secret: a token is known by its form, wherever a client puts it. */
const isSecret = (name: string, value: string): boolean =>
  isSecretName(name) || name === TOKEN_HEADER || isHookToken(value) || isGotifyToken(value);

function headersOf(headers: Headers): Record<string, string> {
  const names = [...headers.keys()].filter(
    (name) =>
      (name.startsWith("x-") ? !OF_PROXIES.test(name) : BARE.test(name)) && !isSecret(name, headers.get(name) ?? ""),
  );
  return Object.fromEntries(names.slice(0, MAX_HEADERS).map((name) => [name, short(headers.get(name)) ?? ""]));
}

function queryText(query: URLSearchParams): string | undefined {
  const shown = new URLSearchParams();
  for (const [name, value] of query) shown.append(name, isSecret(name, value) ? "…" : value);
  const text = shown.toString();
  return text === "" ? undefined : cut(text, MAX_QUERY_CHARACTERS);
}
