/** The help texts. */
import { table, type Command, type Flag } from "./command.ts";
import { settingFlags } from "./settings.ts";

const usage = ({ name, args, rest }: Command, flags = ""): string =>
  ["peal", name, ...args, flags, ...(rest === undefined ? [] : ["--", rest])].filter((word) => word !== "").join(" ");

const flagLine = ({ name, value, description }: Flag): string[] => [
  `  --${name}${value === undefined ? "" : ` <${value}>`}`,
  description,
];

const GENERAL = `Settings come from flags, the environment, a TOML file and defaults, in that order: \`peal config\` shows them.
Administrative commands talk to the server running on the data directory (--data-dir, PEAL_DATA_DIR) over its socket,
and open the database themselves if none is running.

Exit codes: 0 done, 1 failed or refused, 64 the command line is wrong, 78 the configuration is wrong,
or the data directory needs attention first.`;

/** Help on one command. */
export function helpOf(command: Command): string {
  const common: Flag[] = [{ name: "help", description: "Print this." }];
  const flags = [...command.flags, ...common, ...(command.name === "serve" ? settingFlags : [])];
  const settings =
    command.name === "serve" || command.isClient === true
      ? ""
      : "\nand every setting, for example --data-dir and --config (see `peal help serve`)\n";
  return `${[command.summary, command.about].filter((text) => text !== undefined).join("\n\n")}

Usage: ${usage(command, "[flags]")}

Flags:
${table(flags.map(flagLine))}
${settings}
Examples:
${command.examples.map((example) => `  ${example}`).join("\n")}

${GENERAL}`;
}

/** One line a command. */
export const overview = (
  commands: readonly Command[],
): string => `Usage: peal [command] [flags]      without a command: serve

${table([...commands.map((command) => [`  ${usage(command)}`, command.summary]), ["  peal help [command]", "Print help."]])}

${GENERAL}`;
