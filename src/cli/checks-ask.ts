/** Asks the server for checks. */
import type { CheckRecord } from "../checks/schema.ts";
import { isToken } from "../checks/token.ts";
import { JSON_FLAG, type Flag, type Invocation } from "./command.ts";
import { namespaceFlag } from "./in-namespace.ts";
import type { Local } from "./local.ts";
import { withNamed } from "./named.ts";
import { pagesOf } from "./pages.ts";

export const CHECK_ARG = "<check>";
export const CHECK_FLAGS: readonly Flag[] = [namespaceFlag("the check"), JSON_FLAG];

const PAGE = "200";

export async function allChecks(local: Local, namespace: string, tag?: string): Promise<CheckRecord[]> {
  const asked = { limit: PAGE, ...(tag !== undefined && { tag }) };
  const pages = await pagesOf<{ checks: CheckRecord[]; next_after?: string }>(local, `/v1/${namespace}/checks`, asked);
  return pages.flatMap(({ checks }) => checks);
}

/** Calls `use` with the path of the check that the first argument names, by id, slug or name. `names`: of its fields. */
export const withCheck = async <T>(
  invocation: Invocation,
  use: (local: Local, path: string) => Promise<T>,
  names?: Readonly<Record<string, string>>,
): Promise<T> => withNamed({ noun: "check", all: allChecks, isId: isToken }, invocation, use, names);

/** A number as a count, or as seconds; the server judges everything else. */
export const numberOrText = (given: string): string | number => (/^\d{1,9}$/.test(given) ? Number(given) : given);
