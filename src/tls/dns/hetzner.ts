/** Hetzner: zones of the Cloud API v1, not of the old DNS Console (https://docs.hetzner.cloud/reference/cloud#dns). */
import { fieldsOf, listOf } from "../acme/json.ts";
import { Told } from "../acme/problem.ts";
import { asking, requireSuccess, TTL_SECONDS, within, zonesOf, type DnsProvider, type DnsRequest } from "./provider.ts";

const NAME = "Hetzner";

/** `token`: of the project, with read and write. `origin`: another one in tests. */
export function hetzner(token: string, origin = "https://api.hetzner.cloud"): DnsProvider {
  const headers = { authorization: `Bearer ${token}` };
  return {
    ...{ isSlow: true, followsAliases: true },
    add: async ({ name, value }, signal) => {
      const ask = asking(NAME, signal);
      let zone: { id: number; name: string } | undefined;
      for (const each of zonesOf(name)) {
        const answer = await ask({
          method: "GET",
          headers,
          url: `${origin}/v1/zones?name=${encodeURIComponent(each)}`,
        });
        requireSuccess(NAME, answer);
        const { id } = fieldsOf(listOf(answer.fields, "zones")[0]);
        if (typeof id !== "number") continue;
        zone = { id, name: each };
        break;
      }
      if (zone === undefined)
        throw new Told(
          `${NAME} shows no zone for ${name} to this token. Zones of the old DNS Console have to be moved first.`,
        );
      const set = `${origin}/v1/zones/${zone.id}/rrsets/${encodeURIComponent(within(name, zone.name))}/TXT/actions`;
      const records = [{ value: `"${value}"` }];
      const change = (action: string, body: object): DnsRequest => ({
        ...{ method: "POST", headers },
        url: `${set}/${action}`,
        body,
      });
      requireSuccess(NAME, await ask(change("add_records", { ttl: TTL_SECONDS, records })));
      return async () => {
        await ask(change("remove_records", { records }));
      };
    },
  };
}
