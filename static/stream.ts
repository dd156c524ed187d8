/**
 * Follows an event stream until its end. Its events only announce news, which the page then fetches. If the stream does not get
 * through, the page polls. The state of the connection is shown in words.
 */
import { Ended } from "./document.ts";
import { paced } from "./looks.ts";
import { words } from "./words.ts";

/** Each state is a name in `words`. `polling`: live without the stream. */
type State = "connecting" | "live" | "reconnecting" | "polling" | "offline" | Ended["state"];

interface Followed {
  /** The address of the stream, called for each connection. */
  address: () => string;
  /** Handlers by event name. They return whether to look, or why the stream ends. A stream begins with `ready`. */
  events: Record<string, (event: MessageEvent<string>) => boolean | Ended["state"]>;
  /** Asks the server for what is new. Rejects with `Ended` if nothing more will come, with any other error if it is to be repeated. */
  look: () => Promise<void>;
  /** The longest time between two looks of a live page, in ms. Absent if the stream announces everything. */
  every?: number;
  /** The page came from the service worker's store, so there is no connection, and it says so at once. */
  isStored?: boolean;
  told?: (state: State) => void;
}

/** After more failures in a row than this, the page polls. */
const PATIENCE = 2;
const POLL_MS = 15_000;
/** If a stream is silent for longer, something holds it back. */
const SILENCE_MS = 10_000;
/** The wait after a failed connection. It doubles each time, up to `MAX_RETRY_MS`. */
const RETRY_MS = 5_000;
const MAX_RETRY_MS = 60_000;
/** A page in the background closes its stream after this time: over HTTP/1.1 a browser has six connections for all its tabs. */
const AWAY_MS = 10_000;
/** Such a page looks this often, for its title and its icon. */
const AWAY_POLL_MS = 60_000;

/** Follows a stream until its end, at which the signal is aborted. */
export function followStream(followed: Followed): AbortSignal {
  const { address, events, look, every = Infinity, isStored = false, told } = followed;
  const end = new AbortController();
  let source: EventSource | undefined;
  /** What is to be done next, unless something else happens first. */
  let turn: ReturnType<typeof setTimeout> | undefined;
  /** How many connections have failed since a stream was last ready. */
  let failures = 0;
  let isReady = false;
  /** The page closed the stream itself because it is in the background. */
  let isAway = document.hidden;
  let isPolling = false;
  /** A look has succeeded since polling began. */
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
      if (isRefused) looks.soon(); // the stream does not say why; a look finds out whether this is the end
      if (failures > PATIENCE) poll();
      tell();
      if (document.hidden) return;
      // the browser reconnects on its own, after the time that the server named
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
  /** Connects again. While looks fail too, the first one that succeeds connects instead. */
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

/** The wait in ms doubles with each failure, and is random so that browsers do not all reconnect at once. */
const backOff = (failures: number): number =>
  Math.min(RETRY_MS * 2 ** (failures - 1), MAX_RETRY_MS) * (0.5 + Math.random() / 2);

/** Shows the state in the header of the page. False if it is already shown. */
function say(state: State): boolean {
  const word = document.querySelector("[data-connection]");
  if (!word || word.textContent === words[state]) return false;
  word.textContent = words[state];
  word.parentElement?.classList.toggle("off", state === "offline" || state === "signedOut" || state === "gone");
  word.previousElementSibling?.classList.toggle("busy", state === "connecting" || state === "reconnecting");
  return true;
}
