/**
 * A page of the dashboard, live: the server hints at what changed (`/-/events`), and the page is asked for again. Of the
 * answer only regions that show such a thing are taken over: elements with an id and `data-live="message check …"`.
 */
import { refresh, SignedOut } from "./regions.ts";
import { words } from "./words.ts";

/** Reconnects that fail before the page starts to ask by itself. */
const PATIENCE = 2;
const POLL_MS = 15_000;
const RETRY_MS = 5_000;
/** Between two looks at the server. */
const REST_MS = 1_000;
const MINUTE_MS = 60_000;

export function startLive(base: string): void {
  const end = new AbortController();
  let source: EventSource | undefined;
  let failures = 0;
  let polling: ReturnType<typeof setInterval> | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let isResting = false;
  /** What changed since the page was last asked for; `*`: who knows. */
  const changed = new Set<string>();

  const look = (...what: string[]) => {
    for (const one of what) changed.add(one);
    if (isResting || changed.size === 0 || document.hidden) return;
    isResting = true;
    setTimeout(() => {
      isResting = false;
      look();
    }, REST_MS);
    const shown = new Set(changed);
    changed.clear();
    refresh(shown).then(
      () => {
        if (polling !== undefined) say(words.polling);
      },
      (error: unknown) => {
        if (error instanceof SignedOut) over();
        else if (polling !== undefined) say(words.offline, "off");
        for (const one of shown) changed.add(one);
      },
    );
  };
  const close = () => {
    clearTimeout(retry);
    source?.close();
  };
  const over = () => {
    end.abort();
    close();
    clearInterval(polling);
    clearInterval(ticking);
    say(words.signedOut, "off");
  };
  const connect = () => {
    close();
    const stream = new EventSource(`${base}/-/events`);
    source = stream;
    stream.addEventListener("ready", () => {
      const wasAway = failures > 0;
      failures = 0;
      clearInterval(polling);
      polling = undefined;
      say(words.live);
      // what was under way when the page was made may have ended before anybody listened
      if (wasAway || document.querySelector("[data-soon]")) look("*");
    });
    stream.addEventListener("changed", ({ data }: MessageEvent<string>) => {
      look(...Object.keys(JSON.parse(data) as object));
    });
    stream.addEventListener("error", () => {
      failures++;
      if (failures <= PATIENCE) say(words.reconnecting, "busy");
      else
        polling ??= setInterval(() => {
          look("*");
        }, POLL_MS);
      // refused with a status: the browser does not try again by itself
      if (stream.readyState !== EventSource.CLOSED) return;
      retry = setTimeout(connect, RETRY_MS);
      look("*"); // signed out, perhaps
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
      if (!event.persisted) return;
      failures++; // what was missed meanwhile is asked for
      connect();
    },
    end,
  );
  document.addEventListener(
    "visibilitychange",
    () => {
      look();
    },
    end,
  );
  // "Down for 5 min" is another sentence a minute later
  const ticking = setInterval(() => {
    look("*");
  }, MINUTE_MS);
  connect();
}

function say(text: string, state: "" | "busy" | "off" = ""): void {
  const word = document.querySelector("[data-connection]");
  if (!word || word.textContent === text) return;
  word.textContent = text;
  word.parentElement?.classList.toggle("off", state === "off");
  word.previousElementSibling?.classList.toggle("busy", state === "busy");
}
