/**
 * Requests to the endpoints of browsers, each of which a stranger supplied: HTTP/1.1 to an address that was checked
 * (DELIVERY.md §4). Where the operator set a proxy, proxy-target.ts says what it is asked to connect to.
 */
import type { Clock } from "../../util/clock.ts";
import type { ProviderRequest, ProviderResponse } from "./answer.ts";
import { ask, type Init, type Unreachable, unreachable } from "./ask.ts";
import { type Endpoint, endpointOf } from "./endpoint.ts";
import { createTargets } from "./proxy-target.ts";
import { isNoTunnel, isNotConnected } from "./reason.ts";
import { createResolver, type Resolve } from "./resolver.ts";

interface Options {
  hosts: readonly string[];
  proxy?: string | undefined;
  ca?: string | undefined;
  clock: Clock;
  resolve: Resolve;
}

export function createEndpointSession({ hosts, proxy, ca, clock, resolve }: Options) {
  const trusted = ca === undefined ? {} : { ca };
  // the setting counts, whatever HTTPS_PROXY and NO_PROXY of the environment say
  const session = new Bun.FetchSession({ proxy: proxy === undefined ? false : { url: proxy, respectNoProxy: false } });
  const resolver = createResolver(resolve, clock);
  const targets = createTargets(resolver, clock);

  async function directly(request: ProviderRequest, { url, host, mayBePrivate }: Endpoint, init: Init) {
    const addresses = await before(init.signal, resolver.addresses(host, mayBePrivate));
    if (typeof addresses === "string") return unreachable(addresses);
    let failure: unknown;
    for (const address of addresses) {
      try {
        return await ask(session, request, new URL(url), { ...init, address });
      } catch (error) {
        if (!isNotConnected(error)) throw error;
        failure = error;
      }
    }
    resolver.forget(host);
    throw failure;
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
          if (!isNoTunnel(error)) throw error;
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
      const endpoint = endpointOf(request.url, hosts);
      if (typeof endpoint === "string") return unreachable(`the endpoint ${endpoint}`);
      const init = { protocol: "http1.1", tls: { ...trusted, serverName: endpoint.host }, signal } as const;
      return proxy === undefined ? directly(request, endpoint, init) : throughProxy(request, endpoint, init);
    },
    close: () => session.close(),
  };
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
