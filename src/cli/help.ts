/** The help texts. */
import { table, valueOf, type Command, type Contents, type Flag } from "./command.ts";

/** `peal checks show <check> [flags]`. */
export const usage = ({ name, args, rest }: Command, flags = ""): string =>
  ["peal", name, ...args, flags, ...(rest === undefined ? [] : ["--", rest])].filter((word) => word !== "").join(" ");

/** `--name <value>`. */
export function flagUsage(flag: Flag): string {
  const value = valueOf(flag);
  return `--${flag.name}${value === undefined ? "" : ` <${value}>`}`;
}

const flagLine = (flag: Flag): string[] => [`  ${flagUsage(flag)}`, flag.description];

const SETTINGS = `Settings come from flags, the environment, a TOML file and defaults, in that order: \`peal config\` shows them.
Administrative commands talk to the server running on the data directory (--data-dir, PEAL_DATA_DIR) over its socket,
and open the database themselves if none is running.`;
const EXITS = "Exit codes: 0 done, 1 failed or refused, 64 the command line is wrong";
const SETTINGS_EXIT = ", 78 the configuration is wrong,\nor the data directory needs attention first";

/** What is true of all commands. */
const general = ({ settingFlags }: Contents): string =>
  settingFlags === undefined ? `${EXITS}.` : `${SETTINGS}\n\n${EXITS}${SETTINGS_EXIT}.`;

const HELP_FLAG: Flag = { name: "help", description: "Print this." };

/** Help on one command. */
export function helpOf(command: Command, contents: Contents): string {
  const isServer = command.name === "serve";
  const flags = [...command.flags, HELP_FLAG, ...(isServer ? (contents.settingFlags ?? []) : [])];
  const settings =
    isServer || command.isClient === true
      ? ""
      : "\nand every setting, for example --data-dir and --config (see `peal help serve`)\n";
  return `${[command.summary, command.about].filter((text) => text !== undefined).join("\n\n")}

Usage: ${usage(command, "[flags]")}

Flags:
${table(flags.map(flagLine))}
${settings}
Examples:
${command.examples.map((example) => `  ${example}`).join("\n")}

${general(contents)}`;
}

/** One line a command, by task. */
export function overview(contents: Contents): string {
  const { groups, fallback } = contents;
  const lines = groups.flatMap(({ title, commands }) => [
    [""],
    [`${title}:`],
    ...commands.map((command) => [`  ${usage(command)}`, command.summary]),
  ]);
  const alone = fallback === undefined ? "" : `      without a command: ${fallback}`;
  return `Usage: peal ${fallback === undefined ? "<command>" : "[command]"} [flags]${alone}
${table(lines)}

  peal help [command]  Print help.

${general(contents)}`;
}
