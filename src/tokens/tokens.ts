/**
 * Capabilities that are shown again to who has an API key: derived from a secret of the server, while the store knows their
 * SHA-256 only (CHECKINS.md §2, API.md §9).
 */
import { createHmac } from "node:crypto";
import type { NamespaceId } from "../keys/namespace.ts";
import { inBase32 } from "../util/ids.ts";

/** `generation`: each rotation counts it up. */
export interface Tokens {
  /** What pings a check. */
  ofCheck(id: string, generation: number): string;
  /** What pings the checks of a namespace by slug. */
  ofNamespace(namespaceId: NamespaceId, generation: number): string;
  /** What publishes by a hook, in its URL. */
  ofHook(id: string, generation: number): string;
  /** The same as Gotify's clients want it: `A` and 14 characters. */
  ofGotify(id: string, generation: number): string;
}

export function createTokens(secret: Uint8Array): Tokens {
  const digest = (what: readonly (string | number)[]) => createHmac("sha256", secret).update(what.join("/")).digest();
  const derived = (...what: (string | number)[]) => inBase32(digest(what).subarray(0, 26));
  return {
    ofCheck: (id, generation) => derived("check", id, generation),
    ofNamespace: (namespaceId, generation) => `pk_${derived("namespace", namespaceId, generation)}`,
    ofHook: (id, generation) => `h_${derived("hook", id, generation)}`,
    ofGotify: (id, generation) => `A${digest(["gotify", id, generation]).toString("base64url").slice(0, 14)}`,
  };
}
