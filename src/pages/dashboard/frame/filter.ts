/** The header's filter: which namespaces a page is about, and links that keep it. */
import type { Namespace } from "../../../keys/namespace.ts";
import type { Desk } from "../signed-in.ts";

/** The namespaces that a page is about: the chosen one, or all that the visitor sees. */
export const shownNamespaces = ({ chosen, namespaces }: Pick<Desk, "chosen" | "namespaces">): readonly Namespace[] =>
  chosen === undefined ? namespaces : [chosen];

type Params = Readonly<Record<string, string | undefined>>;

/**
 * A path below the base path that keeps the filter. `path`: `/-/topics`, perhaps with a query and a fragment; `params`: changes
 * of the query, where `undefined` takes a parameter away.
 */
export function deskPath({ chosen }: Pick<Desk, "chosen">, path: string, params: Params = {}): string {
  const url = new URL(path, NOWHERE);
  const all: Params = { ...(chosen && { ns: chosen.name }), ...params };
  for (const [name, value] of Object.entries(all))
    if (value === undefined) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  return url.href.slice(NOWHERE.length);
}
/** Completes a path, which alone is not a URL. */
const NOWHERE = "http://localhost";

/** The same as a link on a page. */
export const deskLink = (desk: Pick<Desk, "view" | "chosen">, path: string, params?: Params): string =>
  desk.view.base + deskPath(desk, path, params);
