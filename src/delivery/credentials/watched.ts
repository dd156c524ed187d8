/** Watches the file of a credential, which may be replaced while the server runs (DELIVERY.md §4). */
import { readFileSync, statSync } from "node:fs";
import type { Credential } from "../../config/config.ts";
import type { Log } from "../../telemetry/log.ts";

/** A credential, as it was read last. */
export interface Watched {
  readonly text: string;
  /** Looks at the file again. True if the text has changed. */
  reread(): boolean;
}

export function watchCredential({ text, file }: Credential, log: Pick<Log, "warn">): Watched {
  let latest = text;
  // empty, so that the first look reads the file again: it may have been replaced since the start
  let seen = "";
  let isMissing = false;
  return {
    get text() {
      return latest;
    },
    reread: () => {
      if (file === undefined) return false;
      try {
        const { mtimeMs, size, ino } = statSync(file);
        isMissing = false;
        const now = `${mtimeMs} ${size} ${ino}`;
        if (now === seen) return false;
        const read = readFileSync(file, "utf8").trim();
        seen = now;
        if (read === latest.trim() || read === "") return false;
        latest = read;
        return true;
      } catch (error) {
        const code = error instanceof Error && "code" in error ? error.code : "unknown";
        if (!isMissing) log.warn("a file of credentials cannot be read: the old ones stay in use", { file, code });
        isMissing = true;
        return false;
      }
    },
  };
}
