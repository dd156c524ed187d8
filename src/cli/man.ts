/** `peal man`: the manual page peal(1), in roff (man(7)). */
import { VERSION } from "../util/version.ts";
import { writeOut, type Command, type Contents, type Flag } from "./command.ts";
import { flagUsage, usage } from "./help.ts";

export const man: Command = {
  name: "man",
  args: [],
  isClient: true,
  summary: "Print the manual page.",
  flags: [],
  examples: ["peal man | man -l -", "peal man > /usr/local/share/man/man1/peal.1"],
  run: async ({ contents }) => writeOut(`${manPage(await contents())}\n`),
};

/** Without a date: two builds of a version give the same bytes. */
export function manPage({ groups, fallback, settingFlags }: Contents): string {
  return [
    `.TH PEAL 1 "" "peal ${VERSION}" "User Commands"`,
    section("NAME", "peal \\- notifications and check-ins"),
    section("SYNOPSIS", fallback === undefined ? SYNOPSIS : `${SYNOPSIS}\n.br\n${bold("peal")} [\\fIflags\\fR]`),
    section("DESCRIPTION", plain(DESCRIPTION)),
    ...(fallback === undefined ? [] : [paragraph(`peal without a command is peal ${fallback}.`)]),
    section("COMMANDS", plain("Each has --help too, with its examples.")),
    ...groups.flatMap(({ title, commands }) => [`.SS ${plain(title)}`, ...commands.map(commandText)]),
    ...(settingFlags === undefined ? [] : [section("SETTINGS", plain(SETTINGS)), ...settingFlags.map(settingText)]),
    section("EXIT STATUS", item("0", "Done.")),
    item("1", "Failed or refused."),
    item("64", "The command line is wrong."),
    item("75", "The message waits in the folder of --spool, and will be sent later."),
    item("78", "The configuration is wrong, or the data directory needs attention first."),
  ]
    .filter((part) => part !== "")
    .join("\n");
}

const SYNOPSIS = "\\fBpeal\\fR \\fIcommand\\fR [\\fIarguments\\fR] [\\fIflags\\fR]";
const DESCRIPTION =
  "peal is a notification server that also watches jobs: scripts and tools publish to topics, phones and browsers get a push, and a job that stops checking in raises the alarm.";
const SETTINGS =
  "Every command that works on a server's data takes these as flags. Each can also be set in the environment (`--data-dir` is `PEAL_DATA_DIR`) " +
  "or in a TOML file (`data_dir`), and each can name a file that contains the value: `--admin-key-file`.";

const section = (name: string, text: string): string => `.SH ${name}\n${text}`;
const paragraph = (text: string): string => `.PP\n${plain(text)}`;
const item = (term: string, text: string): string => `.TP\n${bold(term)}\n${plain(text)}`;

function commandText(command: Command): string {
  const { summary, about, flags, examples } = command;
  return [
    item(usage(command), summary),
    ...(about === undefined ? [] : [".IP", plain(about)]),
    ".RS",
    ...flags.map((flag) => item(flagUsage(flag), flag.description)),
    ".PP",
    ".nf",
    ...examples.map(literal),
    ".fi",
    ".RE",
  ].join("\n");
}

/** A setting that is a file with the value of another is told once for all. */
const settingText = (flag: Flag): string =>
  flag.name.endsWith("-file") ? "" : item(flagUsage(flag), flag.description);

const bold = (text: string): string => `\\fB${escaped(text)}\\fR`;

/** Text of the help: what stands between backticks is bold. A line never begins with what roff takes for a request. */
function plain(text: string): string {
  return text
    .split("\n")
    .map((line) =>
      guarded(
        line.replaceAll(/`[^`]*`|[^`]+/g, (part) => (part.startsWith("`") ? bold(part.slice(1, -1)) : escaped(part))),
      ),
    )
    .join("\n");
}

const literal = (text: string): string => guarded(escaped(text));

const guarded = (line: string): string => (/^[.']/.test(line) ? `\\&${line}` : line);

/** In roff a bare hyphen may be broken or become another character, and other letters than ASCII's depend on the locale. */
const escaped = (text: string): string =>
  text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll("'", "\\(aq")
    .replaceAll("`", "\\(ga")
    .replaceAll("~", "\\(ti")
    .replaceAll("^", "\\(ha")
    .replaceAll(/[^\n\x20-\x7e]/gu, (letter) => {
      const code = letter.codePointAt(0) ?? 0;
      return `\\[u${code.toString(16).toUpperCase().padStart(4, "0")}]`;
    });
