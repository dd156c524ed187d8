/** Starts `peal run` the way cron, a shell or a person at a terminal does. */
import { readFileSync } from "node:fs";
import { eventsOf, type TestEvent } from "../support/checks.ts";
import { eventually } from "../support/eventually.ts";
import { cleanEnv, COMMAND, type TestServer } from "../support/server.ts";

export interface Ran {
  code: number;
  stdout: Buffer;
  stderr: string;
}
interface How {
  stdin?: Uint8Array;
  env?: Record<string, string>;
  cwd?: string;
}

/** Runs it to its end. */
export async function runToEnd(args: readonly string[], { stdin, env, cwd = "/tmp" }: How = {}): Promise<Ran> {
  const stdio = [stdin ?? "ignore", "pipe", "pipe"] as const;
  const child = Bun.spawn([...COMMAND, "run", ...args], { env: cleanEnv(env), cwd, stdio: [...stdio] });
  const [stdout, stderr, code] = await Promise.all([child.stdout.bytes(), child.stderr.text(), child.exited]);
  return { code, stdout: Buffer.from(stdout), stderr };
}

export interface Running extends AsyncDisposable {
  pid: number;
  /** The output so far, on a terminal both streams. */
  output: () => string;
  errors: () => string;
  exited: Promise<number>;
  /** Types keys, on a terminal only. */
  type: (keys: string) => void;
}

/** Without a terminal, as cron starts it; `wrapper` is a command that it is started with. */
export function runAlone(args: readonly string[], wrapper: readonly string[] = []): Running {
  let [output, errors] = ["", ""];
  const child = Bun.spawn([...wrapper, ...COMMAND, "run", ...args], {
    env: cleanEnv(),
    cwd: "/tmp",
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const read = Promise.all([
    listen(child.stdout, (text) => (output += text)),
    listen(child.stderr, (text) => (errors += text)),
  ]);
  return running(child, { output: () => output, errors: () => errors, type: () => undefined }, read);
}

/** In the foreground of its own terminal. */
export function runOnTerminal(args: readonly string[]): Running {
  let output = "";
  const decoder = new TextDecoder();
  const terminal = {
    data: (_: unknown, bytes: Uint8Array) => void (output += decoder.decode(bytes, { stream: true })),
  };
  const child = Bun.spawn([...COMMAND, "run", ...args], { env: cleanEnv(), cwd: "/tmp", terminal });
  return running(child, { output: () => output, errors: () => "", type: (keys) => void child.terminal?.write(keys) });
}

const running = (
  child: { pid: number; exited: Promise<number>; kill: (signal: NodeJS.Signals) => void },
  rest: Pick<Running, "output" | "errors" | "type">,
  read?: Promise<unknown>,
): Running => ({
  pid: child.pid,
  ...rest,
  exited: (async () => {
    const code = await child.exited;
    await read;
    return code;
  })(),
  [Symbol.asyncDispose]: async () => {
    for (const pid of childrenOf(child.pid)) process.kill(pid, "SIGKILL");
    child.kill("SIGKILL");
    await child.exited;
  },
});

async function listen(stream: ReadableStream<Uint8Array>, hear: (text: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  for await (const bytes of stream) hear(decoder.decode(bytes, { stream: true }));
}

/** Pids of the processes that it has started and that are still running. */
export function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);
  } catch {
    return []; // the process itself has ended
  }
}

export const said = async (job: Running, words: string): Promise<unknown> =>
  eventually(`${JSON.stringify(words)} of the job`, () => job.output().includes(words));

/** The pings of a check, oldest first. */
export const pingsOf = async (peal: TestServer, id: string): Promise<TestEvent[]> =>
  (await eventsOf(peal, id)).filter(({ method }) => method !== undefined);

/** The job's output in its latest ping. */
export async function saidTo(peal: TestServer, id: string): Promise<Buffer> {
  const { n = 0 } = (await pingsOf(peal, id)).at(-1) ?? {};
  return Buffer.from(await (await peal.api("GET", `/v1/home/checks/${id}/events/${n}/body`)).bytes());
}
