/** Speaks to a certificate authority: signed messages with nonces (RFC 8555 §6). */
import type { KeyObject } from "node:crypto";
import { createPublicKey } from "node:crypto";
import { calculateJwkThumbprint, FlattenedSign, type JWK } from "jose";
import type { Clock } from "../../util/clock.ts";
import { VERSION } from "../../util/version.ts";
import { fieldsOf, parsed, textOf, type Fields } from "./json.ts";
import { AcmeError, refusalOf, retryAfterMs, Told } from "./problem.ts";

export interface Directory {
  newNonce: string;
  newAccount: string;
  newOrder: string;
  /** Where it says when to renew (RFC 9773 §4). */
  renewalInfo?: string;
}

export interface Answer {
  fields: Fields;
  text: string;
  location: string | undefined;
  /** Asked to wait so long, in milliseconds. */
  afterMs: number | undefined;
  /** What time it is there; undefined if it did not say. */
  date: number | undefined;
}

export interface Outside {
  clock: Clock;
  signal: AbortSignal;
  /** PEM: the authorities that are trusted instead of the machine's. */
  ca?: string;
}

const REQUEST_MS = 30_000;
/** Of what an authority answers: a chain of certificates is some kilobytes. */
const MOST_BYTES = 256 * 1024;
/** A nonce is refused now and then, because the authority forgot it (§6.5). */
const NONCE_TRIES = 12;

export async function ask(
  url: string,
  init: RequestInit,
  { clock, signal, ca }: Outside,
): Promise<Answer & { nonce: string | undefined }> {
  const headers = {
    ...(init.headers as Record<string, string> | undefined),
    "user-agent": `peal/${VERSION}`,
    "accept-language": "en",
  };
  const response = await fetch(url, {
    ...init,
    headers,
    signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_MS)]),
    ...(ca !== undefined && { tls: { ca } }),
  });
  const text = (await response.text()).slice(0, MOST_BYTES);
  const afterMs = retryAfterMs(response.headers.get("retry-after"), clock.now());
  const json = response.headers.get("content-type")?.includes("json") === true ? parsed(text) : undefined;
  const nonce = response.headers.get("replay-nonce") ?? undefined;
  if (!response.ok) throw Object.assign(refusalOf(json, response.status, afterMs), { nonce });
  const date = Date.parse(response.headers.get("date") ?? "");
  return {
    ...{ fields: fieldsOf(json), text, afterMs, nonce, location: response.headers.get("location") ?? undefined },
    date: Number.isNaN(date) ? undefined : date,
  };
}

/** @throws AcmeError, Told, or what `fetch` throws */
export async function directoryOf(
  url: string,
  outside: Outside,
): Promise<{ directory: Directory; date: number | undefined }> {
  const { fields, date } = await ask(url, {}, outside);
  const [newNonce, newAccount, newOrder] = ["newNonce", "newAccount", "newOrder"].map((name) => textOf(fields, name));
  if (newNonce === undefined || newAccount === undefined || newOrder === undefined)
    throw new Told(`${url} is not the directory of a certificate authority. Check PEAL_ACME_URL.`);
  const renewalInfo = textOf(fields, "renewalInfo");
  return { directory: { newNonce, newAccount, newOrder, ...(renewalInfo !== undefined && { renewalInfo }) }, date };
}

/** The messages of one account. */
export class Account {
  readonly #directory: Directory;
  readonly #outside: Outside;
  readonly #key: KeyObject;
  readonly #jwk: JWK;
  #nonce: string | undefined;
  #kid: string | undefined;

  constructor(directory: Directory, key: KeyObject, outside: Outside) {
    this.#directory = directory;
    this.#outside = outside;
    this.#key = key;
    this.#jwk = createPublicKey(key).export({ format: "jwk" });
  }

  /** Finds the account of the key, or makes it (§7.3). Resolves to its URL. */
  async register(): Promise<string> {
    const { location } = await this.post(this.#directory.newAccount, { termsOfServiceAgreed: true });
    if (location === undefined) throw new Told("The certificate authority did not say where the account is.");
    return (this.#kid = location);
  }

  /** What proves that a challenge is answered by this account (§8.1). */
  async keyAuthorization(token: string): Promise<string> {
    return `${token}.${await calculateJwkThumbprint(this.#jwk)}`;
  }

  /** `payload`: undefined for "POST-as-GET" (§6.3). @throws AcmeError */
  async post(url: string, payload?: object): Promise<Answer> {
    for (let tries = 1; ; tries++) {
      try {
        const answer = await ask(url, await this.#signed(url, payload), this.#outside);
        this.#nonce = answer.nonce;
        return answer;
      } catch (error) {
        if (!(error instanceof AcmeError)) throw error;
        const { nonce } = error as AcmeError & { nonce?: string };
        this.#nonce = nonce;
        if (error.type !== "badNonce" || tries >= NONCE_TRIES) throw error;
      }
    }
  }

  async #signed(url: string, payload: object | undefined): Promise<RequestInit> {
    const nonce = this.#nonce ?? (await ask(this.#directory.newNonce, { method: "HEAD" }, this.#outside)).nonce ?? "";
    this.#nonce = undefined; // each is for one message
    const who = this.#kid === undefined ? { jwk: this.#jwk } : { kid: this.#kid };
    const bytes = new TextEncoder().encode(payload === undefined ? "" : JSON.stringify(payload));
    const jws = await new FlattenedSign(bytes).setProtectedHeader({ alg: "ES256", nonce, url, ...who }).sign(this.#key);
    return { method: "POST", headers: { "content-type": "application/jose+json" }, body: JSON.stringify(jws) };
  }
}
