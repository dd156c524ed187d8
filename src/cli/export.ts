/** `peal export`: everything as lines of JSON, while a server runs or none does, in this process. */
import { closeSync, existsSync, fsyncSync, openSync, rmSync, writeSync } from "node:fs";
import { join, resolve } from "node:path";
import { FORMAT, type Line, type MoveRecord } from "../moves/record.ts";
import { StoreError } from "../store/store.ts";
import { exportRecords, type ExportOptions } from "../store/sqlite/export.ts";
import { secretText } from "../tokens/secret.ts";
import { bytesWords } from "../util/bytes.ts";
import { rfc3339, systemClock } from "../util/clock.ts";
import { VERSION } from "../util/version.ts";
import { CommandFailed, EXIT, UsageError, type Command } from "./command.ts";
import { type FileCount, withFiles } from "./export-files.ts";
import { databaseIn } from "./identity.ts";

/** Characters that are written at once. */
const CHUNK = 262_144;

export const exportAll: Command = {
  name: "export",
  args: [],
  summary: "Write everything that isn't secret as lines of JSON, while the server keeps running.",
  about:
    "`peal import peal` reads it. Without --with-secrets the copy gets new share links, ping URLs and hooks' URLs, and has no devices, " +
    "keys and passwords. Without --with-files it names the files of messages, but their bytes aren't included.",
  flags: [
    { name: "namespace", value: "name", description: "Only this namespace, without people and devices." },
    {
      name: "with-secrets",
      description: "Also what links, ping URLs, keys, passwords and devices need to keep working.",
    },
    { name: "with-files", description: "Also the bytes of files that came with messages." },
    { name: "out", value: "file", description: "Write to this new file, readable by its owner only." },
  ],
  examples: [
    "peal export > peal.ndjson",
    "peal export --with-secrets --with-files --out peal.ndjson",
    "peal export --namespace media",
  ],
  run: async ({ values, switches, load }) => {
    const { config } = await load();
    const withSecrets = switches.has("with-secrets");
    const { namespace, out } = values;
    if (withSecrets && out === undefined && process.stdout.isTTY)
      throw new UsageError("--with-secrets doesn't print secrets to a terminal; add --out <file>");
    const options: ExportOptions = { withSecrets, ...(namespace !== undefined && { namespace }) };
    const urls = withSecrets && namespace === undefined ? secretText({ config }) : undefined;
    const count: FileCount = { files: 0, bytes: 0, missing: 0 };
    const root = switches.has("with-files") ? join(config.dataDir, "files") : undefined;
    const records = withFiles(exportRecords(databaseIn(config.dataDir), options), root, count);
    const lines = linesOf(records, options, urls);
    try {
      if (out === undefined) await print(lines);
      else writeFile(resolve(out), lines);
    } catch (error) {
      if (error instanceof StoreError) throw new CommandFailed(error.message, { cause: error });
      throw error;
    }
    if (root === undefined && count.files > 0)
      console.error(`note: files that aren't included: ${count.files} (${bytesWords(count.bytes)}); add --with-files`);
    if (count.missing > 0) console.error(`note: files whose bytes are missing on this server: ${count.missing}`);
    return EXIT.ok;
  },
};

function* linesOf(
  records: Iterable<MoveRecord>,
  { withSecrets }: ExportOptions,
  urls: string | undefined,
): Generator<string> {
  let written = 0;
  const line = (value: Line): string => `${JSON.stringify(value)}\n`;
  yield line({
    ...{ kind: "peal-export", format: FORMAT, version: VERSION, exported_at: rfc3339(systemClock.now()) },
    with_secrets: withSecrets,
  });
  if (urls !== undefined && ++written > 0) yield line({ kind: "server_secret", name: "urls", value: urls });
  for (const record of records) {
    written++;
    yield line(record);
  }
  yield line({ kind: "end", records: written });
}

function* chunks(lines: Iterable<string>): Generator<string> {
  let chunk = "";
  for (const line of lines) {
    chunk += line;
    if (chunk.length < CHUNK) continue;
    yield chunk;
    chunk = "";
  }
  yield chunk;
}

/** Waits for the reader, so that a slow one does not fill the memory. */
async function print(lines: Iterable<string>): Promise<void> {
  const sink = Bun.stdout.writer();
  for (const chunk of chunks(lines)) {
    await sink.write(chunk);
    await sink.flush();
  }
  await sink.end();
}

/** The file is whole, or it is not there. */
function writeFile(path: string, lines: Iterable<string>): void {
  if (existsSync(path)) throw new CommandFailed(`${path} already exists; an export never overwrites a file`);
  const file = openSync(path, "wx", 0o600);
  try {
    for (const chunk of chunks(lines)) writeWhole(file, Buffer.from(chunk));
    fsyncSync(file);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}

function writeWhole(file: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done);
}
