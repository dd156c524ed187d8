/** URLs of other people's tools: secrets in them are not shown (REWRITES.md §1). */
import { MAX_URL_CHARACTERS } from "../drafts/limits.ts";
import { isSecretName, mayNameSecret } from "./secret.ts";

/** A longer text is not an address. This exceeds the limit of a URL, because secrets that are removed may make one long. */
const MAX_READ = 4 * MAX_URL_CHARACTERS;

const PAIRS = /&(?:amp;)?|\\u0026/;

/** `a=1&b=2` without parameters that are named like a secret. */
function withoutSecretPairs(query: string): string {
  if (!mayNameSecret(query)) return query;
  const pairs = query.split(PAIRS);
  const kept = pairs.filter((pair) => !isSecretName(pair.slice(0, Math.max(0, pair.indexOf("=")))));
  return kept.length === pairs.length ? query : kept.join("&");
}

/** Slashes may be escaped, in JSON that was not parsed. */
const USERINFO = /(:(?:\\?\/){2})[^\s/?#"\\]*@/g;
const QUERY = /([?#])([^\s"'<>?#]+)/g;

/** The text, in which URLs have no user, password or parameter named like a secret. */
export function masked(text: string): string {
  if (!text.includes("@") && !text.includes("=")) return text;
  return text.replace(USERINFO, "$1").replace(QUERY, (_, mark: string, query: string) => {
    const kept = withoutSecretPairs(query);
    return kept === "" ? "" : mark + kept;
  });
}

/** An http or https URL without anything secret. */
export function parseUrl(text: string | undefined): URL | undefined {
  const url = text === undefined || text.length > MAX_READ ? null : URL.parse(text);
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) return undefined;
  url.username = "";
  url.password = "";
  url.search = withoutSecretPairs(url.search.slice(1));
  url.hash = withoutSecretPairs(url.hash.slice(1));
  return url;
}

const HERE = /^(?:localhost|127\..*|0\.0\.0\.0|\[::1?\])$/;

/** A URL that can be opened from another machine, normalised; undefined for the tool's own loopback. */
export function link(text: string | undefined): string | undefined {
  const url = parseUrl(text);
  return url === undefined || HERE.test(url.hostname) || url.href.length > MAX_URL_CHARACTERS ? undefined : url.href;
}

/** Whether the host of a link has a dot or is an IPv6 address; the name of a container leads nowhere from elsewhere. */
export const isDotted = (href: string): boolean => /^https?:\/\/[^/]*[.\]]/.test(href);

/** The first that can be opened from anywhere, else the first. */
export function bestLink(candidates: readonly (string | undefined)[]): string | undefined {
  const links = candidates.map(link).filter((href) => href !== undefined);
  return links.find(isDotted) ?? links[0];
}
