/** Where files that are named by their hash are kept: in 256 folders, because a single one would be slow to list. */
import { join } from "node:path";

/** The path `ab/abcd…` below `root`. */
export const pathOf = (root: string, hash: string): string => join(root, hash.slice(0, 2), hash);
