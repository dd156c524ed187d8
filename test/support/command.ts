/** Runs the program as a person types it. */
import { cleanEnv, COMMAND } from "./server.ts";

export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs `peal <args>` to its end, without inheriting this process's `PEAL_*` variables. `input`: its standard input. */
export async function peal(
  args: readonly string[],
  env: Record<string, string> = {},
  cwd = "/",
  input?: string,
): Promise<Ran> {
  const stdin = input === undefined ? "ignore" : Buffer.from(input);
  const child = Bun.spawn([...COMMAND, ...args], { env: cleanEnv(env), cwd, stdio: [stdin, "pipe", "pipe"] });
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, stdout, stderr };
}
