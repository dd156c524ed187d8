/** Durable publishes a second over HTTP, beside the bare C broadcaster and SQLite's own group commit. */
import { join } from "node:path";
import type { Bench, Benchmark, Row } from "./bench.ts";
import { load, type Measured } from "./load.ts";
import { freshDirectory, onCore, type Tools } from "./machine.ts";
import { median } from "./percentiles.ts";
import { startPeal, startRaw } from "./servers.ts";

const WRITERS = [1, 16, 64, 256];
const TARGETS = new Map([
  [1, "ratio ≥ 0.7"],
  [16, "ratio ≥ 0.4"],
  [64, "ratio ≥ 0.3"],
]);

/** How long to warm up: compiling takes 2 to 3 s of full load, and in the first of them the p99 of 64 writers is twice as long. */
const WARM_SECONDS = 4;

export const publishing: Benchmark = async (bench) => {
  const rows: Row[] = [];
  for (const writers of WRITERS) {
    const raw: Measured[] = [];
    const peal: Measured[] = [];
    const sqlite: number[] = [];
    // in turns, so that a busy moment of the machine affects all of them
    for (let round = 0; round < bench.rounds; round++) {
      if (bench.tools !== undefined) raw.push(await ofRaw(bench.tools, bench.seconds, writers));
      peal.push(await ofPeal(bench, writers));
      sqlite.push(await ofSqlite(bench, writers));
    }
    const beside = (of: (measured: Measured) => number) =>
      raw.length === 0 ? [] : [{ what: "rawsse -d -g", value: median(raw.map(of)) }];
    const rate = ({ acks_per_s }: Measured) => acks_per_s;
    const who = `${writers} writer${writers === 1 ? "" : "s"}`;
    const target = TARGETS.get(writers);
    rows.push({
      ...{ what: `publishes, ${who}`, unit: "1/s", peal: median(peal.map(rate)) },
      beside: [...beside(rate), { what: "SQLite, group commit", value: median(sqlite) }],
      ...(target !== undefined && { target }),
    });
    for (const p of ["p50", "p99"] as const) {
      const answer = ({ ack_ms }: Measured) => ack_ms[p];
      rows.push({
        ...{ what: `answer ${p}, ${who}`, unit: "ms", peal: median(peal.map(answer)), beside: beside(answer) },
        ...(writers === 64 && p === "p99" && { target: "≤ 5 ms" }),
      });
    }
  }
  return rows;
};

async function ofPeal({ program, tools, seconds, isQuick }: Bench, writers: number): Promise<Measured> {
  await using peal = await startPeal(program);
  await peal.topic("bench");
  const headers = { authorization: `Bearer ${peal.key}`, "content-type": "application/json" };
  const wanted = { publish: `${peal.url}/home/bench`, headers, writers };
  await load(tools, { ...wanted, seconds: isQuick ? 1 : WARM_SECONDS });
  return await load(tools, { ...wanted, seconds });
}

async function ofRaw(tools: Tools, seconds: number, writers: number): Promise<Measured> {
  await using raw = await startRaw(tools, true);
  return await load(tools, { publish: `${raw.url}/`, writers, seconds });
}

async function ofSqlite({ seconds }: Bench, batch: number): Promise<number> {
  const script = join(import.meta.dir, "sqlite.ts");
  const command = [process.execPath, script, freshDirectory(), String(batch), String(seconds)];
  const child = Bun.spawn(onCore(0, command), { stdio: ["ignore", "pipe", "inherit"] });
  return Number(await new Response(child.stdout).text());
}
