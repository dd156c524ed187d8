/** How many files and sockets the process may have open (`ulimit -n`), and what they are kept for (OPERATIONS.md §4). */
import { closeSync, openSync, readFileSync } from "node:fs";

/** For the database, child processes, pushes and the runtime itself, which has 14 open at rest (measured). */
const OWN = 32;
/** For requests other than streams: a quarter of what is left, and no more than this. */
const REQUESTS = 1_000;

/**
 * How many files and sockets the process may have open. Bun raises the soft limit to the hard one at its start (measured).
 * Infinity: there is no limit, or the system does not say.
 */
export function openFilesLimit(): number {
  try {
    return Number(/^Max open files +(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1] ?? Infinity);
  } catch {
    return Infinity; // no Linux
  }
}

/** How many event streams this limit of open files leaves room for. */
export function streamsWithin(limit: number): number {
  const left = Math.max(0, limit - OWN);
  return left - Math.min(REQUESTS, Math.ceil(left / 4));
}

/** The lowest limit that leaves room for this many streams. */
export const filesFor = (streams: number): number => OWN + streams + Math.min(REQUESTS, Math.ceil(streams / 3));

/** Keeps `count` files open until it is disposed of. Undefined if there is no room for them, in the process or the machine. */
export function holdFiles(count: number): Disposable | undefined {
  const held: number[] = [];
  const release = () => {
    for (const file of held.splice(0)) closeSync(file);
  };
  try {
    while (held.length < count) held.push(openSync("/", "r"));
    return { [Symbol.dispose]: release };
  } catch {
    release(); // EMFILE or ENFILE
    return undefined;
  }
}
