/** The order in which a start needs the code, found twice alike: what a release is made of may not depend on a race. */
import { rename } from "node:fs/promises";
import { join } from "node:path";
import { compile } from "../compile.ts";
import { trainedOrder } from "../training.ts";

/** The timers of a start have fired once by then, also on a busy machine. */
const SETTLE_MS = 2_000;
const TRIES = 6;

/** Writes it to `file`. It is of this machine's kind (an address of IPv6, another user): release.ts keeps it beside the binaries. */
export async function steadyOrder(file: string, folder: string): Promise<void> {
  const binary = join(folder, "peal");
  await compile({ target: `bun-linux-${process.arch}`, entry: "src/main.ts", out: binary });
  let last = "";
  for (let n = 0; n < TRIES; n++) {
    const tried = join(folder, "order");
    await trainedOrder(binary, tried, SETTLE_MS);
    const order = await Bun.file(tried).text();
    if (order === last) {
      await rename(tried, file);
      return;
    }
    last = order;
  }
  throw new Error(`${TRIES} starts each needed the code in another order. Try again on a machine that has less to do.`);
}
