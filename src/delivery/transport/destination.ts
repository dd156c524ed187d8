/**
 * Decides whether a forward may send to an address that a holder of a key entered (DELIVERY.md §11): anywhere in the internet by
 * https (or SMTP with TLS), and elsewhere only where the operator allows it.
 */
import { isIP } from "node:net";
import type { Endpoint } from "./endpoint.ts";
import { refusalOfPrivate } from "./private-addresses.ts";

const MAX_DESTINATION = 2_000;
const PORTS: Readonly<Record<string, number>> = { "https:": 443, "http:": 80, "smtps:": 465, "smtp:": 25 };

/** `hosts`: the setting PEAL_FORWARD_HOSTS, each `host` or `host:port`. Returns a sentence if the address may not be asked. */
export function destinationOf(text: string, hosts: readonly string[]): Endpoint | string {
  // the parser drops tabs and line feeds, and turns look-alikes of letters into letters
  if (!/^[\x21-\x7e]+$/.test(text)) return "must be ASCII without spaces";
  const url = /^(?:https?|smtps?):\/\/[^\\]+$/i.test(text) ? URL.parse(text) : null;
  if (url === null) return "must be an absolute https URL";
  if (url.username !== "" || url.password !== "") return "must not have a user name or password";
  const host = url.hostname.replace(/\.$/, "");
  url.hostname = host;
  url.hash = "";
  if (Math.max(text.length, url.href.length) > MAX_DESTINATION) return `is longer than ${MAX_DESTINATION} characters`;
  const usual = PORTS[url.protocol] ?? 0;
  const port = url.port === "" ? usual : Number(url.port);
  const endpoint = { url: url.href, origin: url.origin, host, port };
  if (hosts.includes(`${host}:${port}`) || hosts.includes(host))
    return { ...endpoint, mayBePrivate: true, mayBeNamed: true };
  const asked = port === usual ? host : `${host}:${port}`;
  const allow = `the operator can allow ${asked} with PEAL_FORWARD_HOSTS`;
  if (url.protocol === "http:") return `must use https: ${allow}`;
  if (url.protocol === "smtp:") return `must use TLS: ${allow}`;
  const bare = host.replace(/^\[|\]$/g, "");
  if (host === "localhost" || (isIP(bare) !== 0 && refusalOfPrivate([bare]) !== undefined))
    return `is in a private network: ${allow}`;
  return { ...endpoint, mayBePrivate: false, mayBeNamed: false };
}
