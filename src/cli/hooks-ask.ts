/** Finds one hook by the name that people use. */
import type { HookRecord } from "../hooks/schema.ts";
import { CommandFailed, JSON_FLAG, type Flag, type Invocation } from "./command.ts";
import { inNamespace, namespaceFlag } from "./in-namespace.ts";
import type { Local } from "./local.ts";
import { noSuch } from "./no-such.ts";

export const HOOK_ARG = "<hook>";
export const HOOK_FLAGS: readonly Flag[] = [namespaceFlag("the hook"), JSON_FLAG];

export const allHooks = async (local: Local, namespace: string): Promise<HookRecord[]> =>
  (await local.ask<{ hooks: HookRecord[] }>("GET", `/v1/${namespace}/hooks`)).hooks;

/** Calls `use` with the hook that the first argument names, by id or name. `names`: of the fields of its body. */
export const withHook = async <T>(
  invocation: Invocation,
  use: (local: Local, path: string, hook: HookRecord) => Promise<T>,
  names?: Readonly<Record<string, string>>,
): Promise<T> =>
  inNamespace(
    invocation,
    async (local, namespace) => {
      const [named = ""] = invocation.positionals;
      const hook = hookNamed(named, await allHooks(local, namespace));
      return use(local, `/v1/${namespace}/hooks/${hook.id}`, hook);
    },
    names,
  );

function hookNamed(named: string, hooks: readonly HookRecord[]): HookRecord {
  const [hook, ...others] = hooks.filter(({ id, name }) => id === named || name === named);
  if (others.length > 0) throw new CommandFailed(`${others.length + 1} hooks are named ${named}: use the id`);
  if (hook !== undefined) return hook;
  const names = hooks.flatMap(({ name }) => (name === undefined ? [] : [name]));
  throw noSuch("hook", named, names, "peal hooks list");
}
