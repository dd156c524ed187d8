/** Where a form or a sign-in leads afterwards: its `to`, which anybody may have written (CWE-601). */
import { isAmbiguous } from "./path.ts";

const MAX = 4_096;

/**
 * `to` if it is a path, with a query and a fragment, that begins with `under` for every reader; undefined if it could lead
 * anywhere else.
 */
export function ownPath(to: string | null, under: string): string | undefined {
  if (to === null || to.length > MAX || !to.startsWith(under) || !/^\/[!-~]*$/.test(to)) return undefined;
  const [path = ""] = to.split(/[?#]/, 1);
  return isAmbiguous(path) ? undefined : to;
}
