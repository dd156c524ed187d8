/** Remembers in this browser what the reader has seen of a feed, and makes the line that shows it. */
import { timed } from "./times.ts";
import { words } from "./words.ts";

export interface Seen {
  /** The id of the newest message at that time. */
  id: number;
  /** Epoch ms. */
  at: number;
}

const nameOf = (path: string): string => `peal:seen:${path}`;

/** What was seen of the feed at `path` at the last visit. */
export function recall(path: string): Seen | undefined {
  try {
    const stored = JSON.parse(localStorage.getItem(nameOf(path)) ?? "null") as Seen | null;
    return stored ?? undefined;
  } catch {
    return undefined;
  }
}

/** Notes what was seen, for the next visit. */
export function remember(path: string, seen: Seen): void {
  try {
    localStorage.setItem(nameOf(path), JSON.stringify(seen));
  } catch {
    // no storage in this browser's mode: the line is not shown next time
  }
}

export function divider({ at }: Seen): HTMLElement {
  const line = document.createElement("p");
  line.className = "seen";
  const text = document.createElement("span");
  text.append(...timed(words.lastLooked, new Date(at)));
  line.append(text);
  return line;
}
