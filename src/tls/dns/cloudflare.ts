/**
 * Cloudflare, API v4: `zones` and `dns_records` (https://developers.cloudflare.com/api/resources/dns/). Compared with lego's
 * `providers/dns/cloudflare` and acme.sh's `dns_cf.sh`.
 */
import { fieldsOf, listOf, textOf } from "../acme/json.ts";
import { Told } from "../acme/problem.ts";
import {
  asking,
  refused,
  requireSuccess,
  TTL_SECONDS,
  zoneOf,
  type Ask,
  type DnsAnswer,
  type DnsProvider,
  type TxtRecord,
} from "./provider.ts";

const NAME = "Cloudflare";
/** A token of another form, such as the Global API Key, is answered 400 "Invalid request headers". */
const NO_TOKEN = 6_003;

/** `token`: with Zone.DNS:Edit of the zone. `origin`: another one in tests. */
export function cloudflare(token: string, origin = "https://api.cloudflare.com"): DnsProvider {
  const headers = { authorization: `Bearer ${token}` };
  const zones = `${origin}/client/v4/zones`;
  return {
    ...{ isSlow: true, followsAliases: true },
    add: async (record, signal) => {
      const ask = asking(NAME, signal);
      const zone = await zoneOf(record.name, async (name) => {
        const answer = await ask({ method: "GET", headers, url: `${zones}?name=${encodeURIComponent(name)}` });
        requireGood(answer);
        return textOf(fieldsOf(listOf(answer.fields, "result")[0]), "id");
      });
      if (zone === undefined) throw new Told(`${NAME} shows no zone for ${record.name} to this token.`);
      const records = { headers, url: `${zones}/${zone}/dns_records` };
      const id = (await findRecord(ask, records, record)) ?? (await makeRecord(ask, records, record));
      return async (until) => {
        await asking(NAME, until)({ method: "DELETE", headers, url: `${records.url}/${id}` });
      };
    },
  };
}

interface Records {
  url: string;
  headers: Readonly<Record<string, string>>;
}

/** The id of the record if it is there already: Cloudflare takes none twice (400, code 81058). */
async function findRecord(
  ask: Ask,
  { url, headers }: Records,
  { name, value }: TxtRecord,
): Promise<string | undefined> {
  const query = new URLSearchParams({ type: "TXT", name }).toString();
  const answer = await ask({ method: "GET", headers, url: `${url}?${query}` });
  requireGood(answer);
  const same = listOf(answer.fields, "result")
    .map(fieldsOf)
    .find((record) => textOf(record, "content")?.replaceAll('"', "") === value);
  return same && textOf(same, "id");
}

async function makeRecord(ask: Ask, { url, headers }: Records, { name, value }: TxtRecord): Promise<string> {
  const body = { type: "TXT", name, content: `"${value}"`, ttl: TTL_SECONDS };
  const answer = await ask({ method: "POST", headers, url, body });
  requireGood(answer);
  return textOf(fieldsOf(answer.fields["result"]), "id") ?? "";
}

function requireGood(answer: DnsAnswer): void {
  if (listOf(answer.fields, "errors").some((error) => fieldsOf(error)["code"] === NO_TOKEN))
    throw refused(NAME, answer);
  requireSuccess(NAME, answer);
}
