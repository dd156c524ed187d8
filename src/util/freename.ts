/** A name for a file that replaces none. */
import { existsSync } from "node:fs";

/** `<stem>.db`, or the first of `<stem>-2.db`, `<stem>-3.db` … that is not taken. */
export function freeName(stem: string): string {
  for (let n = 1; ; n++) {
    const path = n === 1 ? `${stem}.db` : `${stem}-${n}.db`;
    if (!existsSync(path)) return path;
  }
}
