/** Where a form goes on afterwards: its `to`, which anybody may have written. */
import { isAmbiguous } from "./path.ts";

const HERE = "http://here.invalid";

/** The path and query, if it is one of ours below the base path; undefined if a browser could be led anywhere else by it. */
export function ownPath(to: string, base: string): string | undefined {
  const url = URL.parse(to, HERE);
  if (url?.origin !== HERE || isAmbiguous(url.pathname) || !url.pathname.startsWith(`${base}/`)) return undefined;
  return url.pathname + url.search;
}
