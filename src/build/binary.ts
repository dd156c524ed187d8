/** `npm run build`: dist/peal for the machine that builds. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { VERSION } from "../util/version.ts";
import { compile, ROOT } from "./compile.ts";
import { idleRss, trainedOrder } from "./training.ts";

const OUT = join(ROOT, "dist/peal");
// the target of the running bun, which is copied. On x64 it needs no AVX2, which NAS processors lack
const TARGET = `bun-linux-${process.arch}`;

const folder = await mkdtemp(join(tmpdir(), "peal-build-"));
try {
  const program = { target: TARGET, entry: "src/main.ts", out: OUT };
  const order = join(folder, "order");
  await compile(program);
  await trainedOrder(OUT, order);
  await compile({ ...program, order });
  const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
  console.log(
    `dist/peal ${VERSION}, ${TARGET}: ${megabytes(Bun.file(OUT).size)}, idle RSS ${megabytes(await idleRss(OUT))}`,
  );
} finally {
  await rm(folder, { recursive: true });
}
