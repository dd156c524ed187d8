/** Records of a zone, set over the API of whoever hosts it. */
import { VERSION } from "../../util/version.ts";
import { fieldsOf, textOf, type Fields } from "../acme/json.ts";
import { Told } from "../acme/problem.ts";

/** A TXT record. `name`: whole, without a dot at its end. */
export interface TxtRecord {
  name: string;
  value: string;
}

export interface DnsProvider {
  /** Resolves to what takes it away again. @throws Told */
  add(record: TxtRecord, signal: AbortSignal): Promise<() => Promise<void>>;
  /** Its servers have the record some time after it says so. */
  isSlow: boolean;
  /** It can set any record of its zones, so also the one that a CNAME leads to. */
  followsAliases: boolean;
}

export interface DnsRequest {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
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

/** Seconds that a resolver may remember the record: the least that providers allow. */
export const TTL_SECONDS = 60;

export type Ask = (request: DnsRequest) => Promise<DnsAnswer>;

/** `provider`: its name, for errors. The answer to a refused token is an error, all else is for the caller. @throws Told */
export const asking =
  (provider: string, signal: AbortSignal): Ask =>
  async ({ method, url, headers = {}, body }) => {
    let response: Response;
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
    } catch (error) {
      signal.throwIfAborted();
      const reason = error instanceof Error && "code" in error ? String(error.code) : "no answer";
      throw new Told(`${provider} could not be reached (${reason}).`); // not the message: it may have the URL, and with it a token
    }
    const text = (await response.text()).slice(0, 256 * 1024);
    const json = parsed(text);
    if (response.status === 401 || response.status === 403)
      throw new Told(
        `${provider} refuses PEAL_ACME_DNS_TOKEN (${response.status}): it is wrong, or may not change this zone.`,
      );
    return { status: response.status, fields: fieldsOf(json), json, text };
  };

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @throws Told with what the provider said, unless the status is a success or one of `also` */
export function requireSuccess(
  provider: string,
  { status, fields, text }: DnsAnswer,
  also: readonly number[] = [],
): void {
  if ((status >= 200 && status < 300) || also.includes(status)) return;
  const said = textOf(fields, "detail") ?? textOf(fieldsOf(fields["error"]), "message") ?? text;
  throw new Told(`${provider} did not set the record (${status}): ${said.slice(0, 200)}`);
}

/** The zones that a name may be in, the longest first. Pure. */
export function zonesOf(name: string): string[] {
  const labels = name.split(".");
  return labels.slice(0, -1).flatMap((_, at) => (at === 0 ? [] : [labels.slice(at).join(".")]));
}

/** The name within its zone; `@` for the zone itself. Pure. */
export const within = (name: string, zone: string): string => (name === zone ? "@" : name.slice(0, -zone.length - 1));
