/** Refusals of a certificate authority (RFC 8555 §6.7), and what they mean for people. */
import { isRecord } from "./json.ts";

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
  const { type, detail, subproblems } = isRecord(body) ? body : {};
  const more = Array.isArray(subproblems)
    ? subproblems.flatMap((each) => (isRecord(each) && typeof each["detail"] === "string" ? [each["detail"]] : []))
    : [];
  const words = [typeof detail === "string" ? detail : `HTTP ${status}`, ...more].join("; ");
  return new AcmeError({
    type: typeof type === "string" ? type.replace(PREFIX, "") : "",
    ...{ detail: words.slice(0, 600), status, afterMs },
  });
}

/** Why there is no certificate, as a sentence. */
export function reasonOf(error: unknown, directory: string): string {
  const authority = new URL(directory).host;
  if (!(error instanceof AcmeError))
    return error instanceof Told
      ? error.message
      : `${authority} could not be reached: ${error instanceof Error ? error.message : String(error)}.`;
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

/** A failure that is told in our own words. */
export class Told extends Error {
  override readonly name = "Told";
}

/** `Retry-After` in milliseconds: seconds or a date (RFC 9110 §10.2.3). */
export function retryAfterMs(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
