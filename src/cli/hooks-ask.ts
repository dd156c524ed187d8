/** Asks the server for hooks. */
import type { HookRecord } from "../hooks/schema.ts";
import { JSON_FLAG, type Flag, type Invocation } from "./command.ts";
import { namespaceFlag } from "./in-namespace.ts";
import type { Local } from "./local.ts";
import { withNamed } from "./named.ts";

export const HOOK_ARG = "<hook>";
export const HOOK_FLAGS: readonly Flag[] = [namespaceFlag("the hook"), JSON_FLAG];

export const allHooks = async (local: Local, namespace: string): Promise<HookRecord[]> =>
  (await local.ask<{ hooks: HookRecord[] }>("GET", `/v1/${namespace}/hooks`)).hooks;

/** Calls `use` with the path of the hook that the first argument names, by id or name. `names`: of the fields of its body. */
export const withHook = async <T>(
  invocation: Invocation,
  use: (local: Local, path: string) => Promise<T>,
  names?: Readonly<Record<string, string>>,
): Promise<T> => withNamed({ noun: "hook", all: allHooks }, invocation, use, names);
