/** A certificate with its key, as PEM files have them. */
import { createPrivateKey, X509Certificate, type KeyObject } from "node:crypto";
import { isIP } from "node:net";
import { rfc3339, type Millis } from "../util/clock.ts";

/** Both in PEM. `cert`: the server's own first, then its issuers. */
export interface Pair {
  cert: string;
  key: string;
}

export interface Certificate {
  pair: Pair;
  /** Of DNS, and addresses. */
  names: readonly string[];
  /** Who issued it, for people. */
  issuer: string;
  from: Millis;
  until: Millis;
  x509: X509Certificate;
}

/** The certificate, or a sentence that says what is wrong with the pair. Pure. */
export function certificateOf(pair: Pair): Certificate | string {
  let x509: X509Certificate;
  let key: KeyObject;
  try {
    x509 = new X509Certificate(pair.cert);
  } catch {
    return "The certificate cannot be read: it is no PEM, or was cut off.";
  }
  try {
    key = createPrivateKey(pair.key);
  } catch {
    return "The private key cannot be read: it is no PEM, was cut off, or needs a password.";
  }
  if (!x509.checkPrivateKey(key)) return "The private key does not belong to the certificate.";
  return {
    ...{ pair, x509 },
    names: namesOf(x509),
    issuer: issuerOf(x509.issuer),
    from: Date.parse(x509.validFrom),
    until: Date.parse(x509.validTo),
  };
}

const namesOf = ({ subjectAltName = "" }: X509Certificate): string[] =>
  subjectAltName.split(", ").flatMap((entry) => /^(?:DNS|IP Address):(.+)$/.exec(entry)?.slice(1) ?? []);

/** A time for people of any zone, to the minute. */
export const utcWords = (at: Millis): string => `${rfc3339(at).slice(0, 16).replace("T", " ")} UTC`;

/** `CN=R11\nO=Let's Encrypt` is "Let's Encrypt R11". */
function issuerOf(issuer: string): string {
  const part = (name: string) => new RegExp(`^${name}=(.+)$`, "m").exec(issuer)?.[1];
  return [part("O"), part("CN")].filter((one) => one !== undefined).join(" ") || issuer.replaceAll("\n", ", ");
}

/** Whether browsers accept it for this host (an IPv6 address without brackets) at that time, if they trust its issuer. */
export function isFor({ x509, from, until }: Certificate, host: string, now: Millis): boolean {
  if (now < from || now >= until) return false;
  return (isIP(host) === 0 ? x509.checkHost(host) : x509.checkIP(host)) !== undefined;
}
