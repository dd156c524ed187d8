/** The topics that a form offers for a device. */
import type { Deps } from "../../../deps.ts";
import type { Topic } from "../../../topics/topic.ts";
import { shownNamespaces } from "../frame/filter.ts";
import type { Desk } from "../signed-in.ts";

/** A list of more topics is hard to choose from, so the page asks for a share link instead. */
const MOST_TOPICS = 200;

/** Undefined: too many to choose from. */
export async function topicsToChoose({ store }: Pick<Deps, "store">, desk: Desk): Promise<Topic[] | undefined> {
  const found: Topic[] = [];
  for (const { id } of shownNamespaces(desk)) {
    found.push(...(await store.topics.list(id, { archived: false, limit: MOST_TOPICS + 1 })));
    if (found.length > MOST_TOPICS) return undefined;
  }
  return found;
}
