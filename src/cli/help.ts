/** The help texts. */
import { table, type Command, type Flag, type Group } from "./command.ts";

/** `peal checks show <check> [flags]`. */
export const usage = ({ name, args, rest }: Command, flags = ""): string =>
  ["peal", name, ...args, flags, ...(rest === undefined ? [] : ["--", rest])].filter((word) => word !== "").join(" ");

const flagLine = ({ name, value, description }: Flag): string[] => [
  `  --${name}${value === undefined ? "" : ` <${value}>`}`,
  description,
];

const SETTINGS = `Settings come from flags, the environment, a TOML file and defaults, in that order: \`peal config\` shows them.
Administrative commands talk to the server running on the data directory (--data-dir, PEAL_DATA_DIR) over its socket,
and open the database themselves if none is running.`;
const EXITS = "Exit codes: 0 done, 1 failed or refused, 64 the command line is wrong";
const SETTINGS_EXIT = ", 78 the configuration is wrong,\nor the data directory needs attention first";

/** What is true of all commands. `hasServer`: this program has a server, and so settings. */
const general = (hasServer: boolean): string => (hasServer ? `${SETTINGS}\n\n${EXITS}${SETTINGS_EXIT}.` : `${EXITS}.`);

/** Help on one command. `settingFlags`: undefined in a program without a server. */
export function helpOf(command: Command, settingFlags: readonly Flag[] | undefined): string {
  const common: Flag[] = [{ name: "help", description: "Print this." }];
  const isServer = command.name === "serve";
  const flags = [...command.flags, ...common, ...(isServer ? (settingFlags ?? []) : [])];
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

${general(settingFlags !== undefined)}`;
}

/** One line a command, by task. `fallback`: the command of `peal` alone. */
export function overview(groups: readonly Group[], fallback: string | undefined, hasServer: boolean): string {
  const lines = groups.flatMap(({ title, commands }) => [
    [""],
    [`${title}:`],
    ...commands.map((command) => [`  ${usage(command)}`, command.summary]),
  ]);
  const alone = fallback === undefined ? "" : `      without a command: ${fallback}`;
  return `Usage: peal ${fallback === undefined ? "<command>" : "[command]"} [flags]${alone}
${table(lines)}

  peal help [command]  Print help.

${general(hasServer)}`;
}
