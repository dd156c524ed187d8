/** Where files that are named by their hash lie: in 256 folders, since one with all of them would be slow to list. */
import { join } from "node:path";

/** `ab/abcd…` below `root`. */
export const pathOf = (root: string, hash: string): string => join(root, hash.slice(0, 2), hash);
