/**
 * How requests reach push services (docs/design/DELIVERY.md §4). Apple and Google: HTTP/2, in a session for each set of
 * credentials. Web push: HTTP/1.1 to an address that was checked, since a stranger supplied the endpoint; where it goes
 * through the operator's proxy, `target.ts` says to what.
 */
import { isIPv6 } from "node:net";
import type { PushConfig } from "../../config/config.ts";
import type { Clock } from "../../util/clock.ts";
import { VERSION } from "../../util/version.ts";
import type { ProviderRequest, ProviderResponse } from "./answer.ts";
import { type Endpoint, endpointOf } from "./endpoint.ts";
import { isNoTunnel, isNotConnected, reasonOf } from "./reason.ts";
import { createResolver, systemResolve, type Resolve } from "./resolver.ts";
import { createTargets } from "./proxy-target.ts";
import { openTunnel, type Tunnel } from "./proxy-tunnel.ts";

/** Nobody answered. `reason`: a few words without the URL. */
export interface Unreachable {
  kind: "unreachable";
  reason: string;
}

export interface Transport {
  /**
   * `session`: over HTTP/2, on connections shared by all that name the same one: it stands for a provider, its
   * credentials and its environment. Without it the URL is a stranger's endpoint. Never rejects.
   */
  send(request: ProviderRequest, options?: { session?: string }): Promise<ProviderResponse | Unreachable>;
  /** The session's next request begins on a new connection; those under way end on the old one. */
  reconnect(session: string): void;
  /** What is under way ends as unreachable. */
  close(): void;
}

export interface TransportOptions extends Pick<PushConfig, "hosts" | "proxy"> {
  clock: Clock;
  /** PEM, in place of the authorities that the machine trusts. */
  ca?: string;
  resolve?: Resolve;
}

const TIMEOUT_MS = 15_000;
/** The rest of an answer is not read. */
const MAX_ANSWER = 16_384;

export function createTransport({ hosts, proxy, clock, ca, resolve = systemResolve }: TransportOptions): Transport {
  const trusted = ca === undefined ? {} : { ca };
  // what HTTPS_PROXY and NO_PROXY of the environment say does not count: the setting does
  const web = new Bun.FetchSession({ proxy: proxy === undefined ? false : { url: proxy, respectNoProxy: false } });
  const sessions = new Map<string, Bun.FetchSession>();
  const tunnels = new Map<string, Promise<Tunnel>>();
  const resolver = createResolver(resolve, clock);
  const targets = createTargets(resolver, clock);
  const underWay = new Set<AbortController>();

  async function toStranger(request: ProviderRequest, signal: AbortSignal): Promise<ProviderResponse | Unreachable> {
    // again, not only when it was stored: the operator may have taken the host back
    const endpoint = endpointOf(request.url, hosts);
    if (typeof endpoint === "string") return unreachable(`the endpoint ${endpoint}`);
    const { url, host, mayBePrivate } = endpoint;
    const init = { protocol: "http1.1", tls: { ...trusted, serverName: host }, signal } as const;
    if (proxy !== undefined) return throughProxy(request, endpoint, init);
    const addresses = await before(signal, resolver.addresses(host, mayBePrivate));
    if (typeof addresses === "string") return unreachable(addresses);
    let failure: unknown;
    for (const address of addresses) {
      try {
        return await ask(web, request, new URL(url), { ...init, address });
      } catch (error) {
        if (!isNotConnected(error)) throw error;
        failure = error;
      }
    }
    resolver.forget(host);
    throw failure;
  }

  async function throughProxy(
    request: ProviderRequest,
    endpoint: Endpoint,
    init: Init,
  ): Promise<ProviderResponse | Unreachable> {
    const target = await before(init.signal, targets.of(endpoint));
    switch (target.kind) {
      case "refused":
        return unreachable(target.reason);
      case "name":
        return ask(web, request, new URL(endpoint.url), init);
      case "address": {
        const { address } = target;
        try {
          return await ask(web, request, new URL(endpoint.url), { ...init, address });
        } catch (error) {
          if (!isNoTunnel(error)) throw error;
        }
        const answer = await ask(web, request, new URL(endpoint.url), init);
        targets.addressRefused();
        return answer;
      }
    }
  }

  async function toProvider(
    request: ProviderRequest,
    name: string,
    signal: AbortSignal,
  ): Promise<ProviderResponse | Unreachable> {
    const url = new URL(request.url);
    const tunnel = proxy === undefined ? undefined : await tunnelTo(proxy, url);
    const route =
      tunnel === undefined
        ? { tls: trusted }
        : { tls: { ...trusted, serverName: url.hostname }, address: "127.0.0.1", port: tunnel.port };
    const session = sessions.get(name) ?? new Bun.FetchSession({ proxy: false });
    sessions.set(name, session);
    try {
      return await ask(session, request, url, { protocol: "http2", signal, ...route });
    } catch (error) {
      // Bun 1.4.5 goes on sending on a connection that carries nothing any more
      if (signal.aborted && sessions.get(name) === session) reconnect(name);
      if (tunnel?.refusal === undefined || signal.aborted) throw error;
      return unreachable(tunnel.refusal);
    }
  }
  async function tunnelTo(through: string, { hostname, port }: URL): Promise<Tunnel> {
    const target = `${hostname}:${port || 443}`;
    const tunnel = tunnels.get(target) ?? openTunnel(new URL(through), target, ca);
    tunnels.set(target, tunnel);
    tunnel.catch(() => tunnels.delete(target));
    return tunnel;
  }
  function reconnect(name: string): void {
    sessions.get(name)?.close();
    sessions.delete(name);
  }

  return {
    reconnect,
    send: async (request, { session } = {}) => {
      const end = new AbortController();
      const cancel = clock.after(TIMEOUT_MS, () => end.abort(`no answer in ${TIMEOUT_MS / 1000} s`));
      underWay.add(end);
      try {
        return await (session === undefined
          ? toStranger(request, end.signal)
          : toProvider(request, session, end.signal));
      } catch (error) {
        return unreachable(end.signal.aborted ? String(end.signal.reason) : reasonOf(error));
      } finally {
        cancel();
        underWay.delete(end);
      }
    },
    close: () => {
      for (const end of underWay) end.abort("the server stops");
      for (const session of [web, ...sessions.values()]) session.close();
      for (const tunnel of tunnels.values()) void tunnel.then((open) => open.close()).catch(() => undefined);
    },
  };
}

const unreachable = (reason: string): Unreachable => ({ kind: "unreachable", reason });

interface Init extends Pick<BunFetchRequestInit, "protocol" | "tls"> {
  signal: AbortSignal;
  /** Connects to it in place of the URL's host, which the server is still asked for and has to prove to be. */
  address?: string;
  port?: number;
}

async function ask(
  session: Bun.FetchSession,
  { headers, body }: ProviderRequest,
  url: URL,
  { address, port, ...init }: Init,
): Promise<ProviderResponse> {
  const { host } = url;
  if (address !== undefined) url.hostname = isIPv6(address) ? `[${address}]` : address;
  if (port !== undefined) url.port = String(port);
  const response = await session.fetch(url.href, {
    ...init,
    method: "POST",
    // a few bytes of a compressed answer may be gigabytes
    headers: { "user-agent": `peal/${VERSION}`, ...headers, host, "accept-encoding": "identity" },
    decompress: false,
    body,
    redirect: "manual",
  });
  const read = await beginning(response, init.protocol);
  return { status: response.status, headers: Object.fromEntries(response.headers), body: read };
}

/**
 * Of its body. A status counts, also where the rest does not come; but the refusals of Apple and Google are told apart by
 * their bodies alone, and without it nobody has answered.
 */
async function beginning(response: Response, protocol: Init["protocol"]): Promise<string> {
  const chunks: Uint8Array[] = [];
  const body: ReadableStream<Uint8Array> | null = response.body;
  if (body === null) return "";
  const reader = body.getReader();
  try {
    for (let size = 0; size < MAX_ANSWER;) {
      const { value } = await reader.read();
      if (value === undefined) break;
      chunks.push(value);
      size += value.length;
    }
    await reader.cancel();
  } catch (error) {
    // cut off, or too slow
    if (protocol === "http2" && !response.ok) throw error;
  }
  return Buffer.concat(chunks).subarray(0, MAX_ANSWER).toString();
}

/** What `promise` resolves to, unless the signal comes first. */
async function before<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const end = () => reject(new Error("ended"));
  signal.addEventListener("abort", end, { once: true });
  try {
    return await Promise.race([promise, ended]);
  } finally {
    signal.removeEventListener("abort", end);
  }
}
