/** Every setting as a flag, and as one that names a file with its value. */
import { settings } from "../config/schema.ts";
import type { Flag } from "./command.ts";
import type { ServerSettings } from "./program.ts";

const CONFIG_FLAG: Flag = { name: "config", value: "file", description: "Read settings from this TOML file." };

export const serverSettings: ServerSettings = {
  flags: [
    CONFIG_FLAG,
    ...settings.flatMap(({ flag, description }): Flag[] => [
      { name: flag, value: "value", description },
      { name: `${flag}-file`, value: "file", description: `A file containing the value of --${flag}.` },
    ]),
  ],
  load: async (flags) => {
    const { loadConfig, SYSTEM_FILE } = await import("../config/sources.ts");
    return loadConfig({ flags, env: process.env, systemFile: SYSTEM_FILE });
  },
};
