/**
 * Capabilities that holders of an API key may see again: they are derived from a secret of the server, and the store has only
 * their SHA-256 (CHECKINS.md §2, API.md §9).
 */
import { createHmac } from "node:crypto";
import type { NamespaceId } from "../keys/namespace.ts";
import { inBase32 } from "../util/ids.ts";

/** `generation`: each rotation adds one to it. */
export interface Tokens {
  /** The token that pings a check. */
  ofCheck(id: string, generation: number): string;
  /** The key that pings the checks of a namespace by slug. */
  ofNamespace(namespaceId: NamespaceId, generation: number): string;
  /** The token in the URL of a hook, which publishes by it. */
  ofHook(id: string, generation: number): string;
  /** The hook's token in the form that Gotify's clients want: `A` and 14 characters. */
  ofGotify(id: string, generation: number): string;
  /** The token of the badge of an imported check; another check has a random one. */
  ofBadge(id: string): string;
  /** The token of the badge of all checks of a namespace that have a tag. */
  ofTag(namespaceId: NamespaceId, tag: string): string;
}

export function createTokens(secret: Uint8Array): Tokens {
  const digest = (what: readonly (string | number)[]) => createHmac("sha256", secret).update(what.join("/")).digest();
  const derived = (...what: (string | number)[]) => inBase32(digest(what).subarray(0, 26));
  return {
    ofCheck: (id, generation) => derived("check", id, generation),
    ofNamespace: (namespaceId, generation) => `pk_${derived("namespace", namespaceId, generation)}`,
    ofHook: (id, generation) => `h_${derived("hook", id, generation)}`,
    ofGotify: (id, generation) => `A${digest(["gotify", id, generation]).toString("base64url").slice(0, 14)}`,
    ofBadge: (id) => derived("badge", id),
    ofTag: (namespaceId, tag) => derived("tag", namespaceId, tag),
  };
}
