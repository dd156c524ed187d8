/** The SQLite engine on its own directory, for tests. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore, type OpenOptions } from "../../src/store/sqlite/open.ts";
import type { Store } from "../../src/store/store.ts";
import { systemClock } from "../../src/util/clock.ts";
import type { OpenEngine } from "./conformance/engine.ts";

export interface Folder extends Disposable {
  path: string;
}

export function folder(): Folder {
  const path = mkdtempSync(join(tmpdir(), "peal-store-"));
  return {
    path,
    [Symbol.dispose]: () => {
      rmSync(path, { recursive: true });
    },
  };
}

export const openIn = async (dataDir: string, options: Partial<OpenOptions> = {}): Promise<Store> =>
  openStore({ clock: systemClock, log: { info: () => undefined, error: () => undefined }, ...options, dataDir });

export const openSqlite: OpenEngine = async (options) => {
  const dir = folder();
  let store = await openIn(dir.path, options);
  return {
    store,
    reopen: async () => {
      await store.close();
      store = await openIn(dir.path, options);
      return store;
    },
    [Symbol.asyncDispose]: async () => {
      await store.close();
      dir[Symbol.dispose]();
    },
  };
};
