/** `peal compact`: gives back the room that deleted messages have left in the database. */
import { compact as compactIn, type Compacted } from "../store/sqlite/compact.ts";
import { StoreError } from "../store/store.ts";
import { bytesWords } from "../util/bytes.ts";
import { CommandFailed, JSON_FLAG, print, type Command } from "./command.ts";
import { asOwner, databaseIn } from "./identity.ts";

export const compact: Command = {
  name: "compact",
  args: [],
  summary: "Write the database anew without the space that deleted messages have left; the server must be stopped.",
  about:
    "The database is checked, copied beside itself, and the copy is checked before it takes its place: the disk needs free space for both. " +
    "There is no need to do it regularly: new messages use the space again.",
  flags: [JSON_FLAG],
  examples: ["peal compact", "peal compact --data-dir /var/lib/peal"],
  run: async ({ switches, load }) => {
    const { config } = await load();
    const path = databaseIn(config.dataDir);
    const result = asOwner(config.dataDir, () => made(config.dataDir));
    if (result.kind === "full")
      throw new CommandFailed(
        `the disk of ${path} has too little space: up to ${bytesWords(result.needed)} is needed beside the database, and ${bytesWords(result.free)} is free. ` +
          "Nothing was changed.",
      );
    if (result.kind === "unsound")
      throw new CommandFailed(
        `${path} is not sound: ${result.reason}. Nothing was changed; restore a backup (\`peal integrity --file\` checks one).`,
      );
    const { before, after } = result;
    return print(
      switches,
      { before, after },
      () => `${path}: ${bytesWords(before)} before, ${bytesWords(after)} now, verified`,
    );
  },
};

function made(dataDir: string): Compacted {
  try {
    return compactIn(dataDir);
  } catch (error) {
    if (error instanceof StoreError) throw new CommandFailed(error.message, { cause: error });
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandFailed(`the database was not compacted, and nothing was changed: ${reason}`, { cause: error });
  }
}
