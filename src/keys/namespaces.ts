/** Makes and deletes namespaces, for the command line and for the pages. */
import type { Deps } from "../deps.ts";
import { problem } from "../http/problem.ts";
import { baseSegment } from "../http/urls.ts";
import type { Millis } from "../util/clock.ts";
import type { Namespace } from "./namespace.ts";
import { isNamespaceName } from "../names/namespace.ts";
import { ownKey } from "./own.ts";

type NamespaceDeps = Pick<Deps, "config" | "store">;

/** @throws Problem 422 if it cannot be a name, 409 if a namespace has that name */
export async function createNamespace({ config, store }: NamespaceDeps, name: string): Promise<Namespace> {
  if (!isNamespaceName(name, baseSegment(config))) throw problem.validationFailed([NAME_RULE]);
  const made = await store.namespaces.create(name);
  if (made === "name_taken") throw problem.namespaceExists(name);
  return made;
}

/** Its topics are found only under the new name. @throws Problem 404 if no namespace has that name, 409, 422 */
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

/** Sends nothing of it to devices until then; `null` ends that. @throws Problem 404 if no namespace has that name */
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

/** What is deleted with a namespace. */
export interface NamespaceExtent {
  topics: number;
  /** At most `COUNTED`: if it is that many, there may be more. */
  messages: number;
  checks: number;
  keys: number;
  /** Subscriptions of devices to its topics. */
  subscriptions: number;
  /** The key of PEAL_ADMIN_KEY is one of its keys: no restart brings that back. */
  hasOwnKey: boolean;
}

export async function namespaceExtent(deps: NamespaceDeps, { id }: Namespace): Promise<NamespaceExtent> {
  const { store } = deps;
  const [sizes, extent] = await Promise.all([store.namespaces.sizes(), store.namespaces.extent(id)]);
  const { topics, checks, keys } = sizes.get(id) ?? { topics: 0, checks: 0, keys: 0 };
  return { topics, checks, keys, ...extent, hasOwnKey: ownKey(deps)?.namespaceId === id };
}

/** Deletes it with its topics, messages, checks and keys; returns how much there was. @throws Problem 404 if there is none */
export async function deleteNamespace(deps: NamespaceDeps, name: string): Promise<NamespaceExtent> {
  const { namespaces } = deps.store;
  const known = await namespaces.byName(name);
  if (known !== undefined) {
    const extent = await namespaceExtent(deps, known);
    if (await namespaces.remove(known.id)) return extent;
  }
  throw problem.notFound(NO_NAMESPACE);
}
