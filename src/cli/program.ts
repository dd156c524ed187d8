/** From arguments to a command of a table. */
import { ConfigError } from "../config/errors.ts";
import type { Loaded } from "../config/sources.ts";
import { nearest } from "../util/text/nearest.ts";
import { CommandFailed, EXIT, parse, UsageError, type Command, type Contents, type Flag } from "./command.ts";

type Row = readonly [name: string, load: () => Promise<Command>];

/** Commands of one task, in the order in which the help lists them. */
export interface Section {
  title: string;
  commands: readonly Row[];
}

/** How commands that are no clients read the settings of a server. */
export interface ServerSettings {
  flags: readonly Flag[];
  /** @throws ConfigError */
  load: (flags: Readonly<Record<string, string>>) => Promise<Loaded>;
}

export interface Program {
  sections: readonly Section[];
  /** The command of arguments that name none; absent: they ask for help. */
  fallback?: string;
  /** Absent where all commands are clients. */
  settings?: () => Promise<ServerSettings>;
  /** Called before the code of a command is loaded. */
  before?: (name: string) => void;
}

/** Resolves to the exit code. */
export async function runProgram(program: Program, argv: readonly string[]): Promise<number> {
  const commands = new Map(program.sections.flatMap((section) => section.commands));
  const { name, rest } = commandOf(argv, commands, program.fallback);
  if (name === "help") return help(program, rest);
  const load = commands.get(name);
  if (load === undefined) return unknown(program, name, rest);
  program.before?.(name);
  const command = await load();
  try {
    const settings = command.isClient === true ? undefined : await program.settings?.();
    const { settings: given, ...parsed } = parse(command, rest, settings?.flags ?? []);
    if (parsed.switches.has("help")) return await help(program, [name]);
    return await command.run({
      ...parsed,
      load: async () => {
        if (settings === undefined) throw new Error(`${name} is a client: it has no settings`);
        return settings.load(given);
      },
      contents: async () => contentsOf(program),
    });
  } catch (error) {
    if (error instanceof UsageError)
      return complain(`${error.message}\nSee \`peal ${name} --help\`.`, EXIT.usage, name);
    if (error instanceof ConfigError)
      return complain(`the configuration cannot be used\n${error.message}`, EXIT.config);
    if (error instanceof CommandFailed) return complain(error.message, error.exitCode);
    throw error;
  }
}

/** The command that the words begin with, and the words after it. */
function commandOf(
  argv: readonly string[],
  commands: ReadonlyMap<string, unknown>,
  fallback = "help",
): { name: string; rest: readonly string[] } {
  const [first, second] = argv;
  if (first === "-h" || first === "--help") return { name: "help", rest: argv.slice(1) };
  if (first === "--version") return { name: "version", rest: argv.slice(1) };
  if (first === undefined || first.startsWith("-")) return { name: fallback, rest: argv };
  if (second !== undefined && commands.has(`${first} ${second}`))
    return { name: `${first} ${second}`, rest: argv.slice(2) };
  return { name: first, rest: argv.slice(1) };
}

/** Help on all commands, on those of a group (`keys`), or on one. */
async function help(program: Program, words: readonly string[]): Promise<number> {
  const { helpOf, overview } = await import("./help.ts");
  const name = words.filter((word) => !word.startsWith("-")).join(" ");
  const contents = await contentsOf(program, (known) => name === "" || known === name || known.startsWith(`${name} `));
  const [only, ...others] = contents.groups.flatMap(({ commands }) => commands);
  if (only === undefined) return unknown(program, name, []);
  console.log(others.length === 0 ? helpOf(only, contents) : overview(contents));
  return EXIT.ok;
}

/** With the commands that are wanted: all of them, unless it says which. */
async function contentsOf(program: Program, isWanted: (name: string) => boolean = () => true): Promise<Contents> {
  const sections = program.sections
    .map(({ title, commands }) => ({ title, commands: commands.filter(([name]) => isWanted(name)) }))
    .filter(({ commands }) => commands.length > 0);
  const groups = sections.map(async ({ title, commands }) => ({
    title,
    commands: await Promise.all(commands.map(async ([, load]) => load())),
  }));
  const settings = await program.settings?.();
  return { groups: await Promise.all(groups), fallback: program.fallback, settingFlags: settings?.flags };
}

async function unknown(program: Program, name: string, rest: readonly string[]): Promise<number> {
  const known = program.sections.flatMap(({ commands }) => commands.map(([each]) => each));
  if (known.some((each) => each.startsWith(`${name} `))) {
    if (rest.some((word) => word === "--help" || word === "-h")) return help(program, [name]);
    const [sub] = rest;
    if (sub === undefined) return complain(`\`${name}\` needs a second word.\nSee \`peal help ${name}\`.`, EXIT.usage);
    name = `${name} ${sub}`;
  }
  const near = nearest(name, [...known, "help"]);
  const next = near === undefined ? "" : ` Did you mean \`peal ${near}\`?`;
  return complain(`unknown command \`${name}\`.${next}\nSee \`peal help\`.`, EXIT.usage);
}

function complain(text: string, code: number, name?: string): number {
  console.error(`peal${name === undefined ? "" : ` ${name}`}: ${text}`);
  return code;
}
