/** The event stream of a topic, with polling while it does not come back, and the state in words. */
import { NoTopic } from "./cards.ts";
import { timed } from "./times.ts";
import { words } from "./words.ts";

/** Reconnects that fail before the page starts to ask by itself. */
const PATIENCE = 2;
const POLL_MS = 15_000;
const RETRY_MS = 5_000;

/** Of a page that the service worker had kept: when it did. */
const keptAt = document.documentElement.dataset["stored"];

interface Follower {
  /** Id of the newest message known: where the stream goes on. */
  last: () => number;
  /** There may be something new. Rejects when it could not be fetched, with `NoTopic` when the link works no longer. */
  refresh: () => Promise<void>;
  /** What the page knows is of another past: a restored backup. */
  reset: () => void;
}

/** Follows the topic whose feed is at `path`, for as long as the page and the topic are there. */
export function follow(path: string, { last, refresh, reset }: Follower): void {
  const end = new AbortController();
  let source: EventSource | undefined;
  let failures = 0;
  /** The browser says so, or the page is one that was kept: no need to find out by waiting. */
  let isOffline = keptAt !== undefined || !navigator.onLine;
  let polling: ReturnType<typeof setInterval> | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;

  const look = () => {
    refresh().then(
      () => {
        if (polling !== undefined) tell(words.polling);
      },
      (error: unknown) => {
        if (error instanceof NoTopic) gone();
        else if (polling !== undefined) tell(words.offline, "off");
      },
    );
  };
  const stopPolling = () => {
    clearInterval(polling);
    polling = undefined;
  };
  const close = () => {
    clearTimeout(retry);
    source?.close();
  };
  const gone = () => {
    end.abort();
    close();
    stopPolling();
    tell(words.gone, "off");
  };

  const connect = () => {
    close();
    const stream = new EventSource(`${path}/events?since=${last()}`);
    source = stream;
    stream.addEventListener("ready", (event: MessageEvent<string>) => {
      failures = 0;
      isOffline = false;
      stopPolling();
      tell(words.live);
      const ready = JSON.parse(event.data) as { last_id: number; reset?: boolean };
      if (ready.reset === true) reset();
      else if (ready.last_id > last()) look();
    });
    stream.addEventListener("message", (event) => {
      if (Number(event.lastEventId) > last()) look();
    });
    stream.addEventListener("gone", gone);
    stream.addEventListener("error", () => {
      failures++;
      if (isOffline) tell(words.offline, "off");
      else if (failures <= PATIENCE) tell(words.reconnecting, "busy");
      if (failures > PATIENCE && polling === undefined) {
        polling = setInterval(look, POLL_MS);
        look();
      }
      // refused with a status: the browser does not try again by itself
      if (stream.readyState === EventSource.CLOSED) retry = setTimeout(connect, RETRY_MS);
    });
  };

  const online = () => {
    isOffline = false;
    connect();
  };
  addEventListener("online", online, end);
  addEventListener(
    "offline",
    () => {
      isOffline = true;
      tell(words.offline, "off");
    },
    end,
  );
  addEventListener("pagehide", close);
  addEventListener(
    "pageshow",
    (event) => {
      if (event.persisted) connect();
    },
    end,
  );
  if (isOffline) tell(words.offline, "off");
  connect();
}

function tell(text: string, state: "" | "busy" | "off" = ""): void {
  const word = document.querySelector("[data-connection]");
  if (!word || word.textContent === text) return;
  word.textContent = text;
  word.parentElement?.classList.toggle("off", state === "off");
  word.previousElementSibling?.classList.toggle("busy", state === "busy");
  explain(text === words.offline);
  if (state === "") lastLive = new Date();
}

/** When what is shown was what there is: a page that the service worker had kept says since when it is that old. */
let lastLive = new Date(keptAt ?? Date.now());

/** Above the messages, for as long as there is no connection. What needs the server is out of sight (static/peal.css). */
function explain(isOffline: boolean): void {
  document.documentElement.classList.toggle("offline", isOffline);
  const note = document.querySelector<HTMLElement>("[data-offline]");
  if (!note) return;
  note.hidden = !isOffline;
  if (isOffline) note.querySelector("span")?.replaceChildren(...timed(words.offlineSince, lastLive));
}
