/** The key that the operator chose: PEAL_ADMIN_KEY. */
import type { Deps } from "../deps.ts";
import { sha256 } from "../util/ids.ts";
import type { ApiKey } from "./key.ts";

/** Undefined if there is none, or it is not in use. */
export const ownKey = ({ config, store }: Pick<Deps, "config" | "store">): ApiKey | undefined =>
  config.adminKey === undefined ? undefined : store.keys.find(sha256(config.adminKey));
