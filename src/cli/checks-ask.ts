/** Finds one check by the name that people use. */
import type { CheckRecord } from "../checks/schema.ts";
import { isToken } from "../checks/token.ts";
import { CommandFailed, JSON_FLAG, type Flag, type Invocation } from "./command.ts";
import { inNamespace, namespaceFlag } from "./in-namespace.ts";
import type { Local } from "./local.ts";
import { noSuch } from "./no-such.ts";
import { pagesOf } from "./pages.ts";

export const CHECK_ARG = "<check>";
export const CHECK_FLAGS: readonly Flag[] = [namespaceFlag("the check"), JSON_FLAG];

const PAGE = "200";

export async function allChecks(local: Local, namespace: string, tag?: string): Promise<CheckRecord[]> {
  const asked = { limit: PAGE, ...(tag !== undefined && { tag }) };
  const pages = await pagesOf<{ checks: CheckRecord[]; next_after?: string }>(local, `/v1/${namespace}/checks`, asked);
  return pages.flatMap(({ checks }) => checks);
}

/** Calls `use` with the check that the first argument names, by id, slug or name. `names`: of its fields. */
export const withCheck = async <T>(
  invocation: Invocation,
  use: (local: Local, path: string) => Promise<T>,
  names?: Readonly<Record<string, string>>,
): Promise<T> =>
  inNamespace(
    invocation,
    async (local, namespace) => {
      const [named = ""] = invocation.positionals;
      const id = isToken(named) ? named : idOf(named, await allChecks(local, namespace));
      return use(local, `/v1/${namespace}/checks/${id}`);
    },
    names,
  );

/** A number as a count, or as seconds; the server judges everything else. */
export const numberOrText = (given: string): string | number => (/^\d{1,9}$/.test(given) ? Number(given) : given);

function idOf(named: string, checks: readonly CheckRecord[]): string {
  const bySlug = checks.find(({ slug }) => slug === named);
  const byName = checks.filter(({ name }) => name === named);
  if (bySlug === undefined && byName.length > 1)
    throw new CommandFailed(`${byName.length} checks are named ${named}: use its id or slug`);
  const check = bySlug ?? byName[0];
  const known = checks.flatMap(({ slug, name }) => (slug === undefined ? [name] : [slug, name]));
  if (check === undefined) throw noSuch("check", named, known, "peal checks list");
  return check.id;
}
