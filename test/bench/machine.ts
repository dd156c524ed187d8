/** The machine under the benchmarks: cores, compiled clients, ports, directories, the memory of a process. */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { cpus, release, tmpdir, totalmem } from "node:os";
import { join } from "node:path";

export const ROOT = join(import.meta.dir, "../..");
const SOURCES = { ssebench: ["test/bench/ssebench.c"], rawsse: ["test/bench/rawsse.c"] };

/** Holds everything that the run writes. It lies on the disk that is measured, so `PEAL_BENCH_DIR` can move it. */
const base = mkdtempSync(join(process.env["PEAL_BENCH_DIR"] ?? tmpdir(), "peal-bench-"));
process.on("exit", () => {
  rmSync(base, { recursive: true, force: true });
});
export const freshDirectory = (): string => mkdtempSync(join(base, "data-"));

export const hasTaskset = Bun.which("taskset") !== null && cpus().length > 1;
/** Pins the server to one core and its clients to another, so that neither takes time from the other. */
export const onCore = (core: 0 | 1, command: readonly string[]): string[] =>
  hasTaskset ? ["taskset", "-c", String(core), ...command] : [...command];

const pinSelf = (cores: string) => Bun.spawnSync(["taskset", "-cp", cores, String(process.pid)]);
/** Pins this process to the clients' core, so that measuring takes no time from the server. */
export const onOwnCore = (): void => {
  if (hasTaskset) pinSelf("1");
};
/** A browser consists of several processes that work at the same time: those that `act` starts may use all cores. */
export async function onAllCores<T>(act: () => Promise<T>): Promise<T> {
  if (hasTaskset) pinSelf(`0-${cpus().length - 1}`);
  return act().finally(onOwnCore);
}

/** The compiled C clients. */
export interface Tools {
  ssebench: string;
  rawsse: string;
  slowsync: string;
}

/** Returns undefined where there is no `cc`. @throws Error when it fails */
export function compileTools(): Tools | undefined {
  const cc = Bun.which("cc");
  if (cc === null) return undefined;
  const tools = { ssebench: join(base, "ssebench"), rawsse: join(base, "rawsse"), slowsync: join(base, "slowsync.so") };
  run([cc, "-O2", "-o", tools.ssebench, ...SOURCES.ssebench]);
  run([cc, "-O2", "-o", tools.rawsse, ...SOURCES.rawsse]);
  run([cc, "-O2", "-shared", "-fPIC", "-o", tools.slowsync, "test/support/slowsync.c", "-ldl"]);
  return tools;
}

function run(command: string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(command, { cwd: ROOT });
  if (exitCode !== 0) throw new Error(`${command.join(" ")}: ${stderr.toString()}`);
}

/** A free port: connections to it are refused until the server under test listens there. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** Resident bytes of a process; `anonymous` excludes what is mapped from files, such as the program itself. */
export async function memory(pid: number): Promise<{ resident: number; anonymous: number }> {
  const status = await Bun.file(`/proc/${pid}/status`).text();
  const bytes = (name: string) => 1024 * Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1]);
  return { resident: bytes("VmRSS"), anonymous: bytes("RssAnon") };
}

/** Processor time that a process has used, in ms. */
export async function processorTime(pid: number): Promise<number> {
  const stat = await Bun.file(`/proc/${pid}/stat`).text();
  const [user = 0, system = 0] = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 13)
    .map(Number);
  return (user + system) * 10; // the kernel counts in hundredths of a second, whatever its clock rate
}

/** How many sockets a process has open. */
export function sockets(pid: number): number {
  const { stdout } = Bun.spawnSync(["ls", "-l", `/proc/${pid}/fd`]);
  return stdout.toString().split("socket:").length - 1;
}

export const describeMachine = () => ({
  processor: cpus()[0]?.model ?? "unknown",
  cores: cpus().length,
  memory_gb: Math.round(totalmem() / 1e9),
  kernel: release(),
  bun: Bun.version,
  pinned: hasTaskset,
});
