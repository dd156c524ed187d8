/** When this server was away, as the alerter noticed it: kept in one row, and in memory, because every ping asks. */
import type { Gap } from "../../../checks/check.ts";
import { DAY, type Millis } from "../../../util/clock.ts";
import type { Settings } from "../settings.ts";

/** On a server that is started each minute the oldest are dropped, and count as if it had been there. */
const MOST = 200;
const KEPT_MS = 366 * DAY;
const NONE: readonly Gap[] = [];

export interface Absences {
  /** The absences that ended after `at`. */
  since(at: Millis): readonly Gap[];
  /** Inside a job; call what it returns after the commit. */
  note(gap: Gap): () => void;
}

export function openAbsences(settings: Settings): Absences {
  const of = (list: readonly Gap[]) => ({
    list,
    latest: list.reduce((latest, { to }) => Math.max(latest, to), -Infinity),
  });
  let known = of(JSON.parse(settings.get("absences") ?? "[]") as Gap[]);
  return {
    since: (at) => (known.latest <= at ? NONE : known.list.filter(({ to }) => to > at)),
    note: ({ from, to }) => {
      const kept = known.list.filter((gap) => gap.to > to - KEPT_MS);
      const next = of([...kept, { from, to }].slice(-MOST));
      settings.set("absences", JSON.stringify(next.list));
      return () => {
        known = next;
      };
    },
  };
}
