/** A password or a key as an answer: never an argument, which every user of the machine could read. */
import { CommandFailed } from "./command.ts";

/** The password, asked for twice without showing it; if the input is not a terminal, its first line. */
export async function readPassword(name: string): Promise<string> {
  return hidden(async (answer) => {
    const password = await answer(`Password for ${name}: `);
    if ((await answer("Once more: ")) !== password)
      throw new CommandFailed("the passwords don't match; nothing was changed");
    return password;
  }, firstOf);
}

/** A secret, asked for without showing it; if the input is not a terminal, its first line. */
export const readSecret = async (question: string): Promise<string> => firstOf(await readSecrets([question]));

/** Several secrets, which are lines of the input if that is not a terminal. It is not read if there is nothing to ask. */
export async function readSecrets(questions: readonly string[]): Promise<string[]> {
  if (questions.length === 0) return [];
  return hidden(
    async (answer) => {
      const secrets: string[] = [];
      for (const question of questions) secrets.push(await answer(question));
      return secrets;
    },
    (lines) => questions.map((_, n) => lines[n] ?? ""),
  );
}

const firstOf = ([first = ""]: readonly string[]): string => first;

/** Has `ask` ask on the terminal, which shows no answer; without a terminal the lines of the input are read. */
async function hidden<T>(
  ask: (answer: (question: string) => Promise<string>) => Promise<T>,
  read: (lines: readonly string[]) => T,
): Promise<T> {
  const { stdin, stderr } = process;
  if (!stdin.isTTY) return read((await Bun.stdin.text()).split(/\r?\n/));
  let ahead = ""; // was typed, and is of no line yet
  let wake = (): void => undefined;
  const hear = (keys: string) => {
    ahead += keys;
    wake();
  };
  const answer = async (question: string): Promise<string> => {
    stderr.write(question);
    try {
      let line = typed("", ahead);
      while (!line.isWhole) {
        ahead = "";
        await new Promise<void>((more) => {
          wake = more;
        });
        line = typed(line.text, ahead);
      }
      ahead = line.rest;
      return line.text;
    } finally {
      stderr.write("\n");
    }
  };
  stdin.setRawMode(true); // the terminal shows nothing, and hands over every key: before anybody is asked
  stdin.setEncoding("utf8");
  stdin.on("data", hear);
  stdin.resume();
  try {
    return await ask(answer);
  } finally {
    stdin.off("data", hear);
    stdin.pause();
    stdin.setRawMode(false);
  }
}

/** Arrows, function keys and the marks around pasted text (ECMA-48 §5.4): none of them is a character. */
const SEQUENCE = /\x1b(?:\[[0-?]*[ -/]*[@-~]|O?[^])?/g;

/** A line that began with `before`, after these keys. `rest`: what was typed behind its end. @throws CommandFailed on Ctrl-C */
export function typed(before: string, keys: string): { text: string; isWhole: boolean; rest: string } {
  const all = Array.from(keys.replace(SEQUENCE, ""));
  let text = before;
  for (const [n, key] of all.entries()) {
    if (key === "\r" || key === "\n" || key === "\x04") return { text, isWhole: true, rest: all.slice(n + 1).join("") };
    if (key === "\x03") throw new CommandFailed("interrupted; nothing was changed");
    if (key === "\x7f" || key === "\b") text = Array.from(text).slice(0, -1).join("");
    else if (key === "\x15") text = "";
    else if (!/\p{Cc}/u.test(key)) text += key;
  }
  return { text, isWhole: false, rest: "" };
}
