/** Making a key: a plain function of the API and of the page. */
import type { Deps } from "../deps.ts";
import { problem } from "../http/problem.ts";
import { oneLine } from "../messages/text.ts";
import type { NewKey } from "../store/store.ts";
import type { ApiKey } from "./key.ts";

/** @throws Problem 422 where it would have ended already */
export async function mintKey(
  { clock, store }: Pick<Deps, "clock" | "store">,
  { namespaceId, scope, name = "", expiresAt }: NewKey,
): Promise<{ key: ApiKey; secret: string }> {
  if (expiresAt !== undefined && !(expiresAt > clock.now()))
    throw problem.validationFailed([{ path: "/expires_at", message: "must be an RFC 3339 time to come" }]);
  const label = oneLine(name);
  return store.keys.create({
    namespaceId,
    scope,
    ...(label !== "" && { name: label }),
    ...(expiresAt !== undefined && { expiresAt }),
  });
}
