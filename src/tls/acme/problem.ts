/** Refusals of a certificate authority (RFC 8555 §6.7), and what they mean for people. */
import { SECOND, type Millis } from "../../util/clock.ts";
import { fieldsOf, listOf, textOf } from "./json.ts";

export class AcmeError extends Error {
  override readonly name = "AcmeError";
  /** Without `urn:ietf:params:acme:error:`. */
  readonly type: string;
  readonly status: number;
  /** Not sooner, in milliseconds. */
  readonly afterMs: number | undefined;
  constructor({ type, detail, status, afterMs }: Refusal) {
    super(detail);
    this.type = type;
    this.status = status;
    this.afterMs = afterMs;
  }
}

interface Refusal {
  type: string;
  detail: string;
  status: number;
  afterMs?: number | undefined;
}

const PREFIX = "urn:ietf:params:acme:error:";

/** `body`: what was answered, maybe no problem document. */
export function refusalOf(body: unknown, status: number, afterMs?: number): AcmeError {
  const fields = fieldsOf(body);
  const details = [fields, ...listOf(fields, "subproblems").map(fieldsOf)].map((each) => textOf(each, "detail"));
  const said = details.filter((detail) => detail !== undefined).join("; ");
  const detail = (said === "" ? `HTTP ${status}` : said).slice(0, 600);
  return new AcmeError({ type: (textOf(fields, "type") ?? "").replace(PREFIX, ""), detail, status, afterMs });
}

/** Why there is no certificate, as a sentence. */
export function reasonOf(error: unknown, directory: string): string {
  const authority = new URL(directory).host;
  if (error instanceof Told) return error.message;
  if (!(error instanceof AcmeError)) return unreachable(authority, reachWords(error) ?? String(error));
  const says = `${authority} says: ${error.message}`;
  switch (error.type) {
    case "rateLimited":
      return `The certificate authority issues no more certificates for now. ${says}`;
    case "caa":
      return `A CAA record of the domain forbids this certificate authority. ${says}`;
    case "externalAccountRequired":
      return `This certificate authority wants an account made on its website, which peal cannot use. ${says}`;
    case "rejectedIdentifier":
    case "unsupportedIdentifier":
      return `The certificate authority issues no certificate for this name. ${says}`;
    default:
      return `The certificate authority refused. ${says}`;
  }
}

const unreachable = (authority: string, reason: string): string =>
  `${authority} could not be reached (${reason}).${/CERT|SIGNATURE/.test(reason) ? " If it is an authority of your own, name its root in NODE_EXTRA_CA_CERTS." : ""}`;

/** Why `fetch` got no answer, such as `ECONNREFUSED`, if it says so. Its message may have the address, and that a token. */
export function reachWords(error: unknown): string | undefined {
  const { code, name }: { code?: unknown; name?: string } = error instanceof Error ? error : {};
  return typeof code === "string" ? code : name === "TimeoutError" ? "no answer in time" : undefined;
}

/** A failure that is told in our own words. */
export class Told extends Error {
  override readonly name = "Told";
  /** Not sooner, in milliseconds. */
  readonly afterMs: number | undefined;
  constructor(message: string, { afterMs, ...options }: ErrorOptions & { afterMs?: number | undefined } = {}) {
    super(message, options);
    this.afterMs = afterMs;
  }
}

/** `Retry-After` in milliseconds: seconds or, where it is told what time it is, a date (RFC 9110 §10.2.3). */
export function retryAfterMs(header: string | null, now?: Millis): number | undefined {
  if (header === null) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header) * SECOND;
  const at = Date.parse(header);
  return Number.isNaN(at) || now === undefined ? undefined : Math.max(0, at - now);
}
