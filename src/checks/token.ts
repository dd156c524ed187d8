/**
 * Tokens of checks and ping keys of namespaces (docs/design/CHECKINS.md §2): the store knows their SHA-256 only, and who
 * has an API key is shown them again, since they are derived from a secret of the server.
 */
import { createHmac } from "node:crypto";
import type { NamespaceId } from "../keys/namespace.ts";
import { base32, inBase32 } from "../util/ids.ts";

const TOKEN = /^[0-9a-hjkmnp-tv-z]{26}$/;
const PING_KEY = /^pk_[0-9a-hjkmnp-tv-z]{26}$/;

export const isToken = (text: string): boolean => TOKEN.test(text);
export const isPingKey = (text: string): boolean => PING_KEY.test(text);

/** The id of a check, or the token of its badge: 130 random bits that look like a token. */
export const newToken = (): string => base32(26);

export interface Tokens {
  /** `generation`: each rotation counts it up. */
  ofCheck(id: string, generation: number): string;
  ofNamespace(namespaceId: NamespaceId, generation: number): string;
}

export function createTokens(secret: Uint8Array): Tokens {
  const derived = (...what: (string | number)[]) =>
    inBase32(createHmac("sha256", secret).update(what.join("/")).digest().subarray(0, 26));
  return {
    ofCheck: (id, generation) => derived("check", id, generation),
    ofNamespace: (namespaceId, generation) => `pk_${derived("namespace", namespaceId, generation)}`,
  };
}
