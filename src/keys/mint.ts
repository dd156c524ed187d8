/** Makes a key, for the API and for the page. */
import type { Deps } from "../deps.ts";
import { problem } from "../http/problem.ts";
import type { NewKey } from "../store/keys.ts";
import { isVisible } from "../util/text/visible.ts";
import type { ApiKey } from "./key.ts";

export interface FreshKey {
  key: ApiKey;
  /** Known now and never again. */
  secret: string;
}

export const EXPIRY_RULE = { path: "/expires_at", message: "must be an RFC 3339 time in the future" };

/** @throws Problem 422 if it has expired already or its label hides something; 404 if the namespace was deleted meanwhile */
export async function mintKey(
  { clock, store }: Pick<Deps, "clock" | "store">,
  { namespaceId, scope, name = "", expiresAt }: NewKey,
): Promise<FreshKey> {
  if (expiresAt !== undefined && expiresAt <= clock.now()) throw problem.validationFailed([EXPIRY_RULE]);
  const label = name.trim();
  if (!isVisible(label))
    throw problem.validationFailed([{ path: "/name", message: "must be one line of visible characters" }]);
  const made = await store.keys.create({
    namespaceId,
    scope,
    ...(label !== "" && { name: label }),
    ...(expiresAt !== undefined && { expiresAt }),
  });
  if (made === "gone") throw problem.notFound("The namespace has been deleted in the meantime.");
  return made;
}
