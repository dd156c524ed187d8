/** The event stream of a topic, as its feed follows it. */
import { followStream } from "./stream.ts";
import { timed } from "./times.ts";
import { words } from "./words.ts";

interface Follower {
  /** Id of the newest message that the page knows. */
  last: () => number;
  /** Where the stream begins: its place at the time of the page, as the server wrote it. */
  position: string;
  /** There may be something new. Rejects when it could not be fetched, with `Ended` when the link works no longer. */
  refresh: () => Promise<void>;
  /** What the page knows is of another past: a restored backup. */
  reset: () => void;
}

/** Of a page that the service worker had kept: when it did. */
const keptAt = document.documentElement.dataset["stored"];
/** When what is shown was what there is. */
let freshAt = new Date(keptAt ?? Date.now());
let isFresh = keptAt === undefined;

/** Follows the topic whose feed is at `path`, for as long as the page and the topic are there; then aborts the signal. */
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

/** Above the messages, for as long as there is no connection. What needs the server is out of sight (static/peal.css). */
function explain(isOffline: boolean): void {
  document.documentElement.classList.toggle("offline", isOffline);
  const note = document.querySelector<HTMLElement>("[data-offline]");
  if (!note) return;
  note.hidden = !isOffline;
  if (isOffline) note.querySelector("span")?.replaceChildren(...timed(words.offlineSince, freshAt));
}
