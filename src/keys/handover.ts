/** Hands the secret of a new key from the form that made it to the page that shows it once: no URL, cookie or file has it. */
import type { Deps } from "../deps.ts";
import type { Millis } from "../util/clock.ts";
import type { FreshKey } from "./mint.ts";

export interface Handover {
  /** Leaves it for that person's (`personId`) next page, for a minute. */
  leave(personId: string, fresh: FreshKey): void;
  /** Undefined if it was taken, its minute is over, or it is somebody else's. */
  take(personId: string, keyId: string | null): FreshKey | undefined;
}

const LIFE_MS = 60_000;
/** Far more than people make in a minute; the oldest is dropped first. */
const MOST = 100;

export function handover({ clock }: Pick<Deps, "clock">): Handover {
  const left = new Map<string, { fresh: FreshKey; personId: string; until: Millis }>();
  const drop = () => {
    for (const [id, { until }] of left) if (until <= clock.now() || left.size > MOST) left.delete(id);
  };
  return {
    leave(personId, fresh) {
      left.set(fresh.key.id, { fresh, personId, until: clock.now() + LIFE_MS });
      drop();
    },
    take(personId, keyId) {
      drop();
      const found = keyId === null ? undefined : left.get(keyId);
      if (found?.personId !== personId) return undefined;
      left.delete(found.fresh.key.id);
      return found.fresh;
    },
  };
}
