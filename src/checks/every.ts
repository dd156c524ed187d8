/** All checks of a namespace, read in pages: between two of them other requests have their turn. */
import type { Deps } from "../deps.ts";
import type { NamespaceId } from "../keys/namespace.ts";
import type { CheckPlace } from "../store/checks.ts";
import { createTurns } from "../util/turns.ts";
import type { Check } from "./check.ts";

/** Reading so many takes a millisecond. */
const PAGE = 100;
const turn = createTurns();

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
    await turn();
  }
}
