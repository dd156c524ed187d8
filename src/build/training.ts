/** Starts of a binary that was just built: the order in which it needs its code, and the memory that it takes. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Writes the order in which a start needs the code, for `compile`: fewer pages of it are read, 2.5 MB less. */
export async function trainedOrder(binary: string, file: string): Promise<void> {
  await start(binary, { BUN_BYTECODE_ORDER_OUT: file });
}

/** Resident bytes of a server that has nothing to do. */
export const idleRss = async (binary: string): Promise<number> => start(binary, {});

/** Starts the binary, waits until it says where it listens, and ends it. Resolves to its resident bytes. */
async function start(binary: string, env: Record<string, string>): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), "peal-training-"));
  // at `error` it does not warn about the machine that builds, such as of few open files
  const settings = { PEAL_DATA_DIR: join(folder, "data"), PEAL_LISTEN: "127.0.0.1:0", PEAL_LOG: "error" };
  const server = Bun.spawn([binary], { env: { ...settings, ...env }, stdio: ["ignore", "pipe", "inherit"] });
  try {
    await server.stdout.getReader().read();
    const status = await Bun.file(`/proc/${server.pid}/status`).text();
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
  } finally {
    server.kill("SIGTERM");
    await server.exited;
    await rm(folder, { recursive: true, force: true });
  }
}
