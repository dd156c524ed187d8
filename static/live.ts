/**
 * A page of the dashboard, live: the server hints at what changed (`/-/events`), and the page is asked for again. Of the
 * answer only regions that show such a thing are taken over: elements with an id and `data-live="message check …"`.
 */
import { refresh } from "./regions.ts";
import { followStream } from "./stream.ts";

/** "Down for 5 min" is another sentence then. */
const MINUTE_MS = 60_000;

/** `base`: the path that the server is at. The page says when it was made: `data-at`. */
export function startLive(base: string): void {
  /** Since the page was last asked for; `*`: who knows what. */
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
