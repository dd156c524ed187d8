/** Notes when people and their sessions were last seen. */
import type { Deps } from "../deps.ts";
import type { Session } from "./session.ts";

/** A write for each request would be too many: what is noted of a session is so old at the most. */
export const TOUCH_MS = 10 * 60_000;

/** Notes that a session is in use, unless that was noted lately. */
export function noteSession(
  deps: Pick<Deps, "store" | "clock" | "log">,
  { id, seenAt }: Session,
  from: Pick<Session, "address" | "agent">,
): void {
  if (deps.clock.now() - seenAt >= TOUCH_MS) note(deps, deps.store.accounts.touch(id, from));
}

/** If the store takes no write now, nobody is refused: it is noted the next time. */
export function note({ log }: Pick<Deps, "log">, noting: Promise<void>): void {
  noting.catch((error: unknown) => {
    log.debug("not noted who was seen", { error });
  });
}
