/** `PEAL_TLS=files`: the operator's own files, read again when they change. */
import { readFileSync, statSync } from "node:fs";
import type { FilesSource } from "../config/config.ts";
import { SECOND } from "../util/clock.ts";
import { certificateOf, type Pair } from "./certificate.ts";
import type { Renewal, Source } from "./tls.ts";

/** Between two looks. A mount in a container reports no changes, so nothing can wait for them. */
const LOOK_MS = 5 * SECOND;

export function filesSource({ cert, key }: FilesSource): Source {
  let seen = "";
  let read: Renewal = { kind: "same" };

  /** Size, time and inode of what the paths lead to: symbolic links are followed, as Kubernetes and certbot swap these. */
  const stamp = (): string => [cert, key].map((path) => Object.values(timesOf(path)).join(" ")).join(" ");

  function load(current: Pair | undefined): Renewal {
    const pair = { cert: readFileSync(cert, "utf8"), key: readFileSync(key, "utf8") };
    if (pair.cert === current?.cert && pair.key === current.key) return { kind: "same" };
    const certificate = certificateOf(pair);
    return typeof certificate === "string"
      ? { kind: "failed", reason: `${certificate} (${cert}, ${key})` }
      : { kind: "new", pair };
  }
  return {
    kind: "files",
    kept: async () => Promise.resolve(undefined), // `renew` comes at once
    renew: async (current) => {
      await Promise.resolve();
      try {
        const now = stamp();
        // what is wrong stays wrong until a file changes
        if (now === seen && read.kind === "new" && read.pair.cert === current?.pair.cert) read = { kind: "same" };
        if (now === seen) return read;
        read = load(current?.pair);
        seen = now;
        return read;
      } catch (error) {
        seen = "";
        return {
          kind: "failed",
          reason: `A file cannot be read: ${error instanceof Error ? error.message : String(error)}.`,
        };
      }
    },
    nextAt: (_, now) => now + LOOK_MS,
    pauseMs: () => LOOK_MS,
  };
}

function timesOf(path: string): { mtimeMs: number; size: number; ino: number } {
  const { mtimeMs, size, ino } = statSync(path);
  return { mtimeMs, size, ino };
}
