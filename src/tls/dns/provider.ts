/** Records of a zone, set over the API of whoever hosts it. */
import { VERSION } from "../../util/version.ts";
import { fieldsOf, listOf, parsed, textOf, type Fields } from "../acme/json.ts";
import { reachWords, retryAfterMs, Told } from "../acme/problem.ts";

/** A TXT record. `name`: whole, without a dot at its end. */
export interface TxtRecord {
  name: string;
  value: string;
}

export interface DnsProvider {
  /** The record may be there already, left by a try that was cut off: an authority asks for the same again. @throws Told */
  add(record: TxtRecord, signal: AbortSignal): Promise<Removal>;
  /** Its servers have the record some time after it says so. */
  isSlow: boolean;
  /** It can set any record of its zones, so also the one that a CNAME leads to. */
  followsAliases: boolean;
  /** The one name whose record it sets, to which a CNAME has to lead. */
  leadsTo?: string;
}

/** Takes the record away again. `signal`: not that of `add`, which is aborted when the server stops. */
export type Removal = (signal: AbortSignal) => Promise<void>;

export interface DnsRequest {
  method: "GET" | "POST" | "PUT" | "DELETE";
  url: string;
  headers?: Readonly<Record<string, string>>;
  body?: unknown;
}

export interface DnsAnswer {
  status: number;
  /** Of JSON; empty for anything else. */
  fields: Fields;
  json: unknown;
  text: string;
}

const REQUEST_MS = 30_000;
/** Of what a provider says is wrong. */
const MOST_CHARACTERS = 200;

/** Seconds that a resolver may remember the record: the least that Cloudflare and Hetzner allow. */
export const TTL_SECONDS = 60;

export type Ask = (request: DnsRequest) => Promise<DnsAnswer>;

/** `provider`: its name, for errors. A refused token and a rate limit are errors, all else is for the caller. @throws Told */
export const asking =
  (provider: string, signal: AbortSignal): Ask =>
  async ({ method, url, headers = {}, body }) => {
    let response: Response;
    let text: string;
    try {
      response = await fetch(url, {
        method,
        redirect: "error", // the token is for this host only
        headers: {
          ...(body !== undefined && { "content-type": "application/json" }),
          ...{ accept: "application/json", "user-agent": `peal/${VERSION}`, ...headers },
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_MS)]),
      });
      text = await response.text();
    } catch (error) {
      signal.throwIfAborted();
      throw new Told(`${provider} could not be reached (${reachWords(error) ?? "no answer"}).`);
    }
    const json = parsed(text);
    const answer = { status: response.status, fields: fieldsOf(json), json, text };
    if (answer.status === 401 || answer.status === 403) throw refused(provider, answer);
    if (answer.status === 429)
      throw new Told(`${provider} takes no more requests for now: ${saidBy(answer)}`, {
        afterMs: retryAfterMs(response.headers.get("retry-after")),
      });
    return answer;
  };

export const refused = (provider: string, answer: DnsAnswer): Told =>
  new Told(
    `${provider} refuses PEAL_ACME_DNS_TOKEN (${answer.status}): it is wrong, or may not change this zone. It says: ${saidBy(answer)}`,
  );

/** @throws Told with what the provider said, unless the status is a success or one of `also` */
export function requireSuccess(provider: string, answer: DnsAnswer, also: readonly number[] = []): void {
  const { status } = answer;
  if ((status >= 200 && status < 300) || also.includes(status)) return;
  throw new Told(`${provider} did not set the record (${status}): ${saidBy(answer)}`);
}

/** deSEC has `detail`, acme-dns `error`, Hetzner `error.message`, Cloudflare `errors`; a proxy between has a page of HTML. */
function saidBy({ fields, text }: DnsAnswer): string {
  const errors = listOf(fields, "errors")
    .map(fieldsOf)
    .flatMap((error) => [error, ...listOf(error, "error_chain").map(fieldsOf)]);
  const said = [
    ...[textOf(fields, "detail"), textOf(fields, "error")],
    ...[fieldsOf(fields["error"]), ...errors].map((error) => textOf(error, "message")),
  ].filter((words) => words !== undefined);
  const words = said.length > 0 ? said.join(": ") : text.trimStart().startsWith("<") ? "" : text.trim();
  return words === "" ? "nothing." : words.slice(0, MOST_CHARACTERS);
}

/** What `find` knows of the zone that the name is in: the longest that it finds. */
export async function zoneOf<T>(name: string, find: (zone: string) => Promise<T | undefined>): Promise<T | undefined> {
  for (const zone of zonesOf(name)) {
    const found = await find(zone);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The zones that a name may be in, the longest first: itself too, as a CNAME may lead to a zone. Pure. */
export function zonesOf(name: string): string[] {
  const labels = name.split(".");
  return labels.slice(0, -1).flatMap((label, at) => (label.startsWith("_") ? [] : [labels.slice(at).join(".")]));
}

/** The name within its zone; `@` for the zone itself. Pure. */
export const within = (name: string, zone: string): string => (name === zone ? "@" : name.slice(0, -zone.length - 1));
