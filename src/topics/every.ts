/** All topics of a namespace. */
import type { Deps } from "../deps.ts";
import type { NamespaceId } from "../keys/namespace.ts";
import { createTurns } from "../util/turns.ts";
import type { Topic } from "./topic.ts";

const PAGE = 500;
const turn = createTurns();

/** The topics of a namespace that are not archived, by name. */
export async function* everyTopic({ store }: Pick<Deps, "store">, namespaceId: NamespaceId): AsyncGenerator<Topic> {
  for (let after: string | undefined; ;) {
    const page = await store.topics.list(namespaceId, {
      ...{ archived: false, limit: PAGE },
      ...(after !== undefined && { after }),
    });
    yield* page;
    after = page.at(-1)?.name;
    if (page.length < PAGE) return;
    await turn();
  }
}
