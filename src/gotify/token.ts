/**
 * Client tokens of API keys: derived from the key's id, so that a client keeps a token that can only read instead of the key, and
 * the token ends with the key. Those of people are sessions (accounts/clients.ts).
 */
import { timingSafeEqual } from "node:crypto";
import type { Deps } from "../deps.ts";
import type { ApiKey } from "../keys/key.ts";
import type { Tokens } from "../tokens/tokens.ts";

/** `tokens`: of the server's secret, which is read when it is first needed. */
interface TokenDeps {
  tokens: () => Promise<Tokens>;
}

const FORM = /^C([0-9a-hjkmnp-tv-z]{16})\.([0-9a-hjkmnp-tv-z]{26})$/;

export const tokenOfKey = async ({ tokens }: TokenDeps, { id }: Pick<ApiKey, "id">): Promise<string> =>
  `C${id}.${(await tokens()).ofClient(id)}`;

/** The key whose client token this is; it may have expired. */
export async function keyOfToken(
  { store, tokens }: Pick<Deps, "store"> & TokenDeps,
  token: string,
): Promise<ApiKey | undefined> {
  const [, id = "", proof = ""] = FORM.exec(token) ?? [];
  const key = store.keys.byId(id);
  if (key === undefined) return undefined;
  return timingSafeEqual(Buffer.from(proof), Buffer.from((await tokens()).ofClient(id))) ? key : undefined;
}
