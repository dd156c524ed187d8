/** The cookie of a session: a secret that only this server and the browser know (WEB.md §1). */
import type { Config } from "../config/config.ts";
import { contextOf } from "../http/context.ts";
import { setCookie } from "../http/cookie.ts";
import { basePath } from "../http/urls.ts";

/** The longest that browsers keep a cookie, 400 days; the server decides when a session is over. */
const MAX_AGE = 400 * 86_400;

interface Deps {
  config: Pick<Config, "baseUrl">;
}

/** The secret that the request brings. */
export function sessionSecret(deps: Deps, request: Request): string | undefined {
  const name = cookieName(deps, request);
  for (const pair of (request.headers.get("cookie") ?? "").split(";")) {
    const [key, value] = pair.trim().split("=", 2);
    if (key === name && value !== undefined && value !== "") return value;
  }
  return undefined;
}

/** `Set-Cookie` with this secret; without one the browser forgets it. */
export function sessionCookie(deps: Deps, request: Request, secret?: string): string {
  const path = basePath(deps.config);
  return setCookie(cookieName(deps, request), secret ?? "", {
    path: path === "" ? "/" : path,
    life: secret === undefined ? 0 : MAX_AGE,
    isSecure: isSecure(deps, request),
  });
}

/**
 * Over https the name has a prefix. `__Secure-` keeps pages that came over http from setting the cookie; `__Host-` also keeps
 * other hosts of the domain from it, but demands `Path=/`. Below a base path a narrower path matters more: then other programs
 * on the host are not sent the cookie.
 */
function cookieName(deps: Deps, request: Request): string {
  if (!isSecure(deps, request)) return "peal";
  return basePath(deps.config) === "" ? "__Host-peal" : "__Secure-peal";
}

/** True even if the proxy does not say https: nothing else reaches the address of PEAL_BASE_URL. */
function isSecure({ config: { baseUrl } }: Deps, request: Request): boolean {
  const { protocol, host } = new URL(contextOf(request).origin);
  if (protocol === "https:") return true;
  const base = baseUrl === undefined ? undefined : new URL(baseUrl);
  return base?.protocol === "https:" && base.host === host;
}
