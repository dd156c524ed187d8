/** Decides whether a push endpoint that a stranger supplied may be stored and asked (DELIVERY.md §4). */
import { ECDH } from "node:crypto";
import { isIP } from "node:net";

/** The push services of browsers. A host belongs to one if it is one of these or below one. */
const BROWSERS = [
  ...["fcm.googleapis.com", "android.googleapis.com", "push.services.mozilla.com", "push.apple.com"],
  "notify.windows.com",
];
const MAX_ENDPOINT = 2_000;

/** The push service that a host is below. Anybody can make up a name there. */
export const serviceAbove = (host: string): string | undefined =>
  BROWSERS.find((service) => host.endsWith(`.${service}`));

/** Whether a host belongs to a push service of browsers, and not only to the operator's list. */
export const isOfBrowsers = (host: string): boolean => BROWSERS.includes(host) || serviceAbove(host) !== undefined;

export interface Endpoint {
  /** The normalised URL, which is stored and asked. */
  url: string;
  origin: string;
  /** The host without the port. */
  host: string;
  port: number;
  /** The operator named the host, so it may be in a private network. */
  mayBePrivate: boolean;
  /** A proxy may be asked for its name if nothing is known of its addresses: it leads to no private network, or may. */
  mayBeNamed: boolean;
}

/** `hosts`: the setting PEAL_PUSH_HOSTS, each `host` or `host:port`. Returns a sentence if the endpoint may not be asked. */
export function endpointOf(text: string, hosts: readonly string[]): Endpoint | string {
  // the parser drops tabs and line feeds, and turns look-alikes of letters into letters
  if (!/^[\x21-\x7e]+$/.test(text)) return "must be ASCII without spaces";
  const url = /^https:\/\/[^\\]+$/i.test(text) ? URL.parse(text) : null;
  if (url === null) return "must be an absolute https URL";
  if (url.username !== "" || url.password !== "") return "must not have a user name or password";
  const host = url.hostname.replace(/\.$/, "");
  // the parser has turned every notation of an IPv4 address into the usual one
  if (host.startsWith("[") || isIP(host) !== 0) return "must use a host name, not an IP address";
  url.hostname = host;
  url.hash = "";
  if (Math.max(text.length, url.href.length) > MAX_ENDPOINT) return `is longer than ${MAX_ENDPOINT} characters`;
  const port = url.port === "" ? 443 : Number(url.port);
  const endpoint = { url: url.href, origin: url.origin, host, port };
  if (hosts.some((named) => (named === host ? port === 443 : named === `${host}:${port}`)))
    return { ...endpoint, mayBePrivate: true, mayBeNamed: true };
  if (!isOfBrowsers(host))
    return `doesn't belong to a known push service: the operator can allow ${host} with PEAL_PUSH_HOSTS`;
  return port === 443 ? { ...endpoint, mayBePrivate: false, mayBeNamed: true } : "must use port 443";
}

/** Says what is wrong with the keys of a subscription (RFC 8291 §2.1), both in base64url; undefined if nothing is. */
export function keysProblem(p256dh: string, auth: string): string | undefined {
  const point = base64url(p256dh);
  // a compressed point would be accepted too, and nobody could open what is sealed with it
  if (point?.length !== 65 || point[0] !== 4 || !isOnCurve(point))
    return "p256dh must be a P-256 point: 65 bytes starting with 0x04, in base64url";
  const secret = base64url(auth);
  return secret === undefined || secret.length < 16 ? "auth must be at least 16 bytes, in base64url" : undefined;
}

const base64url = (text: string): Buffer | undefined =>
  /^[A-Za-z0-9_-]+={0,2}$/.test(text) ? Buffer.from(text, "base64url") : undefined;

function isOnCurve(point: Buffer): boolean {
  try {
    ECDH.convertKey(point, "prime256v1");
    return true;
  } catch {
    return false;
  }
}
