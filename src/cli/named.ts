/** Finds one of a namespace's checks, hooks or forwards by the name that people use. */
import { nearest } from "../util/text/nearest.ts";
import { CommandFailed, type Invocation } from "./command.ts";
import { inNamespace } from "./in-namespace.ts";
import type { Local } from "./local.ts";

interface Named {
  id: string;
  name?: string;
  /** No other has it. */
  slug?: string;
}

interface Kind {
  /** `hook`; with an `s` it is the path of the API, and the group of commands. */
  noun: string;
  all: (local: Local, namespace: string) => Promise<readonly Named[]>;
  /** Whether a word is an id, so that no list has to be asked for. */
  isId?: (named: string) => boolean;
}

/** Calls `use` with the one that the first argument names, by id, slug or name. `names`: of the fields of its body. */
export const withNamed = async <T>(
  { noun, all, isId }: Kind,
  invocation: Invocation,
  use: (local: Local, path: string) => Promise<T>,
  names?: Readonly<Record<string, string>>,
): Promise<T> =>
  inNamespace(
    invocation,
    async (local, namespace) => {
      const [named = ""] = invocation.positionals;
      const id = isId?.(named) === true ? named : idOf(noun, named, await all(local, namespace));
      return use(local, `/v1/${namespace}/${noun}s/${id}`);
    },
    names,
  );

function idOf(noun: string, named: string, all: readonly Named[]): string {
  const own = all.find(({ id, slug }) => id === named || slug === named);
  const [first, ...others] = all.filter(({ name }) => name === named);
  if (own === undefined && others.length > 0)
    throw new CommandFailed(`${others.length + 1} ${noun}s are named ${named}: use the id`);
  const found = own ?? first;
  if (found !== undefined) return found.id;
  const known = all.flatMap(({ slug, name }) => [slug, name]).filter((name) => name !== undefined);
  throw noSuch(noun, named, known, `peal ${noun}s list`);
}

/**
 * The error for a name that nothing has: names the nearest of the `known` ones, else the command that lists them.
 * `where`: ` in home`.
 */
export function noSuch(noun: string, named: string, known: readonly string[], list: string, where = ""): CommandFailed {
  const near = nearest(named, known);
  const next = near === undefined ? `\`${list}\` shows them all` : `did you mean ${near}?`;
  return new CommandFailed(`there is no ${noun} ${named}${where}; ${next}`);
}
