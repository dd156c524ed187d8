/** Looks at the data directory and the machine. */
import { Database } from "bun:sqlite";
import { accessSync, constants, existsSync, statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../../config/config.ts";
import { filesFor, openFilesLimit } from "../../server/open-files.ts";
import { newestCopyIn } from "../../store/sqlite/copies.ts";
import { APPLICATION_ID } from "../../store/sqlite/examine.ts";
import { migrations } from "../../store/sqlite/migrations.ts";
import { isUnknownZone, serverZone } from "../../util/calendar.ts";
import { systemClock } from "../../util/clock.ts";
import type { Finding } from "./finding.ts";
import {
  judgeBackup,
  judgeDatabase,
  judgeDirectory,
  judgeFileSystem,
  judgeOpenFiles,
  judgeSpace,
  judgeZone,
  type DatabaseLook,
  type Directory,
} from "./judge-data.ts";

/** Streams that an operator who set no limit expects room for, as at the start of the server. */
const MANY_STREAMS = 1_000;

export function lookAtData(config: Config): Finding[] {
  const directory = directoryAt(config.dataDir);
  const streams = config.limits.streams.all || MANY_STREAMS;
  const { TZ } = process.env;
  const zone = serverZone();
  return [
    judgeDirectory(directory),
    ...(directory.exists ? inDirectory(config.dataDir) : []),
    judgeOpenFiles(openFilesLimit(), filesFor(streams)),
    judgeZone(TZ, zone, TZ !== undefined && isUnknownZone(TZ, zone)),
  ];
}

function inDirectory(dataDir: string): Finding[] {
  const { bavail, bsize, type } = statfsSync(dataDir);
  const path = join(dataDir, "peal.db");
  const walBytes = sizeOf(`${path}-wal`);
  return [
    judgeFileSystem(type),
    judgeSpace({ free: bavail * bsize, database: sizeOf(path) + walBytes }),
    judgeDatabase(databaseAt(path, walBytes)),
    judgeBackup(newestCopyIn(join(dataDir, "backups"))?.madeAt, systemClock.now()),
  ];
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

function directoryAt(path: string): Directory {
  const self = `${process.getuid?.() ?? 0}:${process.getgid?.() ?? 0}`;
  const stat = statSync(path, { throwIfNoEntry: false });
  const { uid = 0, gid = 0, mode = 0 } = stat ?? {};
  return { path, exists: stat !== undefined, isWritable: mayWrite(path), owner: `${uid}:${gid}`, self, mode };
}

function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Reads the header and the schema, never the whole file. It opens it as any reader does, beside a running server. */
function databaseAt(path: string, walBytes: number): DatabaseLook {
  if (!existsSync(path)) return { kind: "missing" };
  try {
    using db = new Database(path, { readonly: true });
    const numberOf = (pragma: string) => Number(db.query(`PRAGMA ${pragma}`).values()[0]?.[0] ?? 0);
    db.query("SELECT count(*) FROM sqlite_schema").values(); // its pages can be read
    const [id, schema] = [numberOf("application_id"), numberOf("user_version")];
    return { kind: "read", isOurs: id === APPLICATION_ID, schema, known: migrations.at(-1)?.version ?? 0, walBytes };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "SQLITE_NOTADB") return { kind: "foreign" };
    return { kind: "unreadable", reason: error instanceof Error ? error.message : String(error) };
  }
}
