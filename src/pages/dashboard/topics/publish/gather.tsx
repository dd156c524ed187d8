/** @jsxImportSource #jsx */
/** The tab on which a topic is published to, with the keys that may. */
import type { Deps } from "../../../../deps.ts";
import { allows } from "../../../../keys/key.ts";
import type { Tokens } from "../../../../tokens/tokens.ts";
import type { Faults } from "../../../elements/field.tsx";
import type { Safe } from "../../../jsx/jsx-runtime.ts";
import { urlsOf } from "../../hooks/on-hook.ts";
import { PublishTab } from "./page.tsx";
import type { TopicProps } from "../topic.tsx";

interface Filled {
  given?: URLSearchParams;
  faults?: Faults;
}
interface Again extends Filled {
  /** The form of a new hook. */
  hook?: Filled;
}

export type PublishDeps = Pick<Deps, "store" | "clock"> & { tokens: () => Promise<Tokens> };

/** `keyId`: of the key that the commands are shown with. */
export async function publishTab(
  { store, clock, tokens }: PublishDeps,
  { desk, glance }: TopicProps,
  keyId: string | null,
  { hook, ...again }: Again = {},
): Promise<Safe> {
  const now = clock.now();
  const { id, namespaceId } = glance.topic;
  const [all, made] = await Promise.all([store.keys.list(namespaceId), store.hooks.list(namespaceId, id)]);
  const hooks = made.toReversed();
  const urls = hooks[0] && (await urlsOf({ tokens }, desk, hooks[0]));
  const keys = all.filter((key) => allows(key, "publish") && (key.expiresAt ?? Infinity) > now);
  const chosen = keys.find(({ id }) => id === keyId);
  const hooked = { hooks, urls, ...hook };
  return <PublishTab desk={desk} glance={glance} hooked={hooked} keys={keys} {...(chosen && { chosen })} {...again} />;
}
