/**
 * Hetzner: zones of the Cloud API v1 (https://docs.hetzner.cloud/reference/cloud#dns). The API of the old DNS Console,
 * dns.hetzner.com, was shut down in May 2026. Compared with hcloud-go, lego's `providers/dns/hetzner` and acme.sh's
 * `dns_hetznercloud.sh`.
 */
import { fieldsOf, listOf, textOf } from "../acme/json.ts";
import { Told } from "../acme/problem.ts";
import { asking, requireSuccess, TTL_SECONDS, within, zoneOf, type Ask, type DnsProvider } from "./provider.ts";

const NAME = "Hetzner";

/** `token`: of the project, with read and write. `origin`: another one in tests. */
export function hetzner(token: string, origin = "https://api.hetzner.cloud"): DnsProvider {
  const headers = { authorization: `Bearer ${token}` };
  return {
    ...{ isSlow: true, followsAliases: true },
    add: async ({ name, value }, signal) => {
      const ask = asking(NAME, signal);
      const zone = await zoneOf(name, async (each) => {
        const url = `${origin}/v1/zones?name=${encodeURIComponent(each)}`;
        const answer = await ask({ method: "GET", headers, url });
        requireSuccess(NAME, answer);
        const { id } = fieldsOf(listOf(answer.fields, "zones")[0]);
        return typeof id === "number" ? { id, name: each } : undefined;
      });
      if (zone === undefined)
        throw new Told(
          `${NAME} shows no zone for ${name} to this token. It has to be a token of the project in Hetzner Console that has the zone.`,
        );
      const url = `${origin}/v1/zones/${zone.id}/rrsets/${encodeURIComponent(within(name, zone.name))}/TXT`;
      const records = [{ value: `"${value}"` }];
      const change = async (action: string, body: object, by: Ask) => {
        const answer = await by({ method: "POST", headers, url: `${url}/actions/${action}`, body });
        requireSuccess(NAME, answer);
        const { status, error } = fieldsOf(answer.fields["action"]);
        if (status === "error")
          throw new Told(
            `${NAME} did not set the record: ${textOf(fieldsOf(error), "message") ?? "the action failed"}`,
          );
      };
      const set = await ask({ method: "GET", headers, url });
      requireSuccess(NAME, set, [404]);
      const values = listOf(fieldsOf(set.fields["rrset"]), "records").map((record) => fieldsOf(record)["value"]);
      // a set that is there keeps its TTL: another one is refused ("has differing record TTLs")
      const ttl = set.status === 404 ? { ttl: TTL_SECONDS } : {};
      if (!values.includes(`"${value}"`)) await change("add_records", { ...ttl, records }, ask);
      return async (until) => change("remove_records", { records }, asking(NAME, until));
    },
  };
}
