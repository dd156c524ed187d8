/** One message to many readers: when the first and when the last of them has it. */
import type { Bench, Benchmark, Row } from "./bench.ts";
import { load, type Measured } from "./load.ts";
import type { Tools } from "./machine.ts";
import { median } from "./percentiles.ts";
import { startPeal, startRaw } from "./servers.ts";

const READERS = [100, 1_000, 5_000, 10_000];
const CASES = [
  ["first", "p50"],
  ["last", "p50"],
  ["last", "p99"],
] as const;
const TARGETS = new Map([
  [1_000, "ratio ≤ 1.25"],
  [5_000, "ratio ≤ 1.25"],
]);

export const fanOut: Benchmark = async (bench) => {
  const rows: Row[] = [];
  for (const readers of bench.isQuick ? READERS.slice(0, 2) : READERS) {
    const raw: Measured[] = [];
    const peal: Measured[] = [];
    for (let round = 0; round < bench.rounds; round++) {
      if (bench.tools !== undefined) raw.push(await ofRaw(bench, bench.tools, readers));
      peal.push(await ofPeal(bench, readers));
    }
    for (const [which, p] of CASES) {
      const time = (measured: Measured) => measured[`${which}_subscriber_ms`]?.[p] ?? NaN;
      const target = which === "last" && p === "p50" ? TARGETS.get(readers) : undefined;
      rows.push({
        ...{ what: `${which} of ${readers} readers, ${p}`, unit: "ms", peal: median(peal.map(time)) },
        beside: raw.length === 0 ? [] : [{ what: "rawsse", value: median(raw.map(time)) }],
        ...(target !== undefined && { target }),
      });
    }
    const missing = peal.reduce((sum, { missing_acked }) => sum + missing_acked, 0);
    if (missing > 0) throw new Error(`${missing} messages did not reach a reader`);
  }
  return rows;
};

const shape = ({ isQuick }: Bench, readers: number) =>
  ({ readers, messages: isQuick ? 15 : 55, warmup: 5, window: 1, size: 400 }) as const;

async function ofPeal(bench: Bench, readers: number): Promise<Measured> {
  await using peal = await startPeal(bench.program);
  const topic = await peal.topic("bench");
  const headers = { authorization: `Bearer ${peal.key}`, "content-type": "application/json" };
  const urls = { sse: `${peal.url}/home/${topic}/events`, publish: `${peal.url}/home/bench` };
  return await load(bench.tools, { ...shape(bench, readers), ...urls, headers });
}

async function ofRaw(bench: Bench, tools: Tools, readers: number): Promise<Measured> {
  await using raw = await startRaw(tools, false);
  return await load(tools, { ...shape(bench, readers), sse: `${raw.url}/events`, publish: `${raw.url}/` });
}
