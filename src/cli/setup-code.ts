/** `peal setup-code`: the one-time code that claims a server which nobody has claimed. */
import { JSON_FLAG, print, type Command } from "./command.ts";
import { openLocal } from "./local.ts";

export const setupCode: Command = {
  name: "setup-code",
  args: [],
  summary: "Print the one-time code that claims this server in a browser.",
  flags: [JSON_FLAG],
  examples: ["peal setup-code", "docker exec peal /peal setup-code"],
  run: async ({ switches, load }) => {
    await using local = await openLocal(load);
    const { code } = await local.ask<{ code: string }>("GET", "/-/local/setup-code");
    return await print(switches, { code }, () => code);
  },
};
