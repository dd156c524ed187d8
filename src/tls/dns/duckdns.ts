/**
 * DuckDNS: `/update` (https://www.duckdns.org/spec.jsp). A domain has one TXT record, which all names below it show. Compared with
 * lego's `providers/dns/duckdns` and acme.sh's `dns_duckdns.sh`.
 */
import { Told } from "../acme/problem.ts";
import { asking, type DnsProvider } from "./provider.ts";

const NAME = "DuckDNS";

/** `origin`: another one in tests. */
export function duckdns(token: string, origin = "https://www.duckdns.org"): DnsProvider {
  const update = async (name: string, record: Record<string, string>, signal: AbortSignal) => {
    const [, domain] = /(?:^|\.)([^.]+)\.duckdns\.org$/i.exec(name) ?? [];
    if (domain === undefined) throw new Told(`${name} is no name of ${NAME}: those end in .duckdns.org.`);
    const query = new URLSearchParams({ domains: domain, token, ...record }).toString();
    const { status, text } = await asking(NAME, signal)({ method: "GET", url: `${origin}/update?${query}` });
    // what it says is not shown: a proxy between may repeat the address, and with it the token
    if (status !== 200) throw new Told(`${NAME} did not set the record (${status}).`);
    if (!text.startsWith("OK"))
      throw new Told(`${NAME} did not set the record: the token is wrong, or the domain belongs to somebody else.`);
  };
  return {
    ...{ isSlow: true, followsAliases: true },
    add: async ({ name, value }, signal) => {
      await update(name, { txt: value }, signal);
      return async (until) => update(name, { txt: "", clear: "true" }, until);
    },
  };
}
