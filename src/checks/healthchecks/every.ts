/** All checks of a namespace, read in pages: between them other requests have their turn. */
import type { Deps } from "../../deps.ts";
import type { NamespaceId } from "../../keys/namespace.ts";
import type { CheckPlace } from "../../store/checks.ts";
import type { Check } from "../check.ts";

const PAGE = 200;

export async function* everyCheck({ store }: Pick<Deps, "store">, namespaceId: NamespaceId): AsyncGenerator<Check> {
  for (let after: CheckPlace | undefined; ;) {
    const { checks, hasMore } = await store.checks.list(namespaceId, {
      limit: PAGE,
      ...(after !== undefined && { after }),
    });
    yield* checks;
    const last = checks.at(-1);
    if (!hasMore || last === undefined) return;
    after = { name: last.standing.settings.name, id: last.id };
  }
}
