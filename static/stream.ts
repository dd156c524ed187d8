/**
 * An event stream that a page follows for as long as there is something to hear. What it tells of is looked for at the
 * server; where it does not come through, the page looks by itself. How that stands is told in words.
 */
import { Ended } from "./document.ts";
import { paced } from "./looks.ts";
import { words } from "./words.ts";

/** Names of `words`. `polling`: live, by looks alone. */
type State = "connecting" | "live" | "reconnecting" | "polling" | "offline" | Ended["state"];

interface Followed {
  /** Of the stream; asked for at each connection. */
  address: () => string;
  /** Events by name: whether one is a reason to look, or the end. A stream begins with `ready`. */
  events: Record<string, (event: MessageEvent<string>) => boolean | Ended["state"]>;
  /** Asks the server for what is new. Rejects with `Ended` when nothing more comes, else when it is to be done again. */
  look: () => Promise<void>;
  /** How long a page that is live is content without a look, ms. Absent: the stream tells of everything. */
  every?: number;
  /** The page is one that was kept: no need to find out by waiting. */
  isStored?: boolean;
  told?: (state: State) => void;
}

/** Reconnects that fail before the page looks by itself. */
const PATIENCE = 2;
const POLL_MS = 15_000;
/** A stream is silent for longer: something holds it back. */
const SILENCE_MS = 10_000;
/** Between two connections that were refused, longer each time, up to the other. */
const RETRY_MS = 5_000;
const MAX_RETRY_MS = 60_000;
/** A page in the background gives its stream back after this: over HTTP/1.1 a browser has six connections for all its tabs. */
const AWAY_MS = 10_000;
/** Between the looks of such a page, for its title and its icon. */
const AWAY_POLL_MS = 60_000;

/** Follows a stream until its end, at which the signal is aborted. */
export function followStream(followed: Followed): AbortSignal {
  const { address, events, look, every = Infinity, isStored = false, told } = followed;
  const end = new AbortController();
  let source: EventSource | undefined;
  /** What is done when nothing happens before. */
  let turn: ReturnType<typeof setTimeout> | undefined;
  /** Of streams, since one was ready. */
  let failures = 0;
  let isReady = false;
  /** Given back, not lost. */
  let isAway = document.hidden;
  let isPolling = false;
  /** A look has come through since. */
  let isPolled = false;
  /** The last look failed, or the browser says so. */
  let isOffline = isStored || !navigator.onLine;
  let ended: Ended["state"] | undefined;

  const stateNow = (): State => {
    if (ended) return ended;
    if (isOffline) return "offline";
    if (isReady) return "live";
    if (isPolled) return "polling";
    if (isAway) return "live";
    return failures > 0 ? "reconnecting" : "connecting";
  };
  const tell = () => {
    const state = stateNow();
    if (say(state)) told?.(state);
  };
  const turnIn = (ms: number, act: () => void) => {
    clearTimeout(turn);
    turn = setTimeout(act, ms);
  };

  const looks = paced(async () => {
    try {
      await look();
    } catch (error) {
      isOffline = true;
      if (error instanceof Ended) finish(error.state);
      else tell();
      throw error;
    }
    const wasOffline = isOffline;
    [isOffline, isPolled] = [false, isPolling];
    tell();
    if (wasOffline && !isReady && !document.hidden && !ended) connect();
  });
  const pace = () => {
    looks.every(document.hidden ? AWAY_POLL_MS : isPolling ? POLL_MS : every);
  };
  const poll = () => {
    if (!isPolling) looks.soon();
    isPolling = true;
    pace();
  };
  const finish = (state: Ended["state"]) => {
    ended = state;
    end.abort();
    close();
    looks.stop();
    tell();
  };

  const connect = () => {
    close();
    turnIn(SILENCE_MS, poll);
    const stream = new EventSource(address());
    source = stream;
    for (const [name, hear] of Object.entries(events))
      stream.addEventListener(name, (event: MessageEvent<string>) => {
        const heard = hear(event);
        if (typeof heard === "string") finish(heard);
        else if (heard) looks.soon();
      });
    stream.addEventListener("ready", () => {
      [failures, isReady, isAway, isPolling, isPolled] = [0, true, false, false, false];
      if (isOffline) looks.atOnce();
      isOffline = false;
      clearTimeout(turn);
      if (document.hidden) hide();
      pace();
      tell();
    });
    stream.addEventListener("error", () => {
      failures++;
      [isReady, isAway] = [false, false];
      const isRefused = stream.readyState === EventSource.CLOSED;
      if (isRefused) looks.soon(); // no word why: perhaps nothing more comes
      if (failures > PATIENCE) poll();
      tell();
      if (document.hidden) return;
      // the browser tries again by itself, when the server told it to
      if (!isRefused && failures <= PATIENCE) turnIn(SILENCE_MS, poll);
      else {
        stream.close();
        turnIn(backOff(failures), again);
      }
    });
  };
  const close = () => {
    clearTimeout(turn);
    source?.close();
    isReady = false;
  };
  /** Where looks fail too, the first one that does not connects. */
  const again = () => {
    if (!isOffline) connect();
  };

  const giveBack = () => {
    close();
    isAway = true;
    pace();
  };
  const hide = () => {
    turnIn(AWAY_MS, giveBack);
  };
  const show = () => {
    pace();
    if (isReady) clearTimeout(turn);
    else connect();
    if (isPolling) looks.soon();
  };

  const { signal } = end;
  document.addEventListener("visibilitychange", () => (document.hidden ? hide : show)(), { signal });
  addEventListener("pagehide", giveBack, { signal });
  addEventListener("pageshow", ({ persisted }) => persisted && !document.hidden && show(), { signal });
  addEventListener(
    "online",
    () => {
      [isOffline, isPolled] = [false, false];
      if (!document.hidden) connect();
      looks.atOnce();
      tell();
    },
    { signal },
  );
  addEventListener(
    "offline",
    () => {
      isOffline = true;
      tell();
    },
    { signal },
  );
  pace();
  if (isOffline) tell();
  if (!document.hidden) connect();
  return signal;
}

/** Twice as long each time, and not the same for all. */
const backOff = (failures: number): number =>
  Math.min(RETRY_MS * 2 ** (failures - 1), MAX_RETRY_MS) * (0.5 + Math.random() / 2);

/** In the header of the page. False: it stands there already. */
function say(state: State): boolean {
  const word = document.querySelector("[data-connection]");
  if (!word || word.textContent === words[state]) return false;
  word.textContent = words[state];
  word.parentElement?.classList.toggle("off", state === "offline" || state === "signedOut" || state === "gone");
  word.previousElementSibling?.classList.toggle("busy", state === "connecting" || state === "reconnecting");
  return true;
}
