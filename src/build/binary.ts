/** `npm run build`: everything into one file, dist/peal, which needs nothing beside it. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { VERSION } from "../util/version.ts";

const ROOT = join(import.meta.dir, "../..");
const OUT = join(ROOT, "dist/peal");
// NAS processors lack AVX2: the baseline build is the only one for x64
const TARGET = process.arch === "x64" ? "bun-linux-x64-baseline" : `bun-linux-${process.arch}`;

// the data directory is not ours to be surprised by: .env and bunfig.toml of the folder it is started in are not read
const flags = "--minify --bytecode --format=esm --no-compile-autoload-dotenv --no-compile-autoload-bunfig".split(" ");
const build = Bun.spawn(
  [process.execPath, "build", "--compile", `--target=${TARGET}`, ...flags, `--outfile=${OUT}`, "src/main.ts"],
  { cwd: ROOT, stdio: ["ignore", "ignore", "inherit"] },
);
if ((await build.exited) !== 0) process.exit(1);

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
console.log(
  `dist/peal ${VERSION} for ${TARGET}: ${megabytes(Bun.file(OUT).size)}, idle RSS ${megabytes(await idleMemory())}`,
);

/** Resident bytes of a fresh server that has said where it listens. */
async function idleMemory(): Promise<number> {
  const dataDir = await mkdtemp(join(tmpdir(), "peal-build-"));
  const env = { PEAL_DATA_DIR: dataDir, PEAL_LISTEN: "127.0.0.1:0" };
  const server = Bun.spawn([OUT], { env, stdio: ["ignore", "pipe", "inherit"] });
  try {
    await server.stdout.getReader().read();
    const status = await Bun.file(`/proc/${server.pid}/status`).text();
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
  } finally {
    server.kill();
    await server.exited;
    await rm(dataDir, { recursive: true });
  }
}
