/** `npm run order`: writes in which order a start needs the code. To be run, and committed, before a release. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { currentOrder, ORDER } from "./release/order.ts";

const folder = await mkdtemp(join(tmpdir(), "peal-order-"));
try {
  await writeFile(ORDER, await currentOrder(folder));
} finally {
  await rm(folder, { recursive: true });
}
