/** The URL of a check: as it was pasted, or made of its token and the server's address (CHECKINS.md §2). */
import { isPingKey, isToken } from "../checks/token.ts";
import { baseUrl } from "../config/forms.ts";
import type { Flag } from "./command.ts";

export const URL_FLAG: Flag = {
  name: "url",
  value: "url",
  description: "The server's address, for a check given by its token; default: PEAL_URL.",
};

/** Words that say why a check cannot be pinged. Never with its token: they get into mails and logs. */
export type Unusable = string;

/** `server`: the address that the flag gives. */
export function pingUrl(check: string, server = process.env["PEAL_URL"]): URL | Unusable {
  if (/^https?:\/\//i.test(check)) return URL.parse(check) ?? "the check's URL is not valid";
  const [path = "", query] = check.split("?", 2);
  const [first = "", slug, ...more] = path.split("/");
  const isBare = slug === undefined ? isToken(first) : isPingKey(first) && slug !== "" && more.length === 0;
  if (!isBare) return "give the check as its ping URL (https://…), its token, or a ping key and a slug (pk_…/slug)";
  const base = baseUrl(server ?? "");
  if (base === undefined)
    return `a token needs the server's address: PEAL_URL or --url, ${server === undefined ? "which are not set" : "a URL"}`;
  return new URL(`${base}/v1/ping/${path}${query === undefined ? "" : `?${query}`}`);
}

/** `outcome`: `start`, `fail`, `log` or an exit code; none: a success. `rid`: the run that the ping belongs to. */
export function pingOf(url: URL, outcome: string | undefined, rid?: string): URL {
  const ping = new URL(url);
  if (outcome !== undefined) ping.pathname = `${url.pathname.replace(/\/+$/, "")}/${outcome}`;
  if (rid !== undefined) ping.searchParams.set("rid", rid);
  return ping;
}
