/** `peal import peal`: an export of this or another peal. */
import { createReadStream, existsSync } from "node:fs";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { FORMAT, readLine, type MoveRecord } from "../moves/record.ts";
import { CommandFailed, UsageError, type Command } from "./command.ts";
import { IMPORT_FLAGS, runImport } from "./import.ts";

export const importPeal: Command = {
  name: "import peal",
  args: ["<file>"],
  summary: "Import a file that `peal export` has written; without --apply, only say what would be imported.",
  about:
    "Messages keep their times and order; nobody is notified. What is already there stays as it is, so the import can be repeated. From an " +
    "export made with --with-secrets, share links, ping URLs, hooks, keys, passwords and devices keep working.",
  flags: IMPORT_FLAGS,
  examples: ["peal import peal peal.ndjson", "peal import peal peal.ndjson --apply"],
  run: async (invocation) => {
    const path = resolve(invocation.positionals[0] ?? "");
    if (!existsSync(path)) throw new UsageError(`there is no file ${path}`);
    const notes: string[] = [];
    // read once to its end, so that a file that is cut off or damaged changes nothing
    for await (const record of recordsIn(path))
      if (record.kind === "server_secret" && record.name === "vapid")
        notes.push("restart the server after the import: it reads the key pair for browsers only at its start");
    return runImport(invocation, { records: recordsIn(path), notes: () => notes });
  },
};

/** @throws CommandFailed naming the line that cannot be read, or if the file is cut off */
async function* recordsIn(path: string): AsyncGenerator<MoveRecord> {
  let number = 0;
  let records = 0;
  let isWhole = false;
  const file = createReadStream(path);
  try {
    for await (const text of createInterface({ input: file, crlfDelay: Infinity })) {
      number++;
      const line = text === "" ? "is empty" : readLine(text);
      if (typeof line === "string") throw new CommandFailed(`${path}: line ${number} ${line}`);
      if (number === 1 && line.kind !== "peal-export")
        throw new CommandFailed(`${path} was not written by \`peal export\``);
      if (isWhole) throw new CommandFailed(`${path}: line ${number} comes after the end`);
      if (line.kind === "peal-export") {
        if (line.format > FORMAT)
          throw new CommandFailed(`${path} was written by peal ${line.version}, which is newer: use that version`);
      } else if (line.kind === "end") {
        if (line.records !== records) throw new CommandFailed(`${path} has ${records} of ${line.records} records`);
        isWhole = true;
      } else {
        records++;
        yield line;
      }
    }
  } finally {
    file.destroy();
  }
  if (!isWhole) throw new CommandFailed(`${path} is cut off: its last line is missing`);
}
