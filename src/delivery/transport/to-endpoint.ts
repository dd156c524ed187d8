/**
 * Requests to the endpoints of browsers, each of which a stranger supplied, and to the destinations of forwards: HTTP/1.1 to an
 * address that was checked (DELIVERY.md §4). Where the operator set a proxy, proxy-target.ts says what it is asked to connect to.
 */
import { isIP } from "node:net";
import type { Clock } from "../../util/clock.ts";
import type { ProviderRequest, ProviderResponse } from "./answer.ts";
import { ask, type Init, type Unreachable, unreachable } from "./ask.ts";
import type { Endpoint } from "./endpoint.ts";
import { createTargets } from "./proxy-target.ts";
import { isNoTunnel, isNotConnected } from "./reason.ts";
import { isPublic } from "./private-addresses.ts";
import type { Resolver } from "./resolver.ts";

interface Options {
  /** Checks an address, or says in a sentence why it may not be asked. */
  check: (url: string) => Endpoint | string;
  proxy?: string | undefined;
  ca?: string | undefined;
  clock: Clock;
  resolver: Resolver;
  /** A host that the operator allowed is asked without the proxy if it is private. Else only the proxy may know it. */
  isLocal: boolean;
  /** The most that is read of an answer, in bytes. */
  maxAnswer?: number;
}

export function createEndpointSession({ check, proxy, ca, clock, resolver, isLocal, maxAnswer }: Options) {
  const trusted = ca === undefined ? {} : { ca };
  // the setting counts, whatever HTTPS_PROXY and NO_PROXY of the environment say
  const session = new Bun.FetchSession({ proxy: proxy === undefined ? false : { url: proxy, respectNoProxy: false } });
  // a proxy leads out of the house
  const local = new Bun.FetchSession({ proxy: false });
  const targets = createTargets(resolver, clock);

  async function directly(request: ProviderRequest, endpoint: Endpoint, init: Init, by = session) {
    const { url, host, mayBePrivate } = endpoint;
    const addresses = await before(init.signal, resolver.addresses(bare(host), mayBePrivate));
    if (typeof addresses === "string") return unreachable(addresses);
    let failure: unknown;
    for (const address of addresses) {
      try {
        return await ask(by, request, new URL(url), { ...init, address });
      } catch (error) {
        if (!isNotConnected(error)) throw error;
        failure = error;
      }
    }
    resolver.forget(bare(host));
    throw failure;
  }

  async function isAtHome({ host, mayBePrivate }: Endpoint, signal: AbortSignal): Promise<boolean> {
    if (!isLocal || !mayBePrivate) return false;
    const found = await before(signal, resolver.addresses(bare(host), true)).catch(() => []);
    return typeof found !== "string" && found.some((address) => !isPublic(address));
  }

  async function throughProxy(request: ProviderRequest, endpoint: Endpoint, init: Init) {
    const target = await before(init.signal, targets.of(endpoint));
    switch (target.kind) {
      case "refused":
        return unreachable(target.reason);
      case "name":
        return ask(session, request, new URL(endpoint.url), init);
      case "address": {
        const { address } = target;
        try {
          return await ask(session, request, new URL(endpoint.url), { ...init, address });
        } catch (error) {
          if (!isNoTunnel(error) || !endpoint.mayBeNamed) throw error;
        }
        const answer = await ask(session, request, new URL(endpoint.url), init);
        targets.addressRefused();
        return answer;
      }
    }
  }

  return {
    /** @throws whatever fetch and the resolver throw */
    send: async (request: ProviderRequest, signal: AbortSignal): Promise<ProviderResponse | Unreachable> => {
      // checked when it was stored, and again: the operator may have taken the host off the list
      const endpoint = check(request.url);
      if (typeof endpoint === "string") return unreachable(`the endpoint ${endpoint}`);
      // an address is no name that TLS could ask for (RFC 6066 §3)
      const serverName = isIP(bare(endpoint.host)) === 0 ? { serverName: endpoint.host } : {};
      const init: Init = {
        ...{ protocol: "http1.1", tls: { ...trusted, ...serverName }, signal },
        ...(maxAnswer !== undefined && { maxAnswer }),
      };
      if (proxy === undefined) return directly(request, endpoint, init);
      if (await isAtHome(endpoint, signal)) return directly(request, endpoint, init, local);
      return throughProxy(request, endpoint, init);
    },
    close: () => {
      session.close();
      local.close();
    },
  };
}

/** An address of IPv6 without the brackets of a URL. */
const bare = (host: string): string => host.replace(/^\[|\]$/g, "");

/** What `promise` resolves to, unless the signal comes first. */
export async function before<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const end = () => reject(new Error("ended"));
  signal.addEventListener("abort", end, { once: true });
  try {
    return await Promise.race([promise, ended]);
  } finally {
    signal.removeEventListener("abort", end);
  }
}
