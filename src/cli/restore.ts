/** `peal restore`: puts a copy in the place of the database while no server runs, in this process. */
import { existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { newestCopyIn } from "../store/sqlite/copies.ts";
import { takeLock } from "../store/sqlite/lock.ts";
import { restore as restoreCopy, type Contents, type Restored } from "../store/sqlite/restore.ts";
import { StoreError } from "../store/store.ts";
import { bytesWords } from "../util/bytes.ts";
import { optionalRfc3339, rfc3339, systemClock } from "../util/clock.ts";
import { CommandFailed, EXIT, JSON_FLAG, print, type Command } from "./command.ts";
import { asOwner, reach, requireWritable } from "./identity.ts";

export const restore: Command = {
  name: "restore",
  args: ["<file|folder>"],
  summary: "Put a copy in the place of the database; the server must be stopped. The old database is kept.",
  about: `The copy is checked first: that it is peal's, whole, and of a version this peal can read. The database that was there is kept in the
data directory as \`replaced-<time>.db\`. Files of messages and \`secret\` come along if they are beside the copy, or in the copied data
directory whose \`backups/\` it is in. Of a folder, the newest copy in it or in its \`backups/\` is taken. A name that does not exist here is
looked for in the data directory.`,
  flags: [JSON_FLAG],
  examples: [
    "peal restore /mnt/nas/peal/backups",
    "peal restore backups/nightly-20270131T032300Z.db --data-dir /var/lib/peal",
    "docker compose run --rm peal restore /data/backups",
  ],
  run: async ({ positionals: [named = ""], switches, load }) => {
    const { config } = await load();
    const { dataDir } = config;
    reach(dataDir, dataDir);
    const source = copyAt(resolve(existsSync(named) ? named : join(dataDir, named)), named);
    requireWritable(dataDir);
    const restored = asOwner(dataDir, () => restoredFrom(source, dataDir));
    return print(switches, jsonOf(source, restored), () => words(source, restored));
  },
};

/** @throws CommandFailed if there is none */
function copyAt(path: string, named: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) throw new CommandFailed(`there is no file or folder ${named}`);
  if (!found.isDirectory()) return path;
  const copy = newestCopyIn(path) ?? newestCopyIn(join(path, "backups"));
  if (copy === undefined)
    throw new CommandFailed(
      `there is no copy in ${named}: none of its files is named peal-….db, nightly-….db or pre-….db`,
    );
  return copy.path;
}

/** @throws CommandFailed with a sentence */
function restoredFrom(source: string, dataDir: string): Restored {
  try {
    const lock = takeLock(dataDir);
    try {
      return restoreCopy(source, dataDir, systemClock.now());
    } finally {
      lock.release();
    }
  } catch (error) {
    if (error instanceof StoreError)
      throw new CommandFailed(error.message, { cause: error }, error.kind === "refused" ? EXIT.config : EXIT.failed);
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new CommandFailed(`the copy could not be restored: ${message}`, { cause: error });
  }
}

const contentsJson = ({ latestAt, ...counts }: Contents) => ({
  ...counts,
  ...(latestAt !== undefined && { latest_at: rfc3339(latestAt) }),
});

const jsonOf = (source: string, { contents, files, replaced, secret }: Restored) => ({
  restored: source,
  ...contentsJson(contents),
  files,
  ...(replaced !== undefined && {
    replaced: { path: replaced.path, ...(replaced.contents !== undefined && contentsJson(replaced.contents)) },
  }),
  ...(secret !== undefined && { secret: secret.path === undefined ? {} : { replaced: secret.path } }),
});

function words(source: string, { contents, files, replaced, secret }: Restored): string {
  const { version, latestAt } = contents;
  const lines = [`Restored ${source}, written by peal ${version ?? "0.1.0"}:`, `  ${amounts(contents)}`];
  lines.push(latestAt === undefined ? "  no message" : `  the latest message is from ${rfc3339(latestAt)}`);
  if (files.files + files.missing > 0) lines.push(`  ${filesWords(files)}`);
  if (secret !== undefined)
    lines.push(
      `  the secret of its URLs${secret.path === undefined ? "" : `; the one that was here is kept as ${secret.path}`}`,
    );
  if (replaced !== undefined) lines.push(...replacedWords(replaced, latestAt));
  return [...lines, "Now start peal. Readers and devices reconnect automatically."].join("\n");
}

const amounts = ({ namespaces, topics, messages, checks, devices }: Contents): string =>
  Object.entries({ namespace: namespaces, topic: topics, message: messages, check: checks, device: devices })
    .map(([noun, n]) => `${n} ${noun}${n === 1 ? "" : "s"}`)
    .join(", ");

function filesWords({ files, bytes, missing }: Restored["files"]): string {
  const here = `${files} ${files === 1 ? "file" : "files"}, ${bytesWords(bytes)}`;
  if (missing === 0) return here;
  return `${here}; ${missing} more are missing: copy them into files/ of the data directory if you have them`;
}

function replacedWords({ path, contents }: NonNullable<Restored["replaced"]>, until: number | undefined): string[] {
  const latest = contents?.latestAt;
  const what =
    contents === undefined
      ? "it cannot be read"
      : `${amounts(contents)}${latest === undefined ? "" : `, the latest message from ${optionalRfc3339(latest)}`}`;
  const isNewer = latest !== undefined && latest > (until ?? 0);
  return [
    `The database that was here is kept as ${path}: ${what}.`,
    ...(isNewer ? ["What came after the copy is only in there."] : []),
  ];
}
