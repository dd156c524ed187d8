/** Making and deleting namespaces: plain functions of the command line and of the pages. */
import type { Deps } from "../deps.ts";
import { problem } from "../http/problem.ts";
import { baseSegment } from "../http/urls.ts";
import type { Millis } from "../util/clock.ts";
import type { Namespace } from "./namespace.ts";
import { isNamespaceName } from "../names/namespace.ts";
import { ownKey } from "./own.ts";

type NamespaceDeps = Pick<Deps, "config" | "store">;

/** @throws Problem 422 where it cannot be a name, 409 where there is one of that name */
export async function createNamespace({ config, store }: NamespaceDeps, name: string): Promise<Namespace> {
  if (!isNamespaceName(name, baseSegment(config))) throw problem.validationFailed([NAME_RULE]);
  const made = await store.namespaces.create(name);
  if (made === "name_taken") throw problem.namespaceExists(name);
  return made;
}

/** Its topics are found under the new name alone. @throws Problem 404 where there is none of that name, 409, 422 */
export async function renameNamespace({ config, store }: NamespaceDeps, name: string, to: string): Promise<Namespace> {
  if (!isNamespaceName(to, baseSegment(config))) throw problem.validationFailed([NAME_RULE]);
  const known = await store.namespaces.byName(name);
  const renamed = known && (await store.namespaces.rename(known.id, to));
  if (renamed === "name_taken") throw problem.namespaceExists(to);
  if (renamed === undefined) throw problem.notFound(NO_NAMESPACE);
  return renamed;
}

const NAME_RULE = {
  path: "/name",
  message: "must be 1 to 32 characters of a-z 0-9 _ -, start with a letter or digit, and not be a reserved word",
};

/** Nothing of it is sent to devices until then; `null`: as ever. @throws Problem 404 where there is none of that name */
export async function muteNamespace(
  { store: { namespaces } }: NamespaceDeps,
  name: string,
  until: Millis | null,
): Promise<Namespace> {
  const known = await namespaces.byName(name);
  const muted = known && (await namespaces.mute(known.id, until));
  if (muted === undefined) throw problem.notFound(NO_NAMESPACE);
  return muted;
}

const NO_NAMESPACE = "Unknown namespace. `peal namespaces list` shows them all.";

/** What goes with a namespace. */
export interface NamespaceExtent {
  topics: number;
  /** At most `COUNTED`: then there may be more. */
  messages: number;
  checks: number;
  keys: number;
  /** Subscriptions of devices to its topics. */
  subscriptions: number;
  /** The key of PEAL_ADMIN_KEY is one of its keys: it comes back with no restart. */
  hasOwnKey: boolean;
}

export async function namespaceExtent(deps: NamespaceDeps, { id }: Namespace): Promise<NamespaceExtent> {
  const { store } = deps;
  const [sizes, extent] = await Promise.all([store.namespaces.sizes(), store.namespaces.extent(id)]);
  const { topics, checks, keys } = sizes.get(id) ?? { topics: 0, checks: 0, keys: 0 };
  return { topics, checks, keys, ...extent, hasOwnKey: ownKey(deps)?.namespaceId === id };
}

/** With its topics, messages, checks and keys; what there was of them. @throws Problem 404 where there is none of that name */
export async function deleteNamespace(deps: NamespaceDeps, name: string): Promise<NamespaceExtent> {
  const { namespaces } = deps.store;
  const known = await namespaces.byName(name);
  if (known !== undefined) {
    const extent = await namespaceExtent(deps, known);
    if (await namespaces.remove(known.id)) return extent;
  }
  throw problem.notFound(NO_NAMESPACE);
}
