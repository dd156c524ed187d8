/**
 * Makes a page of the dashboard live: the server hints at what changed (`/-/events`), and the page is fetched again. Only
 * regions that show such a thing are replaced: elements with an id and `data-live="message check …"`.
 */
import { refresh } from "./regions.ts";
import { followStream } from "./stream.ts";

/** Pages are fetched at least this often, because they say how long things take, as in "Down for 5 min". */
const MINUTE_MS = 60_000;

/** `base`: the base path of the server. The page's `data-at` says when it was made. */
export function startLive(base: string): void {
  /** What changed since the page was last fetched; `*` stands for anything. */
  const changed = new Set<string>();
  let lookedAt = Date.now();

  followStream({
    address: () => `${base}/-/events`,
    events: {
      ready: ({ data }) => {
        const { changed_at: changedAt } = JSON.parse(data) as { changed_at: number };
        const isOld = changedAt >= Number(document.documentElement.dataset["at"]) || Date.now() - lookedAt > MINUTE_MS;
        if (isOld) changed.add("*");
        return isOld;
      },
      changed: ({ data }) => {
        const shown = (JSON.parse(data) as string[]).filter((what) => document.querySelector(`[data-live~=${what}]`));
        for (const what of shown) changed.add(what);
        return shown.length > 0;
      },
    },
    look: async () => {
      const shown = new Set(changed.size > 0 ? changed : ["*"]);
      changed.clear();
      try {
        await refresh(shown);
      } catch (error) {
        changed.add("*");
        throw error;
      }
      lookedAt = Date.now();
    },
    every: MINUTE_MS,
  });
}
