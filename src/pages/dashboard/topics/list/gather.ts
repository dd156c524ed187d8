/** The page of the list that is asked for, over the namespaces that it is about. */
import type { Deps } from "../../../../deps.ts";
import { queryOf } from "../../../../http/query.ts";
import type { Desk } from "../../signed-in.ts";
import { shownNamespaces } from "../../frame/filter.ts";
import type { Group, Listed, Wanted } from "./page.tsx";

/** Topics on a page. */
const PAGE = 100;
const MAX_TEXT = 100;

export async function listed({ store }: Pick<Deps, "store">, desk: Desk, request: Request): Promise<Listed> {
  const wanted = wantedBy(request);
  const { after, text, archived } = wanted;
  const names = shownNamespaces(desk).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const groups: Group[] = [];
  let left = PAGE;
  for (const namespace of names) {
    if (after !== undefined && namespace.name < after.namespace) continue;
    const isBegun = after !== undefined && namespace.name === after.namespace;
    const found = await store.glances.list(namespace.id, {
      archived: archived === true,
      limit: left + 1,
      ...(text !== undefined && { text }),
      ...(isBegun && { after: after.name }),
    });
    const glances = found.slice(0, left);
    const isWhole = found.length <= left && !isBegun;
    if (glances.length > 0 || found.length === 0) groups.push({ namespace, glances, isWhole });
    left -= glances.length;
    const last = glances.at(-1)?.topic;
    if (found.length > glances.length) return { wanted, groups, next: last ?? lastOf(groups) };
  }
  return { wanted, groups };
}

/** Where a page ends that has no room for the next namespace. */
function lastOf(groups: readonly Group[]): { namespace: string; name: string } {
  const last = groups.findLast(({ glances }) => glances.length > 0)?.glances.at(-1)?.topic;
  return last ?? { namespace: "", name: "" };
}

function wantedBy(request: Request): Wanted {
  const query = queryOf(request);
  const text = (query.get("q") ?? "").trim().slice(0, MAX_TEXT);
  const [, namespace, name] = /^([^/]+)\/([^/]+)$/.exec(query.get("after") ?? "") ?? [];
  return {
    ...(text !== "" && { text }),
    ...(query.get("archived") === "true" && { archived: true }),
    ...(namespace !== undefined && name !== undefined && { after: { namespace, name } }),
  };
}
