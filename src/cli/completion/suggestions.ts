/** What can be suggested after each word of a command line, whatever the shell. */
import { valueOf, type Command, type Contents, type Flag } from "../command.ts";

/** What follows a flag: nothing, one of these words, a path, or text that nobody can guess. */
export type Value = { kind: "none" | "path" | "text" } | { kind: "words"; words: readonly string[] };

export interface FlagSuggestion {
  /** `--scope`. */
  flag: string;
  description: string;
  value: Value;
}
export interface Suggestion {
  name: string;
  summary: string;
  flags: readonly FlagSuggestion[];
  /** What its first argument can be. */
  argument: Value;
  /** A command of the machine follows `--`. */
  takesCommand: boolean;
}
export interface Suggestions {
  commands: readonly Suggestion[];
  /** First words, each with what it does. */
  first: ReadonlyMap<string, string>;
  /** Second words by first word, each with what it does. */
  second: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** The command of flags without a command. */
  fallback: string | undefined;
}

const HELP: Flag = { name: "help", description: "Print help." };
/** The settings that an administrative command is given by hand; the others are for `serve`. */
const OFTEN = new Set(["config", "data-dir"]);
const PATH = /^(file|path)$/;

export function suggestionsOf({ groups, fallback, settingFlags = [] }: Contents): Suggestions {
  const commands = groups.flatMap((group) => group.commands).map((command) => suggestionOf(command, settingFlags));
  const first = new Map<string, string>([["help", "Print help."]]);
  const second = new Map<string, Map<string, string>>();
  for (const { name, summary } of commands) {
    const [word = "", next] = name.split(" ");
    if (next === undefined) first.set(word, summary);
    else second.set(word, (second.get(word) ?? new Map<string, string>()).set(next, summary));
  }
  for (const [word, words] of second) if (!first.has(word)) first.set(word, [...words.keys()].join(", "));
  return { commands, first, second, fallback };
}

function suggestionOf(command: Command, settingFlags: readonly Flag[]): Suggestion {
  const settings = command.isClient === true ? [] : settingFlags;
  const flags = [...command.flags, HELP, ...settings.filter(({ name }) => command.name === "serve" || OFTEN.has(name))];
  return {
    name: command.name,
    summary: command.summary,
    flags: flags.map((flag) => ({ flag: `--${flag.name}`, description: flag.description, value: valueIn(flag) })),
    argument: argumentOf(command),
    takesCommand: command.rest !== undefined,
  };
}

function valueIn(flag: Flag): Value {
  const value = valueOf(flag);
  if (value === undefined) return { kind: "none" };
  if (flag.words !== undefined) return { kind: "words", words: flag.words };
  return { kind: PATH.test(value) || flag.name === "data-dir" ? "path" : "text" };
}

function argumentOf({ args: [first = ""], words }: Command): Value {
  if (words !== undefined) return { kind: "words", words };
  return { kind: PATH.test(first.slice(1, -1)) ? "path" : "text" };
}
