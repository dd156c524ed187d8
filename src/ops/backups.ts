/** Makes backups in `backups/` beside the database, each in a separate process, and keeps them (OPERATIONS.md §4). */
import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../config/config.ts";
import { copyNamed, stampOf, type CopyName } from "../names/copy.ts";
import type { Log } from "../telemetry/log.ts";
import type { Clock, Millis } from "../util/clock.ts";
import { freeName } from "../util/text/freename.ts";
import type { BackupResult } from "./backup.ts";
import { askChild } from "./child.ts";
import { freeIn, LOW_DISK_BYTES } from "./disk.ts";

export interface Backup {
  /** The name of its file, which downloads have too. */
  name: string;
  bytes: number;
  madeAt: Millis;
  /** Asked for, made every night, or made automatically before an upgrade. */
  kind: CopyName["kind"];
  /** Before an upgrade: the version at that time. */
  before?: string;
}

export interface Backups {
  /** All backups, the latest first. */
  list(): Backup[];
  /** The path of the backup with this name; undefined if there is none. */
  pathOf(name: string): string | undefined;
  /** Makes a backup; if one is being made, resolves with that one. `signal` ends it. */
  make(kind: MadeKind, signal?: AbortSignal): Promise<BackupResult>;
  readonly isRunning: boolean;
}

interface BackupsDeps {
  config: Pick<Config, "dataDir" | "backup">;
  clock: Clock;
  log: Log;
}

type MadeKind = Exclude<CopyName["kind"], "pre">;

/** How many backups that were asked for are kept; copies from before upgrades all stay. */
export const KEPT_BACKUPS = 7;

export function createBackups({ config, clock, log }: BackupsDeps): Backups {
  const folder = join(config.dataDir, "backups");
  const kept: Readonly<Record<MadeKind, number>> = { peal: KEPT_BACKUPS, nightly: config.backup?.kept ?? Infinity };
  let running: Promise<BackupResult> | undefined;

  const list = (): Backup[] =>
    namesIn(folder)
      .flatMap((name) => {
        const named = copyNamed(name);
        const file = named === undefined ? undefined : statSync(join(folder, name), { throwIfNoEntry: false });
        if (named === undefined || file === undefined) return [];
        return [
          named.kind === "pre"
            ? { name, bytes: file.size, madeAt: Math.round(file.mtimeMs), kind: named.kind, before: named.version }
            : { name, bytes: file.size, madeAt: named.at, kind: named.kind },
        ];
      })
      .sort((a, b) => b.madeAt - a.madeAt || (a.name < b.name ? 1 : -1));

  async function make(kind: MadeKind, signal?: AbortSignal): Promise<BackupResult> {
    const result = await copied(kind, signal);
    if (result.kind === "made") {
      rotate(kind);
      log.info("a backup was made", { kind, bytes: result.bytes });
    } else if (signal?.aborted !== true)
      log.error("a backup could not be made", {
        kind,
        reason: result.kind === "full" ? "too little room on the disk" : result.reason,
      });
    return result;
  }

  async function copied(kind: MadeKind, signal?: AbortSignal): Promise<BackupResult> {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
    } catch (error) {
      return { kind: "failed", reason: error instanceof Error ? error.message : String(error) };
    }
    const path = freeName(join(folder, `${kind}-${stampOf(clock.now())}`), "db");
    return shortOf(kind) ?? askChild<BackupResult>(["backup", path, "--json", "--data-dir", config.dataDir], signal);
  }

  /** Looked at before: a copy that fills the disk would keep the server from storing messages, at night without a witness. */
  function shortOf(kind: MadeKind): BackupResult | undefined {
    const sizes = ["peal.db", "peal.db-wal"].map(
      (name) => statSync(join(config.dataDir, name), { throwIfNoEntry: false })?.size ?? 0,
    );
    const needed = sizes.reduce((sum, size) => sum + size, 0);
    const free = freeIn(folder);
    return free < needed + (kind === "nightly" ? LOW_DISK_BYTES : 0) ? { kind: "full", free, needed } : undefined;
  }

  /** Deletes the oldest. What has a time of the future was made while the clock was wrong, and goes first. */
  function rotate(kind: MadeKind): void {
    const now = clock.now();
    const own = list().filter((backup) => backup.kind === kind);
    const [past, future] = [own.filter(({ madeAt }) => madeAt <= now), own.filter(({ madeAt }) => madeAt > now)];
    for (const { name } of [...past, ...future].slice(kept[kind])) rmSync(join(folder, name));
  }

  return {
    list,
    pathOf: (name) => (list().some((backup) => backup.name === name) ? join(folder, name) : undefined),
    make: async (kind, signal) => (running ??= make(kind, signal).finally(() => (running = undefined))),
    get isRunning() {
      return running !== undefined;
    },
  };
}

/** What cannot be listed has none: it may not exist yet, or this user may not read it. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
