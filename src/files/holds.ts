/**
 * Knows which files are in use. A hash is `held` from the moment that its bytes are put in place until its message is stored, and
 * `leaving` while they are deleted, so that a file that is just sent again is not deleted.
 */
import { removeFile } from "./disk.ts";

export interface Holds {
  /** Waits until the bytes of this hash are not being deleted, and keeps them from being deleted. */
  hold(hash: string): Promise<void>;
  release(hash: string): void;
  /**
   * Deletes the files that `choose` names; it can mark only files that nobody holds, and nobody puts those in place meanwhile.
   * Resolves to how many were deleted.
   */
  remove(choose: (mark: (hash: string) => boolean) => Promise<readonly string[]>): Promise<number>;
}

/** `root`: the directory of the files. */
export function createHolds(root: string): Holds {
  const held = new Map<string, number>();
  const leaving = new Map<string, Promise<unknown>>();

  return {
    hold: async (hash) => {
      while (leaving.has(hash)) await leaving.get(hash);
      held.set(hash, (held.get(hash) ?? 0) + 1);
    },
    release: (hash) => {
      const left = (held.get(hash) ?? 1) - 1;
      if (left > 0) held.set(hash, left);
      else held.delete(hash);
    },
    remove: async (choose) => {
      const over = Promise.withResolvers<undefined>();
      const marked: string[] = [];
      const mark = (hash: string): boolean => {
        if (held.has(hash) || leaving.has(hash)) return false;
        leaving.set(hash, over.promise);
        marked.push(hash);
        return true;
      };
      try {
        const chosen = await choose(mark);
        for (const hash of chosen) await removeFile(root, hash);
        return chosen.length;
      } finally {
        for (const hash of marked) leaving.delete(hash);
        over.resolve(undefined);
      }
    },
  };
}
