/** Makes backups in `backups/` beside the database, each in a separate process, and keeps them (OPERATIONS.md §4). */
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Deps } from "../deps.ts";
import type { Millis } from "../util/clock.ts";
import { freeName } from "../util/text/freename.ts";
import type { BackupResult } from "./backup.ts";
import { askChild } from "./child.ts";

export interface Backup {
  /** The name of its file, which downloads have too. */
  name: string;
  bytes: number;
  madeAt: Millis;
  /** Made automatically before an upgrade: the version at that time. */
  before?: string;
}

export interface Backups {
  /** All backups, the latest first. */
  list(): Backup[];
  /** The path of the backup with this name; undefined if there is none. */
  pathOf(name: string): string | undefined;
  /** Makes a backup; if one is being made, resolves with that one. */
  make(): Promise<BackupResult>;
  readonly isRunning: boolean;
}

/** How many backups that were asked for are kept; copies from before upgrades all stay. */
export const KEPT_BACKUPS = 7;
const NAME = /^(?:peal-\d{8}T\d{6}Z(?:-\d+)?|pre-(\d[\w.+-]*?))\.db$/;

export function createBackups({ config, clock, log }: Pick<Deps, "config" | "clock" | "log">): Backups {
  const folder = join(config.dataDir, "backups");
  let running: Promise<BackupResult> | undefined;

  const list = (): Backup[] =>
    (existsSync(folder) ? readdirSync(folder) : [])
      .flatMap((name) => {
        const found = NAME.exec(name);
        const file = found === null ? undefined : statSync(join(folder, name), { throwIfNoEntry: false });
        if (found === null || file === undefined) return [];
        const [, before] = found;
        return { name, bytes: file.size, madeAt: Math.round(file.mtimeMs), ...(before !== undefined && { before }) };
      })
      .sort((a, b) => b.madeAt - a.madeAt || (a.name < b.name ? 1 : -1));

  async function make(): Promise<BackupResult> {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const stamp = new Date(clock.now()).toISOString().replace(/[-:]|\.\d+/g, "");
    const result = await copied(freeName(join(folder, `peal-${stamp}`), "db"), config.dataDir);
    if (result.kind === "made") {
      const asked = list().filter(({ before }) => before === undefined);
      for (const { name } of asked.slice(KEPT_BACKUPS)) rmSync(join(folder, name));
      log.info("a backup was made", { bytes: result.bytes });
    } else
      log.error("a backup could not be made", { reason: result.kind === "full" ? "the disk is full" : result.reason });
    return result;
  }

  return {
    list,
    pathOf: (name) => (list().some((backup) => backup.name === name) ? join(folder, name) : undefined),
    make: async () => (running ??= make().finally(() => (running = undefined))),
    get isRunning() {
      return running !== undefined;
    },
  };
}

const copied = async (path: string, dataDir: string): Promise<BackupResult> =>
  askChild<BackupResult>(["backup", path, "--json", "--data-dir", dataDir]);
