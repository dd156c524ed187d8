/** What the edge knows of a request, worked out when somebody asks. */
import type { Server } from "bun";
import type { Config } from "../config/config.ts";
import { clientAddress, createTrust, isHost, isPrivate, lastValue, normalAddress } from "../http/address.ts";
import type { RequestContext } from "../http/context.ts";
import { LOCAL } from "../http/limits.ts";
import type { Log } from "../ops/log.ts";
import { requestId } from "../util/ids.ts";

/** Where a listener's requests come from: over TCP, over a unix socket of PEAL_LISTEN (a proxy), over `peal.sock`. */
export type Door = "tcp" | "unix" | "local";

/** The origin for a client that names none (HTTP/1.0). */
export const NO_HOST = "http://localhost";

/** Whose forwarding headers are believed. */
export interface Proxies {
  isTrusted: (address: string) => boolean;
  /** Somebody else of a private network sent them: told once, with the line to add. */
  undeclared(peer: string): void;
}

export function createProxies(
  { trustedProxies, authHeader, baseUrl }: Pick<Config, "trustedProxies" | "authHeader" | "baseUrl">,
  log: Log,
): Proxies {
  let told = false;
  const isTrusted = createTrust(trustedProxies);
  if (authHeader !== undefined && baseUrl === undefined && (isTrusted("127.0.0.1") || isTrusted("::1")))
    log.warn("a website open in a browser on this machine could name who is signed in", {
      set: "PEAL_BASE_URL, or PEAL_TRUSTED_PROXIES without loopback",
    });
  return {
    isTrusted,
    undeclared: (peer) => {
      if (told || !isPrivate(peer)) return;
      told = true;
      log.warn("forwarding headers of an undeclared proxy are ignored", {
        proxy: peer,
        add: `PEAL_TRUSTED_PROXIES=${[...trustedProxies, peer].join(",")}`,
      });
    },
  };
}

export class Context implements RequestContext {
  readonly id = requestId();
  readonly server: Server<unknown>;
  readonly local: boolean;
  readonly head: boolean;
  readonly #request: Request;
  readonly #door: Door;
  readonly #proxies: Proxies;
  readonly #origin: string | undefined;
  #address: string | undefined;

  constructor(request: Request, server: Server<unknown>, door: Door, proxies: Proxies, origin?: string) {
    this.#request = request;
    this.server = server;
    this.#door = door;
    this.#proxies = proxies;
    this.#origin = origin;
    this.local = door === "local";
    this.head = request.method === "HEAD";
  }

  get address(): string {
    return (this.#address ??= this.#clientAddress());
  }

  get origin(): string {
    if (this.#origin !== undefined) return this.#origin;
    const { headers, url } = this.#request;
    const own = url.startsWith("http") ? url.slice(0, url.indexOf("/", "https://".length)) : NO_HOST;
    if (!this.#isForwarded("x-forwarded-host") && !this.#isForwarded("x-forwarded-proto")) return own;
    if (!this.isProxied) return own;
    const [scheme = "http", host = ""] = own.split("://");
    const protocol = lastValue(headers.get("x-forwarded-proto"))?.toLowerCase();
    const forwardedHost = lastValue(headers.get("x-forwarded-host")) ?? "";
    const told = `${protocol === "https" || protocol === "http" ? protocol : scheme}://${isHost(forwardedHost) ? forwardedHost : host}`;
    return URL.parse(told)?.origin ?? own;
  }

  #clientAddress(): string {
    if (this.#door === "local") return LOCAL;
    const forwardedFor = this.#request.headers.get("x-forwarded-for");
    const { peer } = this;
    if (forwardedFor === null || !this.isProxied) return peer;
    return clientAddress(peer, forwardedFor, this.#proxies.isTrusted);
  }

  get isProxied(): boolean {
    if (this.#door !== "tcp") return true; // whoever may open the socket's file has been let in by the operator
    const { peer } = this;
    if (this.#proxies.isTrusted(peer)) return true;
    this.#proxies.undeclared(peer);
    return false;
  }

  #isForwarded(header: string): boolean {
    return this.#request.headers.get(header) !== null;
  }

  get peer(): string {
    if (this.#door !== "tcp") return "unix";
    return normalAddress(this.server.requestIP(this.#request)?.address ?? "");
  }
}
