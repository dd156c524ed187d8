/** The hook of the first topic: a URL that takes anything, beside the command with the key (WEB.md §2). */
import type { Deps } from "../deps.ts";
import { makeHook } from "../hooks/act.ts";
import { hookJson } from "../hooks/json.ts";
import type { View } from "../pages/view.ts";
import type { Tokens } from "../tokens/tokens.ts";
import type { Topic } from "../topics/topic.ts";

type HookDeps = Pick<Deps, "store" | "clock"> & { tokens: () => Promise<Tokens> };

/** The URL of the topic's newest hook; undefined if it has none, or the server has lost its secret. */
export async function firstHookUrl(
  { store, tokens }: HookDeps,
  { url: base, now }: View,
  { namespaceId, id }: Topic,
): Promise<string | undefined> {
  const hook = (await store.hooks.list(namespaceId, id)).at(-1);
  return hook && hookJson(hook, { now, base, tokens: await tokens() }).url;
}

/** Makes one if there is none. @throws Problem 409: there are too many */
export async function ensureFirstHook(deps: HookDeps, { namespaceId, id, key }: Topic): Promise<void> {
  const hooks = await deps.store.hooks.list(namespaceId, id);
  if (hooks.length === 0) await makeHook(deps, namespaceId, { topic: key });
}
