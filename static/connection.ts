/** Follows the event stream of a topic for its feed. */
import { followStream } from "./stream.ts";
import { timed } from "./times.ts";
import { words } from "./words.ts";

interface Follower {
  /** The id of the newest message that the page knows. */
  last: () => number;
  /** The position in the stream at which the page was made, as the server wrote it. The stream begins there. */
  position: string;
  /** Fetches what may be new. Rejects if that fails, with `Ended` if the link no longer works. */
  refresh: () => Promise<void>;
  /** Called if the server's past differs from what the page knows: a backup was restored. */
  reset: () => void;
}

/** When the service worker stored this page; undefined if the page came from the server. */
const keptAt = document.documentElement.dataset["stored"];
/** When the page was last up to date. */
let freshAt = new Date(keptAt ?? Date.now());
let isFresh = keptAt === undefined;

/** Follows the topic whose feed is at `path`. The signal is aborted when the topic or its link is gone. */
export const follow = (path: string, { last, position, refresh, reset }: Follower): AbortSignal =>
  followStream({
    address: () => `${path}/events?since=${position}`,
    events: {
      ready: ({ data, lastEventId }) => {
        const ready = JSON.parse(data) as { last_id: number; reset?: boolean };
        if (ready.reset === true) reset();
        position = lastEventId;
        return ready.last_id > last();
      },
      message: ({ lastEventId }) => {
        position = lastEventId;
        return parseInt(lastEventId, 10) > last();
      },
      gone: () => "gone",
    },
    look: refresh,
    isStored: keptAt !== undefined,
    told: (state) => {
      const wasFresh = isFresh;
      isFresh = state === "live" || state === "polling";
      if (wasFresh && !isFresh) freshAt = new Date();
      explain(state === "offline");
    },
  });

/** Shows a note above the messages while there is no connection. What needs the server is hidden meanwhile (static/peal.css). */
function explain(isOffline: boolean): void {
  document.documentElement.classList.toggle("offline", isOffline);
  const note = document.querySelector<HTMLElement>("[data-offline]");
  if (!note) return;
  note.hidden = !isOffline;
  if (isOffline) note.querySelector("span")?.replaceChildren(...timed(words.offlineSince, freshAt));
}
