/** What the record of a check or a hook needs besides it: the time, and what its URLs are made of. */
import type { Deps } from "../deps.ts";
import { baseUrl } from "../http/urls.ts";
import type { Principal } from "../keys/auth.ts";
import type { Millis } from "../util/clock.ts";
import type { Tokens } from "./tokens.ts";

export interface Shown {
  now: Millis;
  /** The server's address, as this request reached it: absolute URLs begin with it. */
  base: string;
  tokens: Tokens;
}

type ShownDeps = Pick<Deps, "config" | "clock"> & { tokens: () => Promise<Tokens> };

export const shown = async (deps: ShownDeps, request: Request): Promise<Shown> => ({
  now: deps.clock.now(),
  base: baseUrl(deps, request),
  tokens: await deps.tokens(),
});

/** A key holder, and the id of what they mean. */
export interface OwnerAsked {
  deps: Pick<Deps, "store">;
  principal: Principal;
  params: { id: string };
}
