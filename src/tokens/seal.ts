/**
 * Secrets that peal has to use again, such as the tokens of forwards: sealed in the database, so that no copy of it holds them.
 * What opens them is the secret beside it (secret.ts).
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from "node:crypto";
import { randomBytes } from "../util/ids.ts";

/** `of`: whose it is. What was sealed for one opens for no other. */
export interface Seal {
  seal(text: string, of: string): string;
  /** Undefined if it was sealed by another secret, or changed since. */
  open(sealed: string, of: string): string | undefined;
  /** 8 hex digits that are the same for the same text, and tell nobody which it is. */
  tag(text: string): string;
}

const CIPHER = "aes-256-gcm";
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Source: NIST SP 800-38D; the nonce is random, as one key seals few texts. */
export function createSeal(secret: Uint8Array): Seal {
  const derived = (use: string) => Buffer.from(hkdfSync("sha256", secret, "", use, KEY_BYTES));
  const key = derived("peal forwards");
  const tags = derived("peal tags");
  return {
    seal: (text, of) => {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(CIPHER, key, iv).setAAD(Buffer.from(of));
      const sealed = [cipher.update(text, "utf8"), cipher.final()];
      return Buffer.concat([iv, cipher.getAuthTag(), ...sealed]).toString("base64url");
    },
    open: (sealed, of) => {
      const bytes = Buffer.from(sealed, "base64url");
      const [iv, tag] = [bytes.subarray(0, IV_BYTES), bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES)];
      if (tag.length < TAG_BYTES) return undefined;
      const decipher = createDecipheriv(CIPHER, key, iv).setAAD(Buffer.from(of)).setAuthTag(tag);
      try {
        return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
      } catch {
        return undefined;
      }
    },
    tag: (text) => createHmac("sha256", tags).update(text).digest("hex").slice(0, 8),
  };
}
