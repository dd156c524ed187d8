/** Looks at the server from outside, again and again: what it holds, and how long it took since the last look. */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { memory } from "../machine.ts";
import { percentiles } from "../percentiles.ts";
import type { Peal } from "../servers.ts";
import type { Sample } from "./slope.ts";

/** What is sampled, in the order of the table. `allowed`: by how much it may grow over the run; absent: it is only reported. */
export const KINDS = {
  anonymous: { what: "anonymous memory", unit: "MB", allowed: 4 },
  resident: { what: "resident memory", unit: "MB" },
  descriptors: { what: "open descriptors", unit: "", allowed: 4 },
  threads: { what: "threads", unit: "", allowed: 1 },
  wal: { what: "write-ahead log", unit: "MB", allowed: 4 },
  slow: { what: "publishes over 10 ms", unit: "%", allowed: 2 },
  publishP50: { what: "publish, p50", unit: "ms" },
  publishP99: { what: "publish, p99", unit: "ms", allowed: 5 },
  fanoutP50: { what: "fan-out, p50", unit: "ms" },
  fanoutP99: { what: "fan-out, p99", unit: "ms", allowed: 5 },
} as const satisfies Record<string, { what: string; unit: string; allowed?: number }>;
export type Kind = keyof typeof KINDS;
export type Series = Record<Kind, Sample[]>;

/** As the load saw them, in milliseconds. */
export interface Latencies {
  publish: readonly number[];
  fanout: readonly number[];
}

/** What the server's own clock says, whatever else the machine does: of the publishes since the last look, how many took longer. */
export function slowPublishes(peal: Peal): () => Promise<number> {
  let [allBefore, quickBefore] = [0, 0];
  return async () => {
    const text = await (await fetch(`${peal.url}/metrics`)).text();
    const bucket = (le: string) => Number(text.split(`peal_publish_seconds_bucket{le="${le}"} `)[1]?.split("\n")[0]);
    const [all, quick] = [bucket("+Inf"), bucket("0.01")];
    const share = 1 - (quick - quickBefore) / (all - allBefore);
    [allBefore, quickBefore] = [all, quick];
    return share * 100;
  };
}

/** Adds a sample to each series; `at`: seconds since the start. */
export async function sample(
  peal: Peal,
  series: Series,
  at: number,
  { publish, fanout, slow }: Latencies & { slow: number },
): Promise<void> {
  const { resident, anonymous } = await memory(peal.pid);
  const status = await Bun.file(`/proc/${peal.pid}/status`).text();
  const add = (kind: Kind, value: number) => series[kind].push({ at, value });
  add("anonymous", anonymous / 1e6);
  add("resident", resident / 1e6);
  add("descriptors", readdirSync(`/proc/${peal.pid}/fd`).length);
  add("threads", Number(/^Threads:\s+(\d+)/m.exec(status)?.[1]));
  add("wal", (statSync(join(peal.dataDir, "peal.db-wal"), { throwIfNoEntry: false })?.size ?? 0) / 1e6);
  add("slow", slow);
  for (const [name, took] of [
    ["publish", publish],
    ["fanout", fanout],
  ] as const) {
    if (took.length === 0) continue;
    const { p50, p99 } = percentiles(took);
    add(`${name}P50`, p50);
    add(`${name}P99`, p99);
  }
}

export const newSeries = (): Series =>
  Object.fromEntries(Object.keys(KINDS).map((kind) => [kind, [] as Sample[]])) as unknown as Series;
