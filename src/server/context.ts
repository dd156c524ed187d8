/** What the edge knows about a request, worked out when somebody asks. */
import type { Server } from "bun";
import type { Config } from "../config/config.ts";
import { clientAddress, createTrust, isHost, isPrivate, lastValue, normalAddress } from "../http/address.ts";
import type { RequestContext } from "../http/context.ts";
import { type Limits, LOCAL } from "../http/limits.ts";
import { hostOf, isForOwnHost } from "../http/own-machine.ts";
import type { Log } from "../telemetry/log.ts";
import type { Clock } from "../util/clock.ts";
import { requestId } from "../util/ids.ts";
import { seldom } from "../util/seldom.ts";

/** Where a listener's requests come from: over TCP, with TLS or without, over a unix socket of PEAL_LISTEN (a proxy), over `peal.sock`. */
export type Door = "tcp" | "tls" | "unix" | "local";

/** The origin for a client that names none (HTTP/1.0). */
export const NO_HOST = "http://localhost";

/** Whose forwarding headers are believed. */
export interface Proxies {
  isTrusted: (address: string) => boolean;
  /** Somebody else in a private network sent them: logged once, with the line to add. */
  undeclared(peer: string): void;
  /** The first of them since the start, with the setting that believes it. */
  firstUndeclared(): { proxy: string; add: string } | undefined;
  /** Whether a request from one of them is for a host of ours; other hosts are logged, each once. */
  isForOwnHost(request: Request): boolean;
}

/** Between two log lines about hosts, and how many hosts are remembered: anybody may make them up. */
const TELL_EVERY_MS = 60_000;
const MOST_HOSTS = 100;
/** The longest that DNS has. */
const MAX_HOST = 253;

export function createProxies(
  config: Pick<Config, "trustedProxies" | "authHeader" | "baseUrl" | "listen">,
  { clock, log }: { clock: Clock; log: Log },
): Proxies {
  const { trustedProxies, authHeader, baseUrl } = config;
  let first: { proxy: string; add: string } | undefined;
  const hosts = new Set<string>();
  const mayTell = seldom(clock, TELL_EVERY_MS);
  const isTrusted = createTrust(trustedProxies);
  if (authHeader !== undefined && baseUrl === undefined && (isTrusted("127.0.0.1") || isTrusted("::1")))
    log.warn("a website open in a browser on this machine could name who is signed in", {
      set: "PEAL_BASE_URL, or PEAL_TRUSTED_PROXIES without loopback",
    });
  return {
    isTrusted,
    undeclared: (peer) => {
      if (first !== undefined || !isPrivate(peer)) return;
      first = { proxy: peer, add: `PEAL_TRUSTED_PROXIES=${[...trustedProxies, peer].join(",")}` };
      log.warn("forwarding headers of an undeclared proxy are ignored", first);
    },
    firstUndeclared: () => first,
    isForOwnHost: (request) => {
      const isOwn = isForOwnHost(config, request);
      const host = hostOf(request)?.slice(0, MAX_HOST);
      if (isOwn || host === undefined || hosts.has(host) || !mayTell()) return isOwn;
      if (hosts.size >= MOST_HOSTS) hosts.clear();
      hosts.add(host);
      log.warn("PEAL_AUTH_HEADER is ignored in requests for another host than that of PEAL_BASE_URL", {
        host,
        set: "PEAL_BASE_URL to this host, if it is the one that people open",
      });
      return false;
    },
  };
}

/** Headers of nearly every request. */
const COMMON = ["host", "user-agent", "accept", "authorization", "content-type", "content-length", "connection"];

/** What all requests by one door share. `origin`: of this door, instead of the one that requests name. */
export interface Entrance {
  door: Door;
  proxies: Proxies;
  limits: Limits;
  origin: string | undefined;
}

export class Context implements RequestContext {
  readonly id = requestId();
  readonly cameAt: number;
  readonly request: Request;
  readonly server: Server<unknown>;
  readonly local: boolean;
  readonly head: boolean;
  declare form?: NonNullable<RequestContext["form"]>;
  readonly #entrance: Entrance;
  #address: string | undefined;
  #isBare: boolean | undefined;
  #limit: "bytes" | "hook-bytes" = "bytes";
  #payer: string | undefined;

  constructor(request: Request, server: Server<unknown>, entrance: Entrance, cameAt: number) {
    this.request = request;
    this.server = server;
    this.#entrance = entrance;
    this.cameAt = cameAt;
    this.local = entrance.door === "local";
    this.head = request.method === "HEAD";
  }

  get isBare(): boolean {
    return (this.#isBare ??= this.#hasOnlyCommon());
  }

  /** Counts them, because a loop over their names makes an object for each (measured). */
  #hasOnlyCommon(): boolean {
    const { headers } = this.request;
    let others = headers.count;
    for (const name of COMMON) if (headers.has(name)) others--;
    return others === 0;
  }

  chargeTo(limit: "bytes" | "hook-bytes", who: string): void {
    this.#limit = limit;
    this.#payer = who;
  }

  charge(bytes: number): void {
    if (this.#payer !== undefined) this.#entrance.limits.take(this.#limit, this.#payer, bytes);
  }

  get address(): string {
    return (this.#address ??= this.#clientAddress());
  }

  get origin(): string {
    if (this.#entrance.origin !== undefined) return this.#entrance.origin;
    const { headers, url } = this.request;
    const plain = url.startsWith("http") ? url.slice(0, url.indexOf("/", "http://".length)) : NO_HOST;
    const own = this.#entrance.door === "tls" ? plain.replace("http:", "https:") : plain;
    const isForwarded = !this.isBare && (headers.has("x-forwarded-host") || headers.has("x-forwarded-proto"));
    if (!isForwarded || !this.isProxied) return own;
    const [scheme = "http", host = ""] = own.split("://");
    const protocol = lastValue(headers.get("x-forwarded-proto"))?.toLowerCase();
    const forwardedHost = lastValue(headers.get("x-forwarded-host")) ?? "";
    const told = `${protocol === "https" || protocol === "http" ? protocol : scheme}://${isHost(forwardedHost) ? forwardedHost : host}`;
    return URL.parse(told)?.origin ?? own;
  }

  #clientAddress(): string {
    if (this.#entrance.door === "local") return LOCAL;
    const forwardedFor = this.request.headers.get("x-forwarded-for");
    const { peer } = this;
    if (forwardedFor === null || !this.isProxied) return peer;
    return clientAddress(peer, forwardedFor, this.#entrance.proxies.isTrusted);
  }

  get #isTcp(): boolean {
    return this.#entrance.door === "tcp" || this.#entrance.door === "tls";
  }

  get isProxied(): boolean {
    if (!this.#isTcp) return true; // the operator decides who may open the socket's file
    const { peer } = this;
    if (this.#entrance.proxies.isTrusted(peer)) return true;
    this.#entrance.proxies.undeclared(peer);
    return false;
  }

  get mayName(): boolean {
    return this.isProxied && this.#entrance.proxies.isForOwnHost(this.request);
  }

  get peer(): string {
    if (!this.#isTcp) return "unix";
    return normalAddress(this.server.requestIP(this.request)?.address ?? "");
  }
}
