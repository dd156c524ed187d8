/** Runs the program as a person types it. */
import { cleanEnv, COMMAND } from "./server.ts";

export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

/** `peal <args>`, to its end. Nothing of this process's `PEAL_*` variables is inherited. `input`: what it may read. */
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
