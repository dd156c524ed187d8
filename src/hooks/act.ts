/** What is done to a hook, by the API and by pages alike (API.md §9). */
import { topicOf } from "../checks/settings.ts";
import type { Deps } from "../deps.ts";
import { problem } from "../http/problem.ts";
import type { NamespaceId } from "../keys/namespace.ts";
import { HOOKS_PER_NAMESPACE, HOOKS_PER_TOPIC, type HookHashes } from "../store/hooks.ts";
import type { Tokens } from "../tokens/tokens.ts";
import { TOPICS_PER_NAMESPACE } from "../topics/topic.ts";
import { recordId, sha256 } from "../util/ids.ts";
import type { Hook } from "./hook.ts";
import type { HookPatchBody, NewHookBody } from "./schema.ts";
import { settingsOf } from "./spec.ts";
import { DAY } from "../util/clock.ts";

type ActDeps = Pick<Deps, "clock" | "store"> & { tokens: () => Promise<Tokens> };

/** How long the old URL works after a rotation. */
export const OVERLAP_MS = DAY;

const hashesOf = (tokens: Tokens, id: string, generation: number): HookHashes => ({
  tokenHash: sha256(tokens.ofHook(id, generation)),
  gotifyHash: sha256(tokens.ofGotify(id, generation)),
});

/** @throws Problem 404 `unknown_topic`, 409 `too_many_topics` or `too_many_hooks`, 422 */
export async function makeHook(
  { store, tokens }: ActDeps,
  namespaceId: NamespaceId,
  { topic: named, ...body }: NewHookBody,
): Promise<Hook> {
  const settings = settingsOf(body);
  const topic = topicOf(named);
  if (topic === undefined)
    throw problem.validationFailed([{ path: "/topic", message: "must be the name or the key of a topic" }]);
  const id = recordId();
  const made = await store.hooks.create({ namespaceId, topic, id, settings, ...hashesOf(await tokens(), id, 0) });
  switch (made.kind) {
    case "made":
      return made.hook;
    case "unknown_topic":
      throw problem.unknownTopic();
    case "too_many_topics":
      throw problem.tooManyTopics(TOPICS_PER_NAMESPACE);
    case "too_many_of_topic":
      throw problem.tooManyHooks(HOOKS_PER_TOPIC, "topic");
    case "too_many_of_namespace":
      throw problem.tooManyHooks(HOOKS_PER_NAMESPACE, "namespace");
  }
}

/** @throws Problem 404 `unknown_hook`, 422 */
export async function changeHook({ store }: ActDeps, { namespaceId, id }: Hook, body: HookPatchBody): Promise<Hook> {
  const changed = await store.hooks.change(namespaceId, id, (before) => settingsOf(body, before));
  if (changed === undefined) throw problem.unknownHook();
  return changed;
}

/**
 * Gives the hook a new URL; the old one works for a day, or ends `now`. Two who rotate at once rotate once: the later one is
 * shown the other's URL, unless the old URL is to end. @throws Problem 404 `unknown_hook`
 */
export async function rotateHook(deps: ActDeps, hook: Hook, isNow: boolean): Promise<Hook> {
  const { clock, store, tokens } = deps;
  const until = clock.now() + (isNow ? 0 : OVERLAP_MS);
  const hashes = hashesOf(await tokens(), hook.id, hook.tokenGeneration + 1);
  const rotated = await store.hooks.rotate(hook, hashes, until);
  if (rotated !== undefined) return rotated;
  const other = await store.hooks.find(hook.namespaceId, hook.id);
  if (other === undefined) throw problem.unknownHook();
  return isNow ? rotateHook(deps, other, true) : other;
}
