/** Whether the open files are still those at their paths: a commit to a deleted file is on no disk (docs/durability.md). */
import { constants, type Database } from "bun:sqlite";
import { readdirSync, readlinkSync, realpathSync, statSync, type Stats } from "node:fs";
import type { Log } from "../../telemetry/log.ts";
import type { Clock } from "../../util/clock.ts";
import { StoreTrouble } from "../store.ts";

/** An inode that is open is given to no other file, so these two tell files apart. */
export type Identity = Pick<Stats, "dev" | "ino">;

export const identityOf = (path: string): Identity | undefined => statSync(path, { throwIfNoEntry: false });

/** In the order of looking: while the directory is away, nothing is said of its lock. */
const FILES = ["peal.db", "peal.db-wal", "peal.lock"] as const;
type File = (typeof FILES)[number];

const AWAY = "Nothing is stored until it is back in its place; what was stored is in the files that peal has open.";
const said: Record<File, { gone: string; other: string }> = {
  "peal.db": {
    gone: `The data directory, or peal.db in it, was deleted or moved while peal runs. ${AWAY}`,
    other: "Another file was put in the place of peal.db while peal runs. Restart peal to go on with that one.",
  },
  "peal.db-wal": {
    gone: "peal.db-wal was deleted while peal runs. Restart peal: what was stored is in peal.db.",
    other: "Another file was put in the place of peal.db-wal while peal runs. Stop peal before a restore.",
  },
  "peal.lock": {
    gone: "peal.lock was deleted while peal runs, so that a second server could start here. Restart peal.",
    other: "peal.lock is no longer the file that peal holds: a second server may run here. Stop one of the two.",
  },
};

/** The open files of this process by number: links to where each is now, with a word added once it has no name (proc(5)). */
const OPEN_FILES = "/proc/self/fd";
/** A mount over the directory hides a file, but does not change its name. */
const LOOK_CLOSER_MS = 1_000;

interface Known {
  file: File;
  path: string;
  identity: Identity | undefined;
  /** Absent if the system has no such links. */
  link?: { path: string; target: string };
}

interface PlaceOptions {
  dataDir: string;
  clock: Pick<Clock, "monotonic">;
  db: Database;
  lock: Identity | undefined;
  log: Pick<Log, "error" | "info">;
}

export class Place {
  readonly #dataDir: string;
  readonly #log: Pick<Log, "error" | "info">;
  readonly #db: Database;
  readonly #clock: Pick<Clock, "monotonic">;
  readonly #known: readonly Known[];
  /** Monotonic. */
  #lookedCloserAt = -Infinity;
  #trouble: StoreTrouble | undefined;
  #hasLostLock = false;
  #isSaved = false;

  /** Made as soon as `db`, the connection that writes, has all files open. `lock`: the identity of the file that is held. */
  constructor({ dataDir, clock, db, lock, log }: PlaceOptions) {
    this.#dataDir = dataDir;
    this.#clock = clock;
    this.#db = db;
    this.#log = log;
    const links = openFiles();
    this.#known = FILES.map((file) => {
      const path = `${dataDir}/${file}`;
      const identity = file === "peal.lock" ? lock : identityOf(path);
      const link = identity && links.get(realpathSync(path));
      return { file, path, identity, ...(link !== undefined && { link }) };
    });
  }

  /** What `look` last found. */
  get trouble(): StoreTrouble | undefined {
    return this.#trouble;
  }

  /**
   * Checks whether each file has its name, which takes 4 µs; once a second, and for a file that has not, whether it is still the
   * same file. Not by a `stat` for each commit: since Linux 6.13 a file whose times were asked for gets finer ones with its next
   * write, whose `fsync` then takes a third longer (measured: 93 and 136 µs). A change of the result is logged.
   */
  look(): StoreTrouble | undefined {
    const now = this.#clock.monotonic();
    const isCalm = this.#trouble === undefined && now - this.#lookedCloserAt < LOOK_CLOSER_MS;
    if (isCalm && this.#known.every(hasItsName)) return undefined;
    this.#lookedCloserAt = now;
    const sentence = this.#found();
    if (sentence === this.#trouble?.message) return this.#trouble;
    this.#trouble = sentence === undefined ? undefined : new StoreTrouble(sentence);
    this.#isSaved = false;
    if (sentence === undefined) this.#log.info("the database is in its place again", { directory: this.#dataDir });
    else this.#log.error("the database is not in its place", { directory: this.#dataDir, reason: sentence });
    return this.#trouble;
  }

  /**
   * Outside a transaction, after `look` found trouble: brings the log into the open database file, once. The log may have no name
   * any more, or be beside a file that it would damage. Not while another server may run here.
   */
  save(): void {
    const isAlone = this.#known.some((one) => one.file === "peal.lock" && isInPlace(one));
    if (this.#isSaved || !isAlone) return;
    try {
      this.#db.run("PRAGMA wal_checkpoint(TRUNCATE)");
      this.#isSaved = true;
    } catch (error) {
      // for example on a full disk: the next batch tries again, and the log stays open until then
      this.#log.error("the log could not be brought into the database", { error });
    }
  }

  /** Called before the connections close: SQLite deletes whatever has the name of its log then. */
  spareForeignLog(): void {
    const isForeign = this.#known.some((one) => one.file === "peal.db-wal" && !isInPlace(one));
    if (isForeign) this.#db.fileControl(constants.SQLITE_FCNTL_PERSIST_WAL, 1);
  }

  #found(): string | undefined {
    for (const one of this.#known) {
      const isLock = one.file === "peal.lock";
      if (isInPlace(one) && !(isLock && this.#hasLostLock)) continue;
      // the directory may have gone between two looks
      const [lost = one] = this.#known.filter((each) => !isInPlace(each));
      // for good: another server may have run here meanwhile, and changed what this one has in memory
      if (lost.file === "peal.lock") this.#hasLostLock = true;
      return said[lost.file][identityOf(lost.path) === undefined ? "gone" : "other"];
    }
    return undefined;
  }
}

/** The links of the open files, by their targets. */
function openFiles(): ReadonlyMap<string, Known["link"]> {
  const links = new Map<string, Known["link"]>();
  for (const name of namesIn(OPEN_FILES)) {
    const path = `${OPEN_FILES}/${name}`;
    const target = targetOf(path);
    if (target !== undefined) links.set(target, { path, target });
  }
  return links;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // not Linux
  }
}

function targetOf(link: string): string | undefined {
  try {
    return readlinkSync(link);
  } catch {
    return undefined; // the file was closed meanwhile
  }
}

const hasItsName = ({ link }: Known): boolean => link !== undefined && targetOf(link.path) === link.target;

function isInPlace({ path, identity }: { path: string; identity: Identity | undefined }): boolean {
  const now = identityOf(path);
  return now?.ino === identity?.ino && now?.dev === identity?.dev;
}
