/** Puts a program into one file, which needs nothing beside it: our code as bytecode behind the runtime. */
import { join } from "node:path";

export const ROOT = join(import.meta.dir, "../..");

/** The binary reads no `.env` or `bunfig.toml`, neither the data directory's nor another. */
const FLAGS = [
  ..."--minify --bytecode --format=esm --no-compile-autoload-dotenv --no-compile-autoload-bunfig".split(" "),
  // a command reads only its own code: `peal health` ends in half the time, and a start executes twice (cli/heap.ts)
  "--splitting",
  // code that runs once at the start is not worth compiling: 5 MB less; cli/serve.ts takes it back once it listens
  "--compile-jit-policy=10",
  // Elysia loads it when a schema asks for the type of a file, which none of ours does: 0.2 MB less
  "--external=file-type",
];

export interface Compilation {
  /** Such as `bun-linux-x64`. */
  target: string;
  /** Below the root of the project. */
  entry: string;
  /** Its last part is in the bytes of the program. */
  out: string;
  /** Bun for the target. Absent: the one that runs, which has to be for the target: any other would be downloaded. */
  runtime?: string;
  /** A file that `trainedOrder` made. */
  order?: string;
}

/** @throws Error when it cannot be built; the compiler has said why */
export async function compile({ target, entry, out, runtime, order }: Compilation): Promise<void> {
  const command = [
    ...["build", "--compile", `--target=${target}`, ...FLAGS],
    ...(runtime === undefined ? [] : [`--compile-executable-path=${runtime}`]),
    ...(order === undefined ? [] : [`--bytecode-order=${order}`]),
    ...[`--outfile=${out}`, entry],
  ];
  const build = Bun.spawn([process.execPath, ...command], { cwd: ROOT, stdio: ["ignore", "ignore", "inherit"] });
  if ((await build.exited) !== 0) throw new Error(`${entry} could not be built for ${target}`);
}
