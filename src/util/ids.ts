/** Randomness and hashes. Only this file asks the machine for random bytes. */

/** Crockford's base32, lower case: no i, l, o, u (https://www.crockford.com/base32.html). */
export const BASE32 = "0123456789abcdefghjkmnpqrstvwxyz";

/** `n` characters of lower-case Crockford base32, 5 random bits each. */
export const base32 = (n: number): string => inBase32(randomBytes(n));

export const randomBytes = (n: number): Uint8Array => crypto.getRandomValues(new Uint8Array(n));

/** One character for the last 5 bits of each byte. */
export const inBase32 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.map((byte) => BASE32.charCodeAt(byte & 31))).toString("latin1");

/** The unguessable end of a topic key: 26 characters, 130 random bits. */
export const topicKeySuffix = (): string => base32(26);

/** The id of a device, which is its capability: 130 random bits. */
export const deviceId = (): string => base32(26);

/** Names a device to those who must not learn its id: 80 bits of the SHA-256 of the id, which has 130 random bits. */
export const deviceRef = (id: string): string => inBase32(Buffer.from(sha256(id), "hex").subarray(0, 16));

/** A new API key, `svc_` and 64 hex digits: 256 random bits. Shown once, stored only as its hash. */
export const apiKeySecret = (): string => `svc_${Buffer.from(randomBytes(32)).toString("hex")}`;

/** The content of a session's cookie: 256 random bits. */
export const sessionSecret = (): string => Buffer.from(randomBytes(32)).toString("base64url");

/** The one-time set-up code: 80 bits as four groups of four, upper case, as people read it aloud. */
export const setupCode = (): string => (base32(16).toUpperCase().match(/.{4}/g) ?? []).join("-");

/** The public id of a record that is not a capability (key, scheduled message): 80 random bits. */
export const recordId = (): string => base32(16);

/** Names a run of a job. A UUID, because other servers that take the same pings accept nothing else. */
export const runId = (): string => crypto.randomUUID();

const REQUEST_ID = 12;
let drawn = "";
let used = 0;

/** Request id: 60 random bits, enough to find one line in a log. Bits are drawn for many requests at once. */
export function requestId(): string {
  if (used === drawn.length) {
    drawn = base32(REQUEST_ID * 512);
    used = 0;
  }
  return drawn.slice(used, (used += REQUEST_ID));
}

/** SHA-256 as lower-case hex. Every secret of high entropy is stored so (256 bits need no slow hash). */
export const sha256 = (text: string | Uint8Array): string => Bun.SHA256.hash(text, "hex");

/** SHA-1 as lower-case hex, for what another server names so; it protects nothing. */
export const sha1 = (text: string): string => Bun.SHA1.hash(text, "hex");

/** A number from 0 up to 1, for uses that need not be secret. */
export const random = (): number => Math.random();
