/** A command of the command line, and how its arguments are read. */
import { parseArgs } from "node:util";
import type { Loaded } from "../config/sources.ts";
import type { createHandler } from "../server/serve.ts";
import { nearest } from "../util/text/nearest.ts";

/** Exit codes, as the help says them. 64, 75 and 78 are those of BSD's sysexits. */
export const EXIT = { ok: 0, failed: 1, usage: 64, later: 75, config: 78 } as const;

export interface Flag {
  name: string;
  /** The name of its value in the help; it and `words` absent: it is a switch. */
  value?: string;
  /** It may be given several times: its values are in `lists`. */
  isList?: true;
  /** All values that it takes, where they are few. */
  words?: readonly string[];
  description: string;
}
/** A server on this machine: its settings, and its code, which works on the database while none runs. */
export interface Here extends Loaded {
  createHandler: typeof createHandler;
}
export interface Invocation {
  positionals: readonly string[];
  /** The words after `--`, for a command that takes them. */
  rest: readonly string[];
  /** Values of the command's own flags, by name. */
  values: Readonly<Record<string, string>>;
  /** Values of flags that may be given several times, by name. */
  lists: Readonly<Record<string, readonly string[]>>;
  switches: ReadonlySet<string>;
  /** Reads the settings of the server on this machine. @throws ConfigError, NoServer */
  load: () => Promise<Here>;
  /** All that this program can do, for texts that are made from it. */
  contents: () => Promise<Contents>;
}
export interface Command {
  /** `keys create`. */
  name: string;
  /** Names of the arguments after it: `<id>`, or `[text]` for one that may be left out. */
  args: readonly string[];
  /** All words that the first argument can be, where they are few. */
  words?: readonly string[];
  /** What must come after `--`: `<command…>`. */
  rest?: string;
  /** It works on any machine: it needs no server there and reads none of its settings. */
  isClient?: true;
  summary: string;
  /** Further paragraphs of its help. */
  about?: string;
  flags: readonly Flag[];
  examples: readonly string[];
  /** Resolves to the exit code. */
  run: (invocation: Invocation) => Promise<number>;
}

/** Commands of one task, in the order in which they are listed. */
export interface Group {
  title: string;
  commands: readonly Command[];
}

/** All that a program can do. */
export interface Contents {
  groups: readonly Group[];
  /** The command of `peal` alone, if it is one. */
  fallback: string | undefined;
  /** Flags that all commands take but clients; undefined in a program without a server. */
  settingFlags: readonly Flag[] | undefined;
}

/** The command line cannot be understood: reported on standard error, exit code 64. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
/** The command was understood but could not be done: reported on standard error, exit code 1 unless it names another. */
export class CommandFailed extends Error {
  override readonly name = "CommandFailed";
  readonly exitCode: number;
  constructor(message: string, options?: ErrorOptions, exitCode: number = EXIT.failed) {
    super(message, options);
    this.exitCode = exitCode;
  }
}
/** This program is a client only, and none was told which server to ask. */
export class NoServer extends CommandFailed {
  constructor() {
    super("no server is chosen: run `peal login <url>`, or set PEAL_URL and PEAL_KEY");
  }
}

/** The name of a flag's value in the help; undefined for a switch. */
export const valueOf = ({ value, words }: Flag): string | undefined => value ?? words?.join("|");

export const JSON_FLAG: Flag = { name: "json", description: "Print JSON." };

export interface Parsed {
  positionals: string[];
  rest: string[];
  values: Record<string, string>;
  lists: Record<string, string[]>;
  switches: Set<string>;
  /** The flags that are settings. */
  settings: Record<string, string>;
}

/**
 * Reads the arguments of a command. `settingFlags`: the flags of settings, if it reads them.
 * @throws UsageError, with the nearest flag when there is no such one
 */
export function parse(
  command: Pick<Command, "args" | "rest" | "flags">,
  argv: readonly string[],
  settingFlags: readonly Flag[],
): Parsed {
  const own = [...command.flags, { name: "help", description: "" }];
  // `--files` of a backup is its own: PEAL_FILES says nothing there
  const flags = [...own, ...settingFlags.filter(({ name }) => !own.some((flag) => flag.name === name))];
  const options = Object.fromEntries(
    flags.map((flag) => [flag.name, { type: valueOf(flag) === undefined ? "boolean" : "string" } as const]),
  );
  const { tokens } = parseArgs({
    args: [...argv],
    options: { ...options, help: { type: "boolean", short: "h" } },
    strict: false,
    tokens: true,
    allowPositionals: true,
  });
  const parsed: Parsed = { positionals: [], rest: [], values: {}, lists: {}, switches: new Set(), settings: {} };
  for (const token of tokens) {
    if (token.kind === "option-terminator" && command.rest !== undefined) {
      parsed.rest = argv.slice(token.index + 1);
      break;
    }
    if (token.kind === "positional") parsed.positionals.push(token.value);
    if (token.kind !== "option") continue;
    const flag = flags.find(({ name }) => name === token.name);
    if (flag === undefined) throw new UsageError(`unknown flag ${token.rawName}${hint(token.name, flags)}`);
    const value = valueOf(flag);
    if (value === undefined) {
      if (token.value !== undefined) throw new UsageError(`${token.rawName} takes no value`);
      parsed.switches.add(flag.name);
    } else {
      if (token.value === undefined)
        throw new UsageError(`${token.rawName} needs a value: ${token.rawName} <${value}>`);
      if (flag.isList === true) (parsed.lists[flag.name] ??= []).push(token.value);
      else (settingFlags.includes(flag) ? parsed.settings : parsed.values)[flag.name] = token.value;
    }
  }
  const { length } = parsed.positionals;
  if (parsed.switches.has("help")) return parsed;
  const needed = command.args.filter((name) => !name.startsWith("["));
  if (length < needed.length) throw new UsageError(`${needed.slice(length).join(" ")} is missing`);
  // the words before it may be a ping URL, which is not repeated
  if (command.rest !== undefined && (parsed.rest.length === 0 || length > command.args.length))
    throw new UsageError(`${command.rest} has to stand behind \`--\``);
  if (length > command.args.length)
    throw new UsageError(`unexpected argument ${parsed.positionals[command.args.length] ?? ""}`);
  return parsed;
}

function hint(name: string, flags: readonly Flag[]): string {
  const near = nearest(
    name,
    flags.map((flag) => flag.name),
  );
  return near === undefined ? "" : `; did you mean --${near}?`;
}

/**
 * Prints what a command came to, as `--json` or as people read it: `text`. Resolves to the exit code of a command that is done.
 * @throws CommandFailed if that is not possible: a secret that is shown once would be lost without a word
 */
export const print = async <T>(
  switches: ReadonlySet<string>,
  result: T,
  text: (result: T) => string,
): Promise<number> => writeOut(`${switches.has("json") ? JSON.stringify(result) : text(result)}\n`);

/** Prints as it is, byte for byte. @throws CommandFailed if that is not possible */
export async function writeOut(content: string | Uint8Array): Promise<number> {
  try {
    await Bun.write(Bun.stdout, content);
    return EXIT.ok;
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === "EPIPE") process.exit(EXIT.ok); // `peal tail … | head`
    throw new CommandFailed(`standard output can't be written (${code ?? "EIO"})`, { cause });
  }
}

/** Lines of cells with the columns aligned. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = rows.reduce<number[]>(
    (sofar, row) => row.map((cell, column) => Math.max(sofar[column] ?? 0, cell.length)),
    [],
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
