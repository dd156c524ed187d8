/** The command that `peal run` runs: begun as a shell would begin it, with the signals that it would get. */
import { closeSync, openSync, readFileSync } from "node:fs";
import { constants } from "node:os";
import type { End } from "./run-output.ts";

export interface Job {
  /** Its exit code; 128 + n when signal n ended it. */
  ended: Promise<number>;
  /** What comes out of the ends that Bun has made for it. */
  streams: readonly ReadableStream<Uint8Array>[];
}
/** The command cannot be run; codes as in a shell: 127 not found, 126 not executable. */
export interface NoJob {
  code: 126 | 127;
  reason: string;
}

/** Signals that a person or a supervisor sends. */
const SIGNALS = ["SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM", "SIGUSR1", "SIGUSR2"] as const;
type Signal = (typeof SIGNALS)[number];
/** Signals that a terminal sends when a key is pressed or it goes away; the job gets them from it too. */
const OF_TERMINAL: readonly Signal[] = ["SIGHUP", "SIGINT", "SIGQUIT"];

/**
 * Without a terminal (cron, systemd) the job leads its own group, and each signal is passed on to the whole group, once, because
 * a signal to our group does not reach it. On a terminal it stays in our group, because keys and input go to the group in the
 * foreground; what the terminal sends is not sent again. Afterwards a signal calls `leave`.
 */
export function startJob(command: readonly string[], ends: readonly [End, End], leave: () => void): Job | NoJob {
  const ignored = ignoredSignals();
  const isOnTerminal = hasTerminal();
  /** While it runs. */
  let pid: number | undefined;
  for (const signal of SIGNALS.filter((name) => !ignored.includes(name)))
    process.on(signal, () => {
      if (pid === undefined) leave();
      else if (!isOnTerminal) kill(-pid, signal);
      else if (!OF_TERMINAL.includes(signal)) kill(pid, signal);
    });
  const child = spawn(ignoring(command, ignored), { stdio: [0, ...ends], detached: !isOnTerminal });
  if ("reason" in child) return child;
  pid = child.pid;
  const ended = child.exited.then((code) => {
    pid = undefined;
    return code;
  });
  return { ended, streams: [child.stdout, child.stderr].filter((stream) => stream instanceof ReadableStream) };
}

interface SpawnOptions {
  stdio: [number, End, End];
  detached: boolean;
}

function spawn(command: readonly string[], options: SpawnOptions): Bun.Subprocess | NoJob {
  const [program = "", ...args] = command;
  try {
    return Bun.spawn([program, ...args], options);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const path = Bun.which(program);
    // a script without `#!`: execvp(3) and shells take the shell for it
    if (code === "ENOEXEC" && path !== null) return spawn(["/bin/sh", path, ...args], options);
    if (code === "ENOENT") return { code: 127, reason: `${program}: not found` };
    return { code: 126, reason: `${program}: can't be executed (${code ?? String(error)})` };
  }
}

function kill(pid: number, signal: Signal): void {
  try {
    process.kill(pid, signal);
  } catch {
    // it has just ended
  }
}

/** Windows has no groups: what is pressed there goes to all processes of the console. */
function hasTerminal(): boolean {
  if (process.platform === "win32") return true;
  try {
    closeSync(openSync("/dev/tty", "r"));
    return true;
  } catch {
    return false;
  }
}

/** Under `nohup` a job must not get SIGHUP: a signal that our parent had us ignore is not passed on. */
function ignoredSignals(): Signal[] {
  const [, mask] = /^SigIgn:\s*([0-9a-f]+)$/m.exec(processStatus()) ?? [];
  if (mask === undefined) return []; // not every system has a number for each of them
  return SIGNALS.filter((name) => (BigInt(`0x${mask}`) >> BigInt(constants.signals[name] - 1)) & 1n);
}

function processStatus(): string {
  try {
    return readFileSync("/proc/self/status", "utf8");
  } catch {
    return ""; // without /proc nothing is known to be ignored, and the job runs all the same
  }
}

/** Bun gives a child its signals back: a shell ignores these once more. */
const ignoring = (command: readonly string[], ignored: readonly Signal[]): readonly string[] =>
  ignored.length === 0
    ? command
    : ["/bin/sh", "-c", `trap '' ${ignored.map((name) => name.slice(3)).join(" ")}; exec "$@"`, "sh", ...command];
