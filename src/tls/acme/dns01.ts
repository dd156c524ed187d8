/** Proves a name by a record of its zone (RFC 8555 §8.4). */
import { createHash } from "node:crypto";
import { MINUTE, SECOND, type Clock } from "../../util/clock.ts";
import type { DnsProvider, TxtRecord } from "../dns/provider.ts";
import { aliasOf, has, serversOf, type Nameservers } from "../dns/zone.ts";
import { pause, type Prover } from "./order.ts";

/** Zones are on all their servers after seconds to a minute; an authority that asks before remembers that there was nothing. */
const SPREAD_MS = 2 * MINUTE;
const LOOK_MS = 3 * SECOND;
/** Where the servers of the zone cannot be asked from here. */
const BLIND_MS = 30 * SECOND;
const REMOVE_MS = MINUTE;
/** A server that stops has 10 s for everything. */
const REMOVE_AT_END_MS = 3 * SECOND;

interface Parts {
  provider: DnsProvider;
  clock: Clock;
  signal: AbortSignal;
  /** Others in tests. */
  nameservers?: Nameservers;
}

export function dns01({ provider, clock, signal, nameservers = {} }: Parts): Prover {
  /** What the name of the challenge leads to, or has to. */
  let target = provider.leadsTo;

  /** Waits until all servers of the zone have it, or long enough: in many houses a router answers in their place. */
  async function spread(record: TxtRecord): Promise<void> {
    const servers = await serversOf(record.name, nameservers);
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
  return {
    type: "dns-01",
    prove: async ({ name, keyAuthorization }) => {
      const own = `_acme-challenge.${name}`;
      const value = createHash("sha256").update(keyAuthorization).digest("base64url");
      const alias = provider.followsAliases ? await aliasOf(own, nameservers) : undefined;
      target = alias ?? provider.leadsTo;
      const record = { name: alias ?? own, value };
      const remove = await provider.add(record, signal);
      const withdraw = async () => {
        const until = AbortSignal.timeout(signal.aborted ? REMOVE_AT_END_MS : REMOVE_MS);
        // a record that stays is untidy, and no reason to go without a certificate
        await remove(until).catch(() => undefined);
      };
      try {
        if (provider.isSlow) await spread(record);
      } catch (error) {
        await withdraw();
        throw error;
      }
      return { withdraw };
    },
    advice: (name) =>
      `It looks for a TXT record of _acme-challenge.${name}${target === undefined ? "" : `, which has to be a CNAME to ${target}`}.`,
  };
}
