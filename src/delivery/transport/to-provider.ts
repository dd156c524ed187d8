/** Requests to Apple and Google: HTTP/2, a session for each set of credentials, through the proxy (DELIVERY.md §4). */
import type { ProviderRequest, ProviderResponse } from "./answer.ts";
import { ask, type Unreachable, unreachable } from "./ask.ts";
import { openTunnel, type Tunnel } from "./proxy-tunnel.ts";

/** `ca`: PEM, instead of the authorities that the machine trusts. */
export function createProviderSessions({ proxy, ca }: { proxy?: string | undefined; ca?: string | undefined }) {
  const trusted = ca === undefined ? {} : { ca };
  const sessions = new Map<string, Bun.FetchSession>();
  const tunnels = new Map<string, Promise<Tunnel>>();

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
    /** The session's next request begins on a new connection; those under way end on the old one. */
    reconnect,
    /** @throws whatever fetch throws */
    send: async (
      request: ProviderRequest,
      name: string,
      signal: AbortSignal,
    ): Promise<ProviderResponse | Unreachable> => {
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
    },
    close: () => {
      for (const session of sessions.values()) session.close();
      for (const tunnel of tunnels.values()) void tunnel.then((open) => open.close()).catch(() => undefined);
    },
  };
}
