/**
 * What is open to this machine alone. A request from loopback is not always its own: a proxy sends others' requests from there,
 * and a browser on the machine sends those of any website, even under a name of the website's own that points to 127.0.0.1
 * (DNS rebinding).
 */
import type { Config } from "../config/config.ts";
import { normalAddress } from "./address.ts";
import { contextOf } from "./context.ts";
import { LOCAL } from "./limits.ts";
import { isOwnMachine } from "./urls.ts";

/** Headers that a proxy adds: with one of them, a request from loopback is somebody else's. */
const FORWARDING = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip", "via"];

/** Whether a program on this machine asks: over `peal.sock`, or from loopback, for loopback, with no proxy in between. */
export function isFromHere({ listen }: Pick<Config, "listen">, request: Request): boolean {
  const { address } = contextOf(request);
  if (FORWARDING.some((header) => request.headers.has(header))) return false;
  return address === LOCAL || (isLoopback(address) && isForHere(listen, request));
}

/** Whether a website's page made a browser ask. Fetch Metadata goes only to https and localhost, `Origin` not with every GET. */
export function isFromWebsite({ headers }: Request): boolean {
  const site = headers.get("sec-fetch-site");
  return headers.has("origin") || (site !== null && site !== "same-origin" && site !== "none");
}

/**
 * Whether a request that names somebody by PEAL_AUTH_HEADER can be the proxy's: a rebound website could send one from
 * loopback, under its own host. Without PEAL_BASE_URL nobody knows which hosts are ours.
 */
export function isForOwnHost({ listen, baseUrl }: Pick<Config, "listen" | "baseUrl">, request: Request): boolean {
  if (baseUrl === undefined || !isLoopback(contextOf(request).peer)) return true;
  return hostOf(request) === new URL(baseUrl).hostname || isForHere(listen, request);
}

const isLoopback = (address: string): boolean => /^(?:127\.|::1$)/.test(normalAddress(address));

/** By its `Host`: a name of loopback, or one in PEAL_LISTEN. HTTP/1.0 may send none, and no browser speaks HTTP/1.0. */
function isForHere(listen: Config["listen"], request: Request): boolean {
  const host = hostOf(request);
  if (host === undefined) return !request.headers.has("host");
  return isOwnMachine(`http://${host}`) || listen.some((at) => at.kind === "tcp" && at.host.toLowerCase() === host);
}

/** The host in one form, without its port. */
export const hostOf = ({ headers }: Request): string | undefined =>
  URL.parse(`http://${headers.get("host") ?? ""}`)?.hostname;
