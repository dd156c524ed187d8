/** The addresses of a stranger's host, all of them checked (docs/design/DELIVERY.md §4). */
import { lookup } from "node:dns/promises";
import type { Clock } from "../../util/clock.ts";
import { isPublic } from "./private-addresses.ts";

export type Resolve = (host: string) => Promise<readonly string[]>;

/** As everything on the machine resolves. IPv4 first: a home's IPv6 is often there and leads nowhere. */
export const systemResolve: Resolve = async (host) => {
  const found = await lookup(host, { all: true });
  return found.sort((a, b) => a.family - b.family).map(({ address }) => address);
};

/** A push service gives its names about so long, and a burst of pushes is to reuse its connections. */
const KEPT_MS = 30_000;
/** Names below a browser's service are for a stranger to make up. */
const KEPT = 1_000;

export interface Resolver {
  /** Those of the last 30 seconds, or new ones. A sentence where one of them is in a private network and may not be. */
  addresses(host: string, mayBePrivate: boolean): Promise<readonly string[] | string>;
  /** None of them was reached. */
  forget(host: string): void;
}

export function createResolver(resolve: Resolve, clock: Clock): Resolver {
  const kept = new Map<string, { until: number; addresses: Promise<readonly string[]> }>();

  async function resolved(host: string): Promise<readonly string[]> {
    const known = kept.get(host);
    if (known !== undefined && known.until > clock.monotonic()) return known.addresses;
    if (kept.size >= KEPT) kept.clear();
    const addresses = resolve(host);
    kept.set(host, { until: clock.monotonic() + KEPT_MS, addresses });
    addresses.catch(() => kept.delete(host));
    return addresses;
  }
  return {
    addresses: async (host, mayBePrivate) => {
      const found = await resolved(host);
      // one is enough to refuse: who answers with both kinds is trying something
      return mayBePrivate || found.every(isPublic) ? found : "the host has an address in a private network";
    },
    forget: (host) => void kept.delete(host),
  };
}
