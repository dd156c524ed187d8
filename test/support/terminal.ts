/** Runs the program at a terminal, as a person who answers what it asks. Needs `python3` (tools.ts). */
import { cleanEnv, COMMAND } from "./server.ts";

/** Types lines when prompted, and prints what was on the screen. */
const TERMINAL = `
import os, pty, sys
lines = sys.argv[1].split(",")
pid, fd = pty.fork()
if pid == 0: os.execvp(sys.argv[2], sys.argv[2:])
screen = b""
while True:
  try: more = os.read(fd, 4096)
  except OSError: break
  if not more: break
  screen += more
  if lines and more.endswith(b": "): os.write(fd, lines.pop(0).encode() + b"\\r")
sys.stdout.buffer.write(screen)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`;

/** Runs `peal <args>`; `lines`, which contain no comma, are typed one after another when the screen ends with `: `. */
export async function atTerminal(
  args: readonly string[],
  env: Record<string, string>,
  lines: readonly string[],
): Promise<{ screen: string; code: number }> {
  const child = Bun.spawn(["python3", "-c", TERMINAL, lines.join(","), ...COMMAND, ...args], {
    env: cleanEnv(env),
    stdio: ["ignore", "pipe", "pipe"],
  });
  return { screen: await new Response(child.stdout).text(), code: await child.exited };
}
