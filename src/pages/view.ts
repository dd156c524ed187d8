/** What every page needs to know of its reader. */
import type { Deps } from "../deps.ts";
import { basePath, baseUrl } from "../http/urls.ts";

export interface View {
  /** Scheme, host and base path as the reader sees them, without a trailing slash. */
  url: string;
  /** The base path alone: empty, or `/sub/path`. */
  base: string;
  /** Chosen by the reader (cookie); absent: what the system says. */
  theme?: "light" | "dark";
}

export function viewOf(deps: Pick<Deps, "config">, request: Request): View {
  const url = baseUrl(deps, request);
  const base = basePath(deps.config);
  const theme = /(?:^|;\s*)theme=(light|dark)(?:;|$)/.exec(request.headers.get("cookie") ?? "")?.[1];
  return theme === "light" || theme === "dark" ? { url, base, theme } : { url, base };
}
