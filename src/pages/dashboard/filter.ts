/** The header's filter: which namespaces a page is about, and links that keep it. */
import type { Namespace } from "../../keys/namespace.ts";
import type { Desk } from "./desk.ts";

/** The namespaces that a page is about: the chosen one, or all that the visitor sees. */
export const shownNamespaces = ({ chosen, namespaces }: Pick<Desk, "chosen" | "namespaces">): readonly Namespace[] =>
  chosen === undefined ? namespaces : [chosen];

/** A link within the dashboard that keeps the filter. `path`: `/-/topics`, without a query of its own. */
export const deskLink = ({ view, chosen }: Pick<Desk, "view" | "chosen">, path: string): string =>
  view.base + path + (chosen === undefined ? "" : `?ns=${chosen.name}`);
