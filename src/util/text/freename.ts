/** Finds a name for a file that replaces no other. */
import { existsSync } from "node:fs";

/** `<stem>.<extension>`, or the first of `<stem>-2.<extension>`, `<stem>-3.<extension>` … that is not taken. */
export function freeName(stem: string, extension: string): string {
  for (let n = 1; ; n++) {
    const path = n === 1 ? `${stem}.${extension}` : `${stem}-${n}.${extension}`;
    if (!existsSync(path)) return path;
  }
}
