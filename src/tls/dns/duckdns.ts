/** DuckDNS: `/update` (https://www.duckdns.org/spec.jsp). A domain has one TXT record, which all names below it show. */
import { Told } from "../acme/problem.ts";
import { asking, type DnsAnswer, type DnsProvider, type DnsRequest } from "./provider.ts";

const NAME = "DuckDNS";

/** `origin`: another one in tests. */
export function duckdns(token: string, origin = "https://www.duckdns.org"): DnsProvider {
  return {
    ...{ isSlow: true, followsAliases: true },
    add: async ({ name, value }, signal) => {
      const ask = asking(NAME, signal);
      requireOk(await ask(request({ origin, token, name, txt: value })));
      return async () => {
        await ask({
          ...request({ origin, token, name, txt: "" }),
          url: `${request({ origin, token, name, txt: value }).url}&clear=true`,
        });
      };
    },
  };
}

function request({
  origin,
  token,
  name,
  txt,
}: {
  origin: string;
  token: string;
  name: string;
  txt: string;
}): DnsRequest {
  const [, domain] = /(?:^|\.)([^.]+)\.duckdns\.org$/.exec(name) ?? [];
  if (domain === undefined) throw new Told(`${name} is no name of ${NAME}: those end in .duckdns.org.`);
  const query = new URLSearchParams({ domains: domain, token, txt });
  return { method: "GET", url: `${origin}/update?${query.toString()}` };
}

/** It answers `OK` or `KO`, always with status 200. */
function requireOk({ text }: DnsAnswer): void {
  if (!text.startsWith("OK"))
    throw new Told(`${NAME} did not set the record: the token is wrong, or the domain belongs to somebody else.`);
}
