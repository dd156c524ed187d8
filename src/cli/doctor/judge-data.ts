/** What is well or not with the data directory and the machine. Pure. */
import { LOW_DISK_BYTES } from "../../ops/disk.ts";
import { bytesWords } from "../../util/bytes.ts";
import { DAY, type Millis } from "../../util/clock.ts";
import { fail, pass, warn, type Finding } from "./finding.ts";

export interface Directory {
  path: string;
  exists: boolean;
  isWritable: boolean;
  owner: string;
  /** `uid:gid` of this command. */
  self: string;
  mode: number;
}

export function judgeDirectory({ path, exists, isWritable, owner, self, mode }: Directory): Finding {
  const about = "data directory";
  if (!exists)
    return fail(about, `${path} does not exist`, "Start `peal serve` once, or name the right one with --data-dir.");
  if (!isWritable)
    return fail(
      about,
      `${path} belongs to ${owner}, and this command runs as ${self}, which can't write there`,
      `Run it as the user of the server, or allow it: chown -R ${self} ${path}`,
    );
  if ((mode & 0o077) !== 0)
    return warn(
      about,
      `others on this machine may look into ${path} (mode ${(mode & 0o777).toString(8)})`,
      `Keep them out: chmod 700 ${path}`,
    );
  return pass(about, `${path}, of ${owner}, can be written`);
}

/** Types of `statfs(2)`; what is missing here is taken for local. */
const REMOTE = new Map([
  [0x6969, "NFS"],
  [0x517b, "SMB"],
  [0xff534d42, "SMB"],
  [0xfe534d42, "SMB"],
  [0x65735546, "FUSE"],
  [0x01021997, "9P"],
  [0x00c36400, "Ceph"],
  [0x5346414f, "AFS"],
]);

export function judgeFileSystem(type: number): Finding {
  const about = "file system";
  const name = REMOTE.get(type >>> 0);
  if (name === undefined) return pass(about, "local");
  return fail(
    about,
    `the data directory is on ${name}, where SQLite's locks and log are not reliable`,
    "Move it to a local disk, and copy backups to the share: peal backup.",
  );
}

/** Time to act, before health is degraded. */
const FEW_BYTES = 1_000_000_000;

/** `database`: bytes, its log's too. */
export function judgeSpace({ free, database }: { free: number; database: number }): Finding {
  const about = "free space";
  const told = `${bytesWords(free)} free, the database has ${bytesWords(database)}`;
  const fix = "Make room on that disk, or keep less: PEAL_RETENTION_DAYS, PEAL_FILES.";
  if (free < LOW_DISK_BYTES) return fail(about, told, fix);
  if (free < FEW_BYTES || free < database) return warn(about, `${told}: too little for a backup beside it`, fix);
  return pass(about, told);
}

export type DatabaseLook =
  | { kind: "missing" | "foreign" }
  | { kind: "unreadable"; reason: string }
  | { kind: "read"; isOurs: boolean; schema: number; known: number; walBytes: number };

const MUCH_WAL = 256 * 1024 * 1024;

export function judgeDatabase(look: DatabaseLook): Finding {
  const about = "database";
  switch (look.kind) {
    case "missing":
      return warn(about, "there is none yet", "Start `peal serve`, or name the right directory with --data-dir.");
    case "foreign":
      return fail(about, "peal.db is not a SQLite database", "Restore a backup, or give peal another data directory.");
    case "unreadable":
      return fail(
        about,
        `it can't be read: ${look.reason}`,
        "Run `peal integrity`; if it is damaged, restore a backup.",
      );
    case "read":
      if (!look.isOurs) return fail(about, "it belongs to another program", "Give peal another data directory.");
      if (look.schema > look.known)
        return fail(
          about,
          `its schema ${look.schema} is newer than this peal's ${look.known}`,
          "Run the newer peal again.",
        );
      if (look.walBytes > MUCH_WAL)
        return warn(
          about,
          `its log has grown to ${bytesWords(look.walBytes)}`,
          "End what reads peal.db for long, such as a copy program, then restart peal.",
        );
      return pass(
        about,
        look.schema < look.known
          ? `schema ${look.schema}; the next start brings it to ${look.known}`
          : `schema ${look.schema}`,
      );
  }
}

const OLD_MS = 7 * DAY;

/** `madeAt`: of the newest in `backups/`. */
export function judgeBackup(madeAt: Millis | undefined, now: Millis): Finding {
  const about = "backup";
  const fix =
    "A running server makes one every night unless PEAL_BACKUP is off; /health says if it could not. One that is kept elsewhere isn't seen here.";
  if (madeAt === undefined) return warn(about, "none in backups/", fix);
  const days = Math.floor((now - madeAt) / DAY);
  const told = `the newest in backups/ is ${days === 0 ? "from today" : days === 1 ? "a day old" : `${days} days old`}`;
  return now - madeAt > OLD_MS ? warn(about, told, fix) : pass(about, told);
}

/** `needed`: open files for the streams that PEAL_LIMITS_STREAMS allows. */
export function judgeOpenFiles(limit: number, needed: number): Finding {
  const about = "open files";
  const told = limit === Infinity ? "no limit" : `a limit of ${limit}`;
  if (limit >= needed) return pass(about, told);
  return warn(
    about,
    `${told}, and the streams that PEAL_LIMITS_STREAMS allows need ${needed}`,
    `Allow ${needed}: LimitNOFILE= of the systemd unit, --ulimit nofile= of the container, ulimit -n of the shell.`,
  );
}

/** `isUnknown`: of the variable TZ. */
export function judgeZone(tz: string | undefined, zone: string, isUnknown: boolean): Finding {
  const about = "time zone";
  if (isUnknown)
    return fail(about, `TZ=${tz ?? ""} is not a time zone, so UTC counts`, "Use a name like Europe/Berlin.");
  if (tz === undefined && zone === "UTC")
    return warn(
      about,
      "UTC, because TZ is not set",
      "If you live elsewhere, set TZ to a name like Europe/Berlin: schedules and quiet hours follow it.",
    );
  return pass(about, zone);
}
