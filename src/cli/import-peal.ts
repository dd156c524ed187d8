/** `peal import peal`: an export of this or another peal. */
import { createReadStream } from "node:fs";
import { FORMAT, readLine, type MoveRecord } from "../moves/record.ts";
import { CommandFailed, type Command } from "./command.ts";
import { readable } from "./import-file.ts";
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
    const path = readable(invocation.positionals[0] ?? "");
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
  for await (const text of linesIn(path)) {
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
  if (!isWhole) throw new CommandFailed(`${path} is cut off: its last line is missing`);
}

/** One at a time: `node:readline` reads up to 1,024 ahead, and a line may have a piece of a file. */
async function* linesIn(path: string): AsyncGenerator<string> {
  let rest = "";
  for await (const text of createReadStream(path, { encoding: "utf8", highWaterMark: 262_144 })) {
    const lines = `${rest}${text}`.split(/\r?\n/);
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}
