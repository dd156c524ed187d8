/**
 * The order in which a start needs the code (training.ts), as `npm run order` has written it. It is checked in, because no two
 * trainings are alike, and a release has to be the same bytes each time.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { compile } from "../compile.ts";
import { trainedOrder } from "../training.ts";

export const ORDER = join(import.meta.dir, "bytecode-order.txt");

/** Trains a binary of the code as it is. What is left out (constants) changes nothing that can be measured. */
export async function currentOrder(folder: string): Promise<string> {
  const [binary, file] = [join(folder, "peal"), join(folder, "order")];
  await compile({ target: `bun-linux-${process.arch}`, entry: "src/main.ts", out: binary });
  await trainedOrder(binary, file);
  const lines = (await readFile(file, "utf8")).split("\n");
  return `${lines.filter((line) => /^(v2$|[FM] )/.test(line)).join("\n")}\n`;
}

/** The part of `current` that `kept` has too, 0 to 1. Little of it is left after any change: names in the code are shortened anew. */
export function shareOf(current: string, kept: string): number {
  const known = new Set(kept.split("\n"));
  const lines = current.trimEnd().split("\n");
  return lines.filter((line) => known.has(line)).length / lines.length;
}
