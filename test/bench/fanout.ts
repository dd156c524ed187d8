/** One message to many readers: when the first and the last of them has it. */
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

/** To streams of ntfy's clients, beside as many of peal's own. */
export const fanOutLines: Benchmark = async (bench) => {
  const rows: Row[] = [];
  for (const readers of bench.isQuick ? READERS.slice(0, 2) : READERS) {
    const [events, lines]: [Measured[], Measured[]] = [[], []];
    for (let round = 0; round < bench.rounds; round++) {
      events.push(await ofPeal(bench, readers));
      lines.push(await ofPeal(bench, readers, true));
    }
    for (const [which, p] of CASES) {
      const time = (measured: Measured) => measured[`${which}_subscriber_ms`]?.[p] ?? NaN;
      rows.push({
        ...{ what: `${which} of ${readers} readers of lines, ${p}`, unit: "ms", peal: median(lines.map(time)) },
        beside: [{ what: "its own events", value: median(events.map(time)) }],
        ...(which === "last" && p === "p50" && { target: "ratio ≤ 1.2" }),
      });
    }
    if (lines.some(({ missing_acked }) => missing_acked > 0)) throw new Error("messages did not reach a reader");
  }
  return rows;
};

export const fanOut: Benchmark = async (bench) => {
  const rows: Row[] = [];
  for (const readers of bench.isQuick ? READERS.slice(0, 2) : READERS) {
    const durable: Measured[] = [];
    const bare: Measured[] = [];
    const peal: Measured[] = [];
    for (let round = 0; round < bench.rounds; round++) {
      if (bench.tools !== undefined) {
        durable.push(await ofRaw(bench, bench.tools, readers, true));
        bare.push(await ofRaw(bench, bench.tools, readers, false));
      }
      peal.push(await ofPeal(bench, readers));
    }
    for (const [which, p] of CASES) {
      const time = (measured: Measured) => measured[`${which}_subscriber_ms`]?.[p] ?? NaN;
      const beside = (what: string, all: Measured[]) =>
        all.length === 0 ? [] : [{ what, value: median(all.map(time)) }];
      const target = which === "last" && p === "p50" ? TARGETS.get(readers) : undefined;
      rows.push({
        ...{ what: `${which} of ${readers} readers, ${p}`, unit: "ms", peal: median(peal.map(time)) },
        // peal syncs before it notifies anyone; the second value shows what that costs
        beside: [...beside("rawsse -d -g", durable), ...beside("rawsse, in memory", bare)],
        ...(target !== undefined && { target }),
      });
    }
    const missing = peal.reduce((sum, { missing_acked }) => sum + missing_acked, 0);
    if (missing > 0) throw new Error(`${missing} messages did not reach a reader`);
  }
  return rows;
};

/** Enough messages that the code is compiled before it is timed, but few enough that 10,000 readers do not take a minute. */
function shape({ isQuick }: Bench, readers: number) {
  const messages = Math.min(300, Math.max(40, (isQuick ? 50_000 : 200_000) / readers));
  return { readers, messages, warmup: Math.ceil(messages / 4), window: 1, size: 400 };
}

async function ofPeal(bench: Bench, readers: number, isLines = false): Promise<Measured> {
  await using peal = await startPeal(bench.program);
  const topic = await peal.topic("bench");
  const headers = { authorization: `Bearer ${peal.key}`, "content-type": "application/json" };
  const path = isLines ? `/${topic}/json` : `/home/${topic}/events`;
  const urls = { sse: peal.url + path, isLines, publish: `${peal.url}/home/bench` };
  return await load(bench.tools, { ...shape(bench, readers), ...urls, headers });
}

async function ofRaw(bench: Bench, tools: Tools, readers: number, isDurable: boolean): Promise<Measured> {
  await using raw = await startRaw(tools, isDurable);
  return await load(tools, { ...shape(bench, readers), sse: `${raw.url}/events`, publish: `${raw.url}/` });
}
