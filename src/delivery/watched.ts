/** A credential that is replaced while the server runs: its file is looked at again (docs/design/DELIVERY.md §4). */
import { readFileSync, statSync } from "node:fs";
import type { Credential } from "../config/config.ts";
import type { Log } from "../ops/log.ts";

/** Tells the text of a credential once it is another one than before. */
export function watchCredential(
  { text, file }: Credential,
  log: Pick<Log, "warn">,
): { text: string; changed(): string | undefined } {
  let latest = text;
  // read before this, so that a file which was replaced meanwhile is read again
  let seen = "";
  let isMissing = false;
  return {
    text,
    changed: () => {
      if (file === undefined) return undefined;
      try {
        const { mtimeMs, size, ino } = statSync(file);
        isMissing = false;
        const now = `${mtimeMs} ${size} ${ino}`;
        if (now === seen) return undefined;
        const read = readFileSync(file, "utf8").trim();
        seen = now;
        if (read === latest.trim() || read === "") return undefined;
        return (latest = read);
      } catch (error) {
        if (!isMissing) log.warn("a file of credentials cannot be read: the old ones stay in use", { file, error });
        isMissing = true;
        return undefined;
      }
    },
  };
}
