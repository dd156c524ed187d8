/** `peal config`: the settings in effect, and where they come from. */
import { settings } from "../config/schema.ts";
import { JSON_FLAG, table, writeOut, type Command } from "./command.ts";

export const config: Command = {
  name: "config",
  args: [],
  summary: "Print every setting with its value and where the value comes from.",
  flags: [JSON_FLAG, { name: "sample", description: "Print a commented configuration file instead." }],
  examples: ["peal config", "PEAL_LISTEN=:8080 peal config --json", "peal config --sample > /etc/peal/peal.toml"],
  run: async ({ switches, load }) => {
    if (switches.has("sample")) {
      return writeOut(`${sample()}\n`);
    }
    const { effective } = await load();
    const rows = effective.map(({ env, value, source }) => [env, value ?? "", source]);
    const text = switches.has("json")
      ? JSON.stringify(effective, null, 2)
      : table([["SETTING", "VALUE", "FROM"], ...rows]);
    return writeOut(`${text}\n`);
  },
};

/** A configuration file in which nothing is set yet. */
export const sample = (): string =>
  settings
    .map(({ name, description, form, default: value }) =>
      [`# ${description}`, `# ${form}`, `# ${name} = ${JSON.stringify(value ?? "")}`].join("\n"),
    )
    .join("\n\n");
