/** `peal integrity`: whether a database is sound, read from its file, in this process. */
import { existsSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { resolve } from "node:path";
import type { Soundness } from "../ops/integrity.ts";
import { soundnessOf } from "../store/sqlite/copy.ts";
import { CommandFailed, EXIT, JSON_FLAG, type Command } from "./command.ts";
import { databaseIn } from "./identity.ts";

export const integrity: Command = {
  name: "integrity",
  args: [],
  summary: "Read the whole database while the server keeps running and check that it is sound; exit code 0 or 1.",
  flags: [
    { name: "file", value: "path", description: "Check this backup instead of the data directory's database." },
    JSON_FLAG,
  ],
  examples: ["peal integrity", "peal integrity --file /mnt/nas/peal.db"],
  run: async ({ values, switches, load }) => {
    const { config } = await load();
    const { file } = values;
    const path = file === undefined ? databaseIn(config.dataDir) : resolve(file);
    if (!existsSync(path)) throw new CommandFailed(`there is no database at ${path}`);
    giveWay();
    const found: Soundness = soundnessOf(path);
    if (switches.has("json")) console.log(JSON.stringify(found));
    if (found.kind === "failed") throw new CommandFailed(`${path} can't be read: ${found.reason}`);
    if (found.kind === "damaged") throw new CommandFailed(`${path} is damaged: ${found.found}`);
    if (!switches.has("json")) console.log(`${path} is sound`);
    return EXIT.ok;
  },
};

/** The server has priority; on Linux also when both read from the disk. */
function giveWay(): void {
  try {
    setPriority(constants.priority.PRIORITY_LOW);
  } catch {
    // a unit of systemd may forbid it: then it is as quick as others
  }
}
