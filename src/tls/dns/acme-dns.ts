/** acme-dns: `/update` of a name that is only for this, to which a CNAME leads (https://github.com/joohoi/acme-dns). */
import { fieldsOf, textOf } from "../acme/json.ts";
import { Told } from "../acme/problem.ts";
import { asking, requireSuccess, type DnsProvider } from "./provider.ts";

const NAME = "acme-dns";
const PUBLIC = "https://auth.acme-dns.io";

/** `token`: what `/register` answered, and `server_url` for a server of one's own. @throws Told */
export function acmeDns(token: string): DnsProvider {
  const { server, ...account } = accountOf(token);
  return {
    ...{ isSlow: false, followsAliases: false },
    add: async ({ value }, signal) => {
      const ask = asking(NAME, signal);
      const headers = { "x-api-user": account.username, "x-api-key": account.password };
      const body = { subdomain: account.subdomain, txt: value };
      requireSuccess(NAME, await ask({ method: "POST", url: `${server}/update`, headers, body }));
      return async () => Promise.resolve(); // it keeps the two newest, and takes none away
    },
  };
}

function accountOf(token: string) {
  let json: unknown;
  try {
    json = JSON.parse(token);
  } catch {
    json = undefined;
  }
  const fields = fieldsOf(json);
  const [username, password, subdomain] = ["username", "password", "subdomain"].map((name) => textOf(fields, name));
  if (username === undefined || password === undefined || subdomain === undefined)
    throw new Told(
      "PEAL_ACME_DNS_TOKEN has to be the JSON that acme-dns answered to /register, with username, password and subdomain.",
    );
  const server = (textOf(fields, "server_url") ?? PUBLIC).replace(/\/+$/, "");
  return { username, password, subdomain, server };
}
