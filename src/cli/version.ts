/** `peal version`. */
import { VERSION } from "../util/version.ts";
import { JSON_FLAG, print, type Command } from "./command.ts";

export const version: Command = {
  name: "version",
  args: [],
  summary: "Print the version; with --json also the newest database schema it can read.",
  flags: [JSON_FLAG],
  examples: ["peal version", "peal version --json"],
  run: async ({ switches }) => {
    const { migrations } = await import("../store/sqlite/migrations.ts");
    const schema = migrations.at(-1)?.version ?? 0;
    const facts = { version: VERSION, schema, bun: Bun.version, platform: `${process.platform}-${process.arch}` };
    return print(switches, facts, () => `peal ${VERSION}`);
  },
};
