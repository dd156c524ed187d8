/** Proves a name by a record of its zone (RFC 8555 §8.4). */
import { createHash } from "node:crypto";
import { Resolver } from "node:dns/promises";
import { MINUTE, SECOND, type Clock } from "../../util/clock.ts";
import type { DnsProvider } from "../dns/provider.ts";
import { pause, type Prover } from "./order.ts";

/** Zones are on all their servers after seconds to a minute; an authority that asks before remembers that there was nothing. */
const SPREAD_MS = 2 * MINUTE;
const LOOK_MS = 3 * SECOND;
/** Where the servers of the zone cannot be asked from here. */
const BLIND_MS = 30 * SECOND;

interface Parts {
  provider: DnsProvider;
  clock: Clock;
  signal: AbortSignal;
}

export const dns01 = ({ provider, clock, signal }: Parts): Prover => ({
  type: "dns-01",
  prove: async ({ name, keyAuthorization }) => {
    const own = `_acme-challenge.${name}`;
    const value = createHash("sha256").update(keyAuthorization).digest("base64url");
    const record = { name: provider.followsAliases ? await aliasOf(own) : own, value };
    const remove = await provider.add(record, signal);
    if (provider.isSlow) await spread(record, { clock, signal });
    return {
      withdraw: async () => {
        // a record that stays is untidy, and no reason to go without a certificate
        await remove().catch(() => undefined);
      },
    };
  },
  advice: (name) => `It looks for a TXT record of _acme-challenge.${name}.`,
});

/** Where the record really is: a CNAME may lead to a zone that is only for this, whose token opens nothing else. */
async function aliasOf(name: string): Promise<string> {
  const [target] = await new Resolver({ timeout: 3_000, tries: 2 }).resolveCname(name).catch(() => []);
  return target ?? name;
}

/** Waits until all servers of the zone have it. */
async function spread(
  record: { name: string; value: string },
  { clock, signal }: Omit<Parts, "provider">,
): Promise<void> {
  const servers = await serversOf(record.name);
  if (servers.length === 0) {
    await pause(clock, BLIND_MS, signal);
    return;
  }
  const until = clock.monotonic() + SPREAD_MS;
  while (clock.monotonic() < until) {
    const shown = await Promise.all(servers.map(async (server) => has(server, record)));
    if (shown.every(Boolean)) return;
    await pause(clock, LOOK_MS, signal);
  }
}

async function has(server: string, { name, value }: { name: string; value: string }): Promise<boolean> {
  const resolver = new Resolver({ timeout: 3_000, tries: 1 });
  resolver.setServers([server]);
  const records = await resolver.resolveTxt(name).catch(() => []);
  return records.some((parts) => parts.join("") === value);
}

/** Addresses of the servers of the zone that the name is in. */
async function serversOf(name: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: 3_000, tries: 2 });
  const labels = name.split(".");
  for (let at = 1; at < labels.length - 1; at++) {
    const names = await resolver.resolveNs(labels.slice(at).join(".")).catch(() => []);
    if (names.length === 0) continue;
    const addresses = await Promise.all(names.map(async (server) => resolver.resolve4(server).catch(() => [])));
    return addresses.flatMap(([first]) => first ?? []);
  }
  return [];
}
