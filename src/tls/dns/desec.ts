/**
 * deSEC: RRsets of a domain, each written as a whole (https://desec.readthedocs.io/en/latest/dns/rrsets.html). Compared with
 * desec-stack's own docs, lego's `providers/dns/desec` and acme.sh's `dns_desec.sh`.
 */
import { fieldsOf, listOf, textOf, type Fields } from "../acme/json.ts";
import { Told } from "../acme/problem.ts";
import { asking, requireSuccess, within, type DnsProvider } from "./provider.ts";

const NAME = "deSEC";
/** The least that most domains may set; theirs is in `minimum_ttl`. */
const TTL_SECONDS = 3_600;

/** `origin`: another one in tests. */
export function desec(token: string, origin = "https://desec.io"): DnsProvider {
  const headers = { authorization: `Token ${token}` };
  const domains = `${origin}/api/v1/domains/`;
  return {
    ...{ isSlow: true, followsAliases: true },
    add: async ({ name, value }, signal) => {
      const look = asking(NAME, signal);
      const found = await look({ method: "GET", headers, url: `${domains}?owns_qname=${encodeURIComponent(name)}` });
      requireSuccess(NAME, found);
      const domain = fieldsOf(Array.isArray(found.json) ? found.json[0] : undefined);
      const zone = textOf(domain, "name");
      if (zone === undefined) throw new Told(`${NAME} shows no domain for ${name} to this token.`);
      const part = within(name, zone);
      const sets = `${domains}${zone}/rrsets/`;
      /** Other values of the set stay; a set without any is deleted. */
      const change = async (values: readonly string[], until: AbortSignal) => {
        const ask = asking(NAME, until);
        const kept = await ask({ method: "GET", headers, url: `${sets}${part}/TXT/` });
        requireSuccess(NAME, kept, [404]);
        const others = listOf(kept.fields, "records").filter((record) => record !== `"${value}"`);
        const ttl = numberOf(kept.fields, "ttl") ?? numberOf(domain, "minimum_ttl") ?? TTL_SECONDS;
        const set = { subname: part === "@" ? "" : part, type: "TXT", ttl, records: [...others, ...values] };
        requireSuccess(NAME, await ask({ method: "PUT", headers, url: sets, body: [set] }));
      };
      await change([`"${value}"`], signal);
      return async (until) => change([], until);
    },
  };
}

function numberOf(fields: Fields, name: string): number | undefined {
  const { [name]: value } = fields;
  return typeof value === "number" ? value : undefined;
}
