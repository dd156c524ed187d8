/**
 * acme-dns: `/update` of a name that is only for this, to which a CNAME leads (https://github.com/joohoi/acme-dns, `api.go`, `auth.go`).
 * `server_url` is what goacmedns and lego call it in their files.
 */
import { fieldsOf, parsed, textOf } from "../acme/json.ts";
import { Told } from "../acme/problem.ts";
import { asking, requireSuccess, type DnsProvider } from "./provider.ts";

const NAME = "acme-dns";
const PUBLIC = "https://auth.acme-dns.io";

/** `token`: what `/register` answered, and `server_url` for a server of one's own. @throws Told */
export function acmeDns(token: string): DnsProvider {
  const { server, username, password, subdomain, fulldomain } = accountOf(token);
  const headers = { "x-api-user": username, "x-api-key": password };
  return {
    ...{ isSlow: false, followsAliases: false },
    ...(fulldomain !== undefined && { leadsTo: fulldomain }),
    add: async ({ value }, signal) => {
      const body = { subdomain, txt: value };
      const answer = await asking(NAME, signal)({ method: "POST", url: `${server}/update`, headers, body });
      requireSuccess(NAME, answer);
      return async () => Promise.resolve(); // it keeps the two newest, and takes none away
    },
  };
}

function accountOf(token: string) {
  const fields = fieldsOf(parsed(token));
  const [username, password, subdomain] = ["username", "password", "subdomain"].map((name) => textOf(fields, name));
  if (username === undefined || password === undefined || subdomain === undefined)
    throw new Told(
      "PEAL_ACME_DNS_TOKEN has to be the JSON that acme-dns answered to /register, with username, password and subdomain.",
    );
  const server = (textOf(fields, "server_url") ?? PUBLIC).replace(/\/+$/, "");
  return { username, password, subdomain, server, fulldomain: textOf(fields, "fulldomain") };
}
