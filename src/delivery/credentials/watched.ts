/** A credential that is replaced while the server runs: its file is looked at again (docs/design/DELIVERY.md §4). */
import { readFileSync, statSync } from "node:fs";
import type { Credential } from "../../config/config.ts";
import type { Log } from "../../telemetry/log.ts";

/** The text of a credential as it was read last. */
export interface Watched {
  readonly text: string;
  /** Looks again. True: the text is another one now. */
  reread(): boolean;
}

export function watchCredential({ text, file }: Credential, log: Pick<Log, "warn">): Watched {
  let latest = text;
  // read before this, so that a file which was replaced meanwhile is read again
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
