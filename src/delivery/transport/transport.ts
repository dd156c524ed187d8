/** Sends requests to push services, each with a limit of time (DELIVERY.md §4). */
import type { PushConfig } from "../../config/config.ts";
import type { Clock } from "../../util/clock.ts";
import type { ProviderRequest, ProviderResponse } from "./answer.ts";
import { type Unreachable, unreachable } from "./ask.ts";
import { reasonOf } from "./reason.ts";
import { systemResolve, type Resolve } from "./resolver.ts";
import { createEndpointSession } from "./to-endpoint.ts";
import { createProviderSessions } from "./to-provider.ts";

export interface Transport {
  /**
   * `session`: the request goes over HTTP/2, on connections shared by all requests of the session, which stands for a
   * provider, its credentials and its environment. Without a session the URL is a stranger's endpoint. Never rejects.
   */
  send(request: ProviderRequest, options?: { session?: string }): Promise<ProviderResponse | Unreachable>;
  /** The session's next request begins on a new connection; those under way end on the old one. */
  reconnect(session: string): void;
  /** Requests under way end as unreachable. */
  close(): void;
}

export interface TransportOptions extends Pick<PushConfig, "hosts" | "proxy"> {
  clock: Clock;
  /** PEM certificates that are trusted instead of the machine's authorities. */
  ca?: string;
  resolve?: Resolve;
}

const TIMEOUT_MS = 15_000;

export function createTransport({ resolve = systemResolve, ...options }: TransportOptions): Transport {
  const endpoints = createEndpointSession({ ...options, resolve });
  const providers = createProviderSessions(options);
  const underWay = new Set<AbortController>();
  return {
    reconnect: (session) => providers.reconnect(session),
    send: async (request, { session } = {}) => {
      const end = new AbortController();
      const cancel = options.clock.after(TIMEOUT_MS, () => end.abort(`no answer in ${TIMEOUT_MS / 1000} s`));
      underWay.add(end);
      try {
        return await (session === undefined
          ? endpoints.send(request, end.signal)
          : providers.send(request, session, end.signal));
      } catch (error) {
        return unreachable(end.signal.aborted ? String(end.signal.reason) : reasonOf(error));
      } finally {
        cancel();
        underWay.delete(end);
      }
    },
    close: () => {
      for (const end of underWay) end.abort("the server stops");
      endpoints.close();
      providers.close();
    },
  };
}
