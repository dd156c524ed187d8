/** @jsxImportSource #jsx */
/** The tab on which a topic is published to, with the keys that may. */
import type { Deps } from "../../../deps.ts";
import type { Faults } from "../../field.tsx";
import type { Safe } from "../../jsx/jsx-runtime.ts";
import { PublishTab } from "./publish.tsx";
import type { TopicProps } from "./topic.tsx";

interface Again {
  given?: URLSearchParams;
  faults?: Faults;
}

/** `keyId`: of the key that the commands are shown with. */
export async function publishTab(
  { store, clock }: Pick<Deps, "store" | "clock">,
  { desk, glance }: TopicProps,
  keyId: string | null,
  again: Again = {},
): Promise<Safe> {
  const now = clock.now();
  const all = await store.keys.list(glance.topic.namespaceId);
  const keys = all.filter(({ expiresAt = Infinity }) => expiresAt > now);
  const chosen = keys.find(({ id }) => id === keyId);
  return <PublishTab desk={desk} glance={glance} keys={keys} {...(chosen && { chosen })} {...again} />;
}
