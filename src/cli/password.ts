/** A password as an answer: never an argument, which every user of the machine could read. */
import { CommandFailed } from "./command.ts";

/** Asked for twice, without showing it; or, when the input is no terminal, its first line. */
export async function readPassword(name: string): Promise<string> {
  if (!process.stdin.isTTY) return (await Bun.stdin.text()).split(/\r?\n/, 1)[0] ?? "";
  const password = await answer(`Password for ${name}: `);
  if ((await answer("Once more: ")) !== password) throw new CommandFailed("the two differ; nothing was changed");
  return password;
}

async function answer(question: string): Promise<string> {
  const { stdin, stderr } = process;
  stdin.setRawMode(true); // the terminal shows nothing, and hands over every key: before anybody is asked
  stdin.setEncoding("utf8");
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let typed = "";
  const hear = (keys: string) => {
    for (const key of keys) {
      if (key === "\r" || key === "\n" || key === "\x04") resolve(typed);
      else if (key === "\x03") reject(new CommandFailed("interrupted; nothing was changed"));
      else if (key === "\x7f" || key === "\b") typed = Array.from(typed).slice(0, -1).join("");
      else typed += key;
    }
  };
  stdin.on("data", hear);
  stdin.resume();
  stderr.write(question);
  try {
    return await promise;
  } finally {
    stdin.off("data", hear);
    stdin.pause();
    stdin.setRawMode(false);
    stderr.write("\n");
  }
}
