/** deSEC: RRsets of a domain (https://desec.readthedocs.io/en/latest/dns/rrsets.html). */
import { fieldsOf, listOf, textOf } from "../acme/json.ts";
import { Told } from "../acme/problem.ts";
import { asking, requireSuccess, within, type DnsProvider } from "./provider.ts";

const NAME = "deSEC";
/** The least that an account may set. */
const TTL_SECONDS = 3_600;

/** `origin`: another one in tests. */
export function desec(token: string, origin = "https://desec.io"): DnsProvider {
  const headers = { authorization: `Token ${token}` };
  const domains = `${origin}/api/v1/domains/`;
  return {
    ...{ isSlow: true, followsAliases: true },
    add: async ({ name, value }, signal) => {
      const ask = asking(NAME, signal);
      const found = await ask({ method: "GET", headers, url: `${domains}?owns_qname=${encodeURIComponent(name)}` });
      requireSuccess(NAME, found);
      const zone = textOf(fieldsOf(Array.isArray(found.json) ? found.json[0] : undefined), "name");
      if (zone === undefined) throw new Told(`${NAME} shows no domain for ${name} to this token.`);
      const part = within(name, zone);
      const url = `${domains}${zone}/rrsets/${part}/TXT/`;
      const kept = await ask({ method: "GET", headers, url });
      requireSuccess(NAME, kept, [404]);
      const others = listOf(kept.fields, "records").filter((record) => record !== `"${value}"`);
      const set = async (records: readonly unknown[]) => {
        const subname = part === "@" ? "" : part;
        const body = [{ subname, type: "TXT", ttl: TTL_SECONDS, records }]; // no records: the set is deleted
        return ask({ method: "PUT", headers, url: `${domains}${zone}/rrsets/`, body });
      };
      requireSuccess(NAME, await set([...others, `"${value}"`]));
      return async () => {
        await set(others);
      };
    },
  };
}
