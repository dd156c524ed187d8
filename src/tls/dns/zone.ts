/** Looks at DNS from outside: where a name leads, and which servers have a record. */
import { Resolver } from "node:dns/promises";
import { SECOND } from "../../util/clock.ts";
import type { TxtRecord } from "./provider.ts";

/** Instead of the machine's own resolvers, and of port 53 of the servers of zones. */
export interface Nameservers {
  resolvers?: readonly string[];
  port?: number;
}

const TIMEOUT_MS = 3 * SECOND;
/** A longer chain of CNAMEs is a circle, or resolvers give up on it too. */
const MOST_ALIASES = 8;

function resolver({ resolvers }: Nameservers): Resolver {
  const made = new Resolver({ timeout: TIMEOUT_MS, tries: 2 });
  if (resolvers !== undefined) made.setServers(resolvers);
  return made;
}

/** Where its CNAME leads, maybe to a zone that is only for this, whose token opens nothing else; undefined if it has none. */
export async function aliasOf(name: string, nameservers: Nameservers): Promise<string | undefined> {
  const dns = resolver(nameservers);
  let found: string | undefined;
  for (let n = 0; n < MOST_ALIASES; n++) {
    const [target] = await dns.resolveCname(found ?? name).catch(() => []);
    if (target === undefined) break;
    found = target.replace(/\.$/, "");
  }
  return found;
}

/** Addresses of the servers of the zone that the name is in, with ports; empty if they cannot be found out. */
export async function serversOf(name: string, nameservers: Nameservers): Promise<string[]> {
  const dns = resolver(nameservers);
  const { port = 53 } = nameservers;
  const labels = name.split(".");
  for (let at = 0; at < labels.length - 1; at++) {
    const names = await dns.resolveNs(labels.slice(at).join(".")).catch(() => []);
    if (names.length === 0) continue;
    const addresses = await Promise.all(names.map(async (server) => dns.resolve4(server).catch(() => [])));
    return addresses.flatMap(([first]) => (first === undefined ? [] : `${first}:${port}`));
  }
  return [];
}

/** Whether this server shows the record. */
export async function has(server: string, { name, value }: TxtRecord): Promise<boolean> {
  const dns = new Resolver({ timeout: TIMEOUT_MS, tries: 1 });
  dns.setServers([server]);
  const records = await dns.resolveTxt(name).catch(() => []);
  return records.some((parts) => parts.join("") === value);
}
