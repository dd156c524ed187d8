/** Forms are taken only from our own pages (WEB.md §1, CSRF). */
import { contextOf } from "./context.ts";
import { problem } from "./problem.ts";

/**
 * Throws 403 `cross_site` unless the browser says that a page of this server sent the request: by `Sec-Fetch-Site`, which
 * browsers send only over https and to localhost, else by `Origin`. If neither is there, it is refused too.
 */
export function requireSameSite(request: Request, publicOrigin: string): void {
  const site = request.headers.get("sec-fetch-site");
  if (site !== null) {
    if (site === "same-origin") return;
    throw problem.crossSite();
  }
  const origin = request.headers.get("origin");
  if (origin === null || (origin !== contextOf(request).origin && origin !== publicOrigin)) throw problem.crossSite();
}
