/** `peal version` of the client, which has no database. */
import { VERSION } from "../util/version.ts";
import { JSON_FLAG, print, type Command } from "./command.ts";

export const clientVersion: Command = {
  name: "version",
  args: [],
  isClient: true,
  summary: "Print the version.",
  flags: [JSON_FLAG],
  examples: ["peal version", "peal version --json"],
  run: async ({ switches }) => {
    const facts = { version: VERSION, bun: Bun.version, platform: `${process.platform}-${process.arch}` };
    return print(switches, facts, () => `peal ${VERSION}`);
  },
};
