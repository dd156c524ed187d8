/** SHA256SUMS, as `sha256sum --check` reads it. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sha256 } from "../../util/ids.ts";

/** Writes it beside the files. */
export async function writeSums(folder: string, files: readonly string[]): Promise<void> {
  const lines = await Promise.all(
    files.map(async (file) => `${sha256(await readFile(join(folder, file)))}  ${file}\n`),
  );
  await writeFile(join(folder, "SHA256SUMS"), lines.join(""));
}
