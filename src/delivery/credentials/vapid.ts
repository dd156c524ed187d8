/** Identifies this server to the push services of browsers: by a key pair, and by a JWT for each of them (RFC 8292). */
import { exportJWK, generateKeyPair, importJWK, type CryptoKey, SignJWT } from "jose";
import { createECDH } from "node:crypto";
import { isIP } from "node:net";
import { HOUR, type Millis } from "../../util/clock.ts";
import { jsonOf, stringOf } from "../transport/answer.ts";
import type { WrongCredential } from "./pem.ts";

export interface Vapid {
  kind: "credential";
  /** The key that browsers subscribe with: an uncompressed point in base64url. */
  publicKey: string;
  key: CryptoKey;
}

/** Makes a key pair, as a text to store in the form of `web-push generate-vapid-keys --json`. */
export async function makeVapid(): Promise<string> {
  const { privateKey } = await generateKeyPair("ES256", { extractable: true });
  const { d = "" } = await exportJWK(privateKey);
  return JSON.stringify({ publicKey: publicKeyOf(Buffer.from(d, "base64url"))?.toString("base64url"), privateKey: d });
}

/** Parses a stored key pair. If it cannot be read this says so, rather than making a new pair, which would lose every browser. */
export async function parseVapid(text: string): Promise<Vapid | WrongCredential> {
  const kept = jsonOf({ body: text });
  const [publicKey, d] = [stringOf(kept["publicKey"]), stringOf(kept["privateKey"])];
  const point = publicKeyOf(Buffer.from(d, "base64url"));
  if (point === undefined || point.toString("base64url") !== publicKey)
    return {
      kind: "wrong",
      tell: "The VAPID key pair in the database cannot be read: restore the database from a backup.",
    };
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString("base64url"));
  const key = await importJWK(
    { kty: "EC", crv: "P-256", d, ...(x !== undefined && { x }), ...(y !== undefined && { y }) },
    "ES256",
  );
  return { kind: "credential", publicKey, key };
}

/** The uncompressed point of a private key. Undefined if the bytes are not a private key. */
function publicKeyOf(d: Buffer): Buffer | undefined {
  const curve = createECDH("prime256v1");
  try {
    if (d.length !== 32) return undefined;
    curve.setPrivateKey(d);
    return curve.getPublicKey();
  } catch {
    return undefined;
  }
}

/** Names that exist in private networks only. Apple refuses a JWT with them, and with `.invalid` too (web-push issue 947). */
const PRIVATE_NAME = /(^|\.)(localhost|local|internal|lan|home|corp|test|invalid|example|arpa)$/;
/** RFC 2606 reserves this domain for documents. It resolves, and nobody reads its mail. */
const NOBODY = "mailto:peal@example.com";

/** Whom a push service may contact: the configured address, else this server's public https address, else nobody. */
export function subjectOf(configured: string | undefined, base: string): string {
  if (configured !== undefined) return configured;
  const url = URL.parse(base);
  if (url?.protocol !== "https:") return NOBODY;
  const host = url.hostname.replace(/\.$/, "");
  const isPublic = host.includes(".") && !PRIVATE_NAME.test(host) && isIP(host) === 0;
  return isPublic ? url.origin : NOBODY;
}

/** The header for one origin. It is used until then, since Apple wants no new one more often than hourly. */
export interface VapidHeader {
  authorization: string;
  until: Millis;
}

const VALID_MS = 12 * HOUR;
const USED_MS = VALID_MS - HOUR;

/** Whether a header is still used. One that would last longer than a new one was made by a wrong clock, and would be refused. */
export const isUsable = ({ until }: VapidHeader, now: Millis): boolean => now < until && until <= now + USED_MS;

/** Source: RFC 8292 §2, §3. */
export async function makeVapidHeader(
  { key, publicKey }: Vapid,
  { origin, subject, now }: { origin: string; subject: string; now: Millis },
): Promise<VapidHeader> {
  const jwt = new SignJWT({ sub: subject }).setProtectedHeader({ alg: "ES256", typ: "JWT" }).setAudience(origin);
  const token = await jwt.setExpirationTime(Math.floor((now + VALID_MS) / 1000)).sign(key);
  return { authorization: `vapid t=${token}, k=${publicKey}`, until: now + USED_MS };
}
