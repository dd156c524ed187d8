/** Resolves a stranger's host, for a while (DELIVERY.md §4). */
import { lookup } from "node:dns/promises";
import type { Clock } from "../../util/clock.ts";
import { refusalOfPrivate } from "./private-addresses.ts";

export type Resolve = (host: string) => Promise<readonly string[]>;

/** Resolves as everything on the machine does. IPv4 comes first: the IPv6 of a home is often set up and leads nowhere. */
export const systemResolve: Resolve = async (host) => {
  const found = await lookup(host, { all: true });
  return found.sort((a, b) => a.family - b.family).map(({ address }) => address);
};

/** Push services change their addresses about this often; during a burst of pushes connections are to be reused. */
const KEPT_MS = 30_000;
/** A cap, since a stranger can make up names below a browser's service. */
const KEPT = 1_000;

export interface Resolver {
  /** The addresses, at most 30 seconds old. A sentence if one of them is private and may not be. */
  addresses(host: string, mayBePrivate: boolean): Promise<readonly string[] | string>;
  /** None of the addresses could be reached: the next request resolves the host again. */
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
      return (mayBePrivate ? undefined : refusalOfPrivate(found)) ?? found;
    },
    forget: (host) => void kept.delete(host),
  };
}
