/** Sends requests to push services, each with a limit of time (DELIVERY.md §4). */
import type { PushConfig } from "../../config/config.ts";
import type { Clock, Millis } from "../../util/clock.ts";
import type { ProviderRequest, ProviderResponse } from "./answer.ts";
import { type Unreachable, unreachable } from "./ask.ts";
import { reasonOf } from "./reason.ts";
import { destinationOf } from "./destination.ts";
import { endpointOf } from "./endpoint.ts";
import { createResolver, systemResolve, type Resolve } from "./resolver.ts";
import { before, createEndpointSession } from "./to-endpoint.ts";
import { createProviderSessions } from "./to-provider.ts";

export interface Transport {
  /**
   * `session`: the request goes over HTTP/2, on connections shared by all requests of the session, which stands for a
   * provider, its credentials and its environment. Without a session the URL is a stranger's endpoint, or with `isForward` the
   * destination of a forward. `timeoutMs`: default 15 s. Never rejects.
   */
  send(
    request: ProviderRequest,
    options?: { session?: string; isForward?: boolean; timeoutMs?: Millis | undefined },
  ): Promise<ProviderResponse | Unreachable>;
  /** Runs a conversation with the destination of a forward, which is given its checked addresses. Never rejects. */
  converse<T>(
    url: string,
    talk: (wire: { addresses: readonly string[]; signal: AbortSignal; ca?: string }) => Promise<T>,
    timeoutMs?: Millis,
  ): Promise<T | Unreachable>;
  /** The session's next request begins on a new connection; those under way end on the old one. */
  reconnect(session: string): void;
  /** Requests under way end as unreachable. */
  close(): void;
}

export interface TransportOptions extends Pick<PushConfig, "hosts" | "proxy"> {
  /** The setting PEAL_FORWARD_HOSTS. */
  forwardHosts?: readonly string[];
  clock: Clock;
  /** PEM certificates that are trusted instead of the machine's authorities. */
  ca?: string;
  resolve?: Resolve;
}

const TIMEOUT_MS = 15_000;
/**
 * Services answer with the message that they took: 16,000 characters, each six bytes of JSON. Cut off it would say nothing, and the
 * message would be sent again.
 */
const MAX_FORWARD_ANSWER = 131_072;

export function createTransport({
  resolve = systemResolve,
  hosts,
  forwardHosts = [],
  ...options
}: TransportOptions): Transport {
  const resolver = createResolver(resolve, options.clock);
  const destination = (url: string) => destinationOf(url, forwardHosts);
  const endpoints = createEndpointSession({
    ...{ ...options, resolver },
    ...{ check: (url: string) => endpointOf(url, hosts), isLocal: false },
  });
  const destinations = createEndpointSession({
    ...{ ...options, resolver, check: destination },
    ...{ isLocal: true, maxAnswer: MAX_FORWARD_ANSWER },
  });
  const providers = createProviderSessions(options);
  const underWay = new Set<AbortController>();

  async function inTime<T>(
    work: (signal: AbortSignal) => Promise<T>,
    timeoutMs: Millis = TIMEOUT_MS,
  ): Promise<T | Unreachable> {
    const end = new AbortController();
    const cancel = options.clock.after(timeoutMs, () => end.abort(`no answer in ${timeoutMs / 1000} s`));
    underWay.add(end);
    try {
      return await work(end.signal);
    } catch (error) {
      return unreachable(end.signal.aborted ? String(end.signal.reason) : reasonOf(error));
    } finally {
      cancel();
      underWay.delete(end);
    }
  }
  return {
    reconnect: (session) => providers.reconnect(session),
    send: async (request, { session, isForward = false, timeoutMs } = {}) =>
      inTime(async (signal) => {
        if (session !== undefined) return providers.send(request, session, signal);
        return (isForward ? destinations : endpoints).send(request, signal);
      }, timeoutMs),
    converse: async (url, talk, timeoutMs) =>
      inTime(async (signal) => {
        const endpoint = destination(url);
        if (typeof endpoint === "string") return unreachable(`the endpoint ${endpoint}`);
        const host = endpoint.host.replace(/^\[|\]$/g, "");
        const addresses = await before(signal, resolver.addresses(host, endpoint.mayBePrivate));
        if (typeof addresses === "string") return unreachable(addresses);
        return talk({ addresses, signal, ...(options.ca !== undefined && { ca: options.ca }) });
      }, timeoutMs),
    close: () => {
      for (const end of underWay) end.abort("the server stops");
      endpoints.close();
      destinations.close();
      providers.close();
    },
  };
}
