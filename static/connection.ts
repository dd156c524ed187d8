/** The event stream of a topic, with polling while it does not come back, and the state in words. */
import { NoTopic } from "./cards.ts";
import { words } from "./words.ts";

/** Reconnects that fail before the page starts to ask by itself. */
const PATIENCE = 2;
const POLL_MS = 15_000;
const RETRY_MS = 5_000;

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
  let polling: ReturnType<typeof setInterval> | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;

  const look = () => {
    refresh().then(
      () => {
        if (polling !== undefined) say(words.polling);
      },
      (error: unknown) => {
        if (error instanceof NoTopic) gone();
        else if (polling !== undefined) say(words.offline, "off");
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
    say(words.gone, "off");
  };

  const connect = () => {
    close();
    const stream = new EventSource(`${path}/events?since=${last()}`);
    source = stream;
    stream.addEventListener("ready", (event: MessageEvent<string>) => {
      failures = 0;
      stopPolling();
      say(words.live);
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
      if (failures <= PATIENCE) say(words.reconnecting, "busy");
      else if (polling === undefined) {
        polling = setInterval(look, POLL_MS);
        look();
      }
      // refused with a status: the browser does not try again by itself
      if (stream.readyState === EventSource.CLOSED) retry = setTimeout(connect, RETRY_MS);
    });
  };

  addEventListener("online", connect, end);
  addEventListener(
    "offline",
    () => {
      say(words.offline, "off");
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
  connect();
}

function say(text: string, state: "" | "busy" | "off" = ""): void {
  const word = document.querySelector("[data-connection]");
  if (!word || word.textContent === text) return;
  word.textContent = text;
  word.parentElement?.classList.toggle("off", state === "off");
  word.previousElementSibling?.classList.toggle("busy", state === "busy");
}
