/** What is kept of a request beside the message that it became: nothing that could be a secret. Pure. */
import { isSecretName } from "../rewrites/secret.ts";
import { cut, line } from "../rewrites/text.ts";
import { defined } from "../util/defined.ts";
import type { CameBy } from "./hook.ts";

/** Of a body. */
const MAX_BODY_BYTES = 65_536;
const MAX_HEADERS = 20;
const MAX_CHARACTERS = 200;
const MAX_QUERY_CHARACTERS = 1_000;

/** What proxies add says where it came through, not what came. */
const OF_PROXIES = /^x-(?:forwarded|real-|request-|correlation|amzn|amz-|cloud|envoy|b3-|scheme|original|client-)/;
/** Fields of a publish without `X-`, as ntfy has them. */
const BARE = /^(?:title|priority|prio|tags|click|attach|icon|actions|markdown|message|filename)$/;

export function cameBy(
  { method, headers }: Pick<Request, "method" | "headers">,
  { from, query, bodyBytes }: { from: string; query: URLSearchParams; bodyBytes: number },
): Omit<CameBy, "source"> {
  const told = headersOf(headers);
  return defined<Omit<CameBy, "source">>({
    ...{ method, from },
    contentType: short(headers.get("content-type")),
    userAgent: short(headers.get("user-agent")),
    query: queryText(query),
    headers: Object.keys(told).length > 0 ? told : undefined,
    bodyBytes: bodyBytes > 0 ? bodyBytes : undefined,
  });
}

/** The beginning of a body, in memory of its own: a large one is not held until all is on disk. */
export const beginningOf = (bytes: Uint8Array): Uint8Array =>
  bytes.length > MAX_BODY_BYTES ? bytes.slice(0, MAX_BODY_BYTES) : bytes;

const short = (value: string | null): string | undefined =>
  value === null || value === "" ? undefined : cut(line(value), MAX_CHARACTERS);

function headersOf(headers: Headers): Record<string, string> {
  const names = [...headers.keys()].filter(
    (name) => (name.startsWith("x-") ? !OF_PROXIES.test(name) : BARE.test(name)) && !isSecretName(name),
  );
  return Object.fromEntries(names.slice(0, MAX_HEADERS).map((name) => [name, short(headers.get(name)) ?? ""]));
}

function queryText(query: URLSearchParams): string | undefined {
  const shown = new URLSearchParams();
  for (const [name, value] of query) shown.append(name, isSecretName(name) ? "…" : value);
  const text = shown.toString();
  return text === "" ? undefined : cut(text, MAX_QUERY_CHARACTERS);
}
