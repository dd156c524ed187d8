/** Time from exec to listening, memory at rest, size of the binary. */
import type { Benchmark } from "./bench.ts";
import { freshDirectory, memory } from "./machine.ts";
import { percentiles } from "./percentiles.ts";
import { startPeal } from "./servers.ts";

const REST_MS = 3_000;

export const starting: Benchmark = async ({ program, isQuick }) => {
  const starts = isQuick ? 5 : 20;
  const cold: number[] = [];
  const again: number[] = [];
  await (await startPeal(program))[Symbol.asyncDispose](); // so that the program is in the page cache
  for (let n = 0; n < starts; n++) {
    await using fresh = await startPeal(program);
    cold.push(fresh.startedMs);
  }
  const kept = freshDirectory();
  for (let n = 0; n <= starts; n++) {
    await using peal = await startPeal(program, { dataDir: kept });
    if (n > 0) again.push(peal.startedMs);
  }
  await using peal = await startPeal(program);
  await Bun.sleep(REST_MS);
  const { resident, anonymous } = await memory(peal.pid);
  const [binary = ""] = program;
  return [
    { what: "exec to listening, new data directory, median", unit: "ms", peal: percentiles(cold).p50 },
    { what: "exec to listening, existing one, median", unit: "ms", peal: percentiles(again).p50, target: "≤ 60 ms" },
    { what: "idle, resident", unit: "MB", peal: resident / 1e6, target: "≤ 60 MB" },
    { what: "idle, anonymous", unit: "MB", peal: anonymous / 1e6 },
    ...(program.length === 1 ? [{ what: "binary", unit: "MB", peal: Bun.file(binary).size / 1e6 }] : []),
  ];
};
