/** Cloudflare, API v4: `zones` and `dns_records` (https://developers.cloudflare.com/api/resources/dns/). */
import { fieldsOf, listOf, textOf } from "../acme/json.ts";
import { Told } from "../acme/problem.ts";
import {
  asking,
  requireSuccess,
  TTL_SECONDS,
  zonesOf,
  type DnsAnswer,
  type DnsProvider,
  type DnsRequest,
  type TxtRecord,
} from "./provider.ts";

const NAME = "Cloudflare";

/** `token`: with Zone.DNS:Edit of the zone. `origin`: another one in tests. */
export function cloudflare(token: string, origin = "https://api.cloudflare.com"): DnsProvider {
  const api = { origin, headers: { authorization: `Bearer ${token}` } };
  return {
    ...{ isSlow: true, followsAliases: true },
    add: async (record, signal) => {
      const ask = asking(NAME, signal);
      let zone: string | undefined;
      for (const name of zonesOf(record.name)) {
        const answer = await ask(zoneRequest(api, name));
        requireSuccess(NAME, answer);
        zone = idOf(answer);
        if (zone !== undefined) break;
      }
      if (zone === undefined) throw new Told(`${NAME} shows no zone for ${record.name} to this token.`);
      const answer = await ask(recordRequest(api, zone, record));
      requireSuccess(NAME, answer);
      const id = textOf(fieldsOf(answer.fields["result"]), "id");
      const url = `${origin}/client/v4/zones/${zone}/dns_records/${id}`;
      return async () => {
        if (id !== undefined) await ask({ method: "DELETE", url, headers: api.headers });
      };
    },
  };
}

interface Api {
  origin: string;
  headers: Readonly<Record<string, string>>;
}

const zoneRequest = ({ origin, headers }: Api, name: string): DnsRequest => ({
  ...{ method: "GET", headers },
  url: `${origin}/client/v4/zones?name=${encodeURIComponent(name)}`,
});

const idOf = ({ fields }: DnsAnswer): string | undefined => textOf(fieldsOf(listOf(fields, "result")[0]), "id");

const recordRequest = ({ origin, headers }: Api, zone: string, { name, value }: TxtRecord): DnsRequest => ({
  ...{ method: "POST", headers },
  url: `${origin}/client/v4/zones/${zone}/dns_records`,
  body: { type: "TXT", name, content: `"${value}"`, ttl: TTL_SECONDS },
});
