/** A new key's secret between the form that made it and the page that shows it, once: no URL, cookie or file holds it. */
import type { Deps } from "../deps.ts";
import type { Millis } from "../util/clock.ts";
import type { FreshKey } from "./mint.ts";

export interface Handover {
  /** For the next page of that person (`personId`), within a minute. */
  leave(personId: string, fresh: FreshKey): void;
  /** Undefined: it was taken, its time is over, or it is somebody else's. */
  take(personId: string, keyId: string | null): FreshKey | undefined;
}

const LIFE_MS = 60_000;
/** Far more than people make in that time; the oldest goes first. */
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
