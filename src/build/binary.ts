/** `npm run build`: puts everything into one file, dist/peal, which needs nothing beside it. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { VERSION } from "../util/version.ts";

const ROOT = join(import.meta.dir, "../..");
const OUT = join(ROOT, "dist/peal");
// the target of the running bun, which is copied: another would be downloaded. On x64 it needs no AVX2, which NAS processors lack
const TARGET = `bun-linux-${process.arch}`;

/** Flags besides the target. The binary reads no `.env` or `bunfig.toml`, neither the data directory's nor another. */
const FLAGS = [
  ..."--minify --bytecode --format=esm --no-compile-autoload-dotenv --no-compile-autoload-bunfig".split(" "),
  // a command reads only its own code: `peal health` ends in half the time, and a start executes twice (cli/heap.ts)
  "--splitting",
  // code that runs once at the start is not worth compiling: 5 MB less; cli/serve.ts takes it back once it listens
  "--compile-jit-policy=10",
  // Elysia loads it when a schema asks for the type of a file, which none of ours does: 0.2 MB less
  "--external=file-type",
];

const folder = await mkdtemp(join(tmpdir(), "peal-build-"));
try {
  // in the order in which a start needs the code, fewer pages of it are read: 2.5 MB less
  const order = join(folder, "order");
  await compile();
  await start({ BUN_BYTECODE_ORDER_OUT: order });
  await compile(`--bytecode-order=${order}`);
  const rss = await start({});
  const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
  console.log(`dist/peal ${VERSION}, ${TARGET}: ${megabytes(Bun.file(OUT).size)}, idle RSS ${megabytes(rss)}`);
} finally {
  await rm(folder, { recursive: true });
}

async function compile(...flags: string[]): Promise<void> {
  const command = ["build", "--compile", `--target=${TARGET}`, ...FLAGS, ...flags, `--outfile=${OUT}`, "src/main.ts"];
  const build = Bun.spawn([process.execPath, ...command], { cwd: ROOT, stdio: ["ignore", "ignore", "inherit"] });
  if ((await build.exited) !== 0) throw new Error("the binary could not be built");
}

/** Starts the binary, waits until it says where it listens, and ends it. Resolves to its resident bytes. */
async function start(env: Record<string, string>): Promise<number> {
  // at `error` it does not warn about the machine that builds, such as of few open files
  const settings = { PEAL_DATA_DIR: join(folder, "data"), PEAL_LISTEN: "127.0.0.1:0", PEAL_LOG: "error" };
  const server = Bun.spawn([OUT], { env: { ...settings, ...env }, stdio: ["ignore", "pipe", "inherit"] });
  try {
    await server.stdout.getReader().read();
    const status = await Bun.file(`/proc/${server.pid}/status`).text();
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
  } finally {
    server.kill("SIGTERM");
    await server.exited;
  }
}
