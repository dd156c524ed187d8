/**
 * `npm run release`: everything that a release offers, in dist/release. It is made from a commit, and the same commit gives the
 * same bytes. `--strict` refuses a commit whose order of code is of older code: its binaries would take 4 MB more.
 */
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { VERSION } from "../util/version.ts";
import { compile, ROOT } from "./compile.ts";
import { commitOf } from "./release/commit.ts";
import { writeExtras } from "./release/extras.ts";
import { writeImages } from "./release/image.ts";
import { withoutSignature } from "./release/macos.ts";
import { notAsLocked, readLockfile } from "./release/lockfile.ts";
import { currentOrder, ORDER, shareOf } from "./release/order.ts";
import { fetchRuntime } from "./release/runtimes.ts";
import { sbomOf } from "./release/sbom.ts";
import { writeSums } from "./release/sums.ts";
import { TARGETS } from "./release/targets.ts";

/** A start differs a little each time. */
const FRESH = 0.9;
const OUT = join(ROOT, "dist/release");
const SBOM = "peal.cdx.json";

const { values: flags } = parseArgs({ options: { strict: { type: "boolean" } } });
const commit = await commitOf(ROOT);
const lockfile = await readLockfile();
const others = await notAsLocked(lockfile);
if (others.length > 0)
  throw new Error(`node_modules is not what package-lock.json says. Run npm ci.\n${others.join("\n")}`);

const runtimes = await mkdtemp(join(tmpdir(), "peal-release-"));
const folder = `${OUT}.new`; // a release that fails leaves the last one as it was
await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
try {
  await requireFreshOrder();
  for (const { file, target, runtime, entry } of TARGETS) {
    const executable = await fetchRuntime(runtime, lockfile, runtimes);
    const isServer = entry === "src/main.ts"; // the client never starts what the order is of
    await compile({ target, entry, out: join(folder, file), runtime: executable, ...(isServer && { order: ORDER }) });
    if (target === "bun-darwin-x64")
      await writeFile(join(folder, file), withoutSignature(await readFile(join(folder, file))));
    console.log(`${file} ${VERSION}`);
  }
  const images = await writeImages(folder, { version: VERSION, revision: commit.id, at: commit.at });
  const extras = await writeExtras(folder, [join(folder, `peal-linux-${process.arch}`)], commit.at);
  await writeFile(join(folder, SBOM), sbomOf(lockfile, commit.at));
  await writeSums(folder, [...TARGETS.map(({ file }) => file), ...images, ...extras, SBOM]);
  await rm(OUT, { recursive: true, force: true });
  await rename(folder, OUT);
} finally {
  await rm(runtimes, { recursive: true });
  await rm(folder, { recursive: true, force: true });
}

async function requireFreshOrder(): Promise<void> {
  const share = shareOf(await currentOrder(runtimes), await readFile(ORDER, "utf8"));
  if (share >= FRESH) return;
  const told = `the order of code fits only ${Math.round(share * 100)} % of a start. Run npm run order and commit what it writes.`;
  if (flags.strict === true) throw new Error(told);
  console.warn(told);
}
