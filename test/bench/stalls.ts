/** What other clients' work costs a bystander: writers on a slow disk, and a search that finds nothing. */
import type { Bench, Benchmark } from "./bench.ts";
import { load } from "./load.ts";
import { percentiles, type Percentiles } from "./percentiles.ts";
import { startPeal } from "./servers.ts";

const SYNC_MS = 15;
const MESSAGES = 10_000;
const SEARCHES = 20;

export const slowDisk: Benchmark = async ({ program, tools, seconds }) => {
  if (tools === undefined) return [];
  const env = { SLOWSYNC_US: String(SYNC_MS * 1000), LD_PRELOAD: tools.slowsync };
  await using peal = await startPeal(program, { env });
  const topic = await peal.topic("bench");
  await peal.publish("bench", "one to read");
  const headers = { authorization: `Bearer ${peal.key}`, "content-type": "application/json" };
  const alone = await bystander(`${peal.url}/v1/home/${topic}/messages?limit=1`, Bun.sleep(1_000));
  const writing = load(tools, { publish: `${peal.url}/home/bench`, headers, writers: 4, seconds });
  const beside = await bystander(`${peal.url}/v1/home/${topic}/messages?limit=1`, writing);
  const { acks_per_s: publishes } = await writing;
  return (["p50", "p99"] as const).map((p) => ({
    what: `bystander's GET ${p}, 4 writers, ${SYNC_MS} ms a sync (${Math.round(publishes)} publishes/s)`,
    ...{ unit: "ms", peal: beside[p], beside: [{ what: "nobody writes", value: alone[p] }] },
  }));
};

export const searching: Benchmark = async (bench) => {
  await using peal = await startPeal(bench.program);
  const topic = await peal.topic("bench");
  await fill(bench, peal);
  const quiet = await bystander(`${peal.url}/health`, Bun.sleep(1_000));
  const took: number[] = [];
  const search = async () => {
    for (let n = 0; n < SEARCHES; n++) {
      const startedAt = performance.now();
      await (await fetch(`${peal.url}/v1/home/${topic}/messages?q=nowhere${n}`)).text();
      took.push(performance.now() - startedAt);
    }
  };
  const beside = await bystander(`${peal.url}/health`, search());
  const what = `search that finds nothing in ${MESSAGES} messages`;
  return [
    { what: `${what}, p50`, unit: "ms", peal: percentiles(took).p50 },
    {
      what: `${what}: bystander's slowest GET /health`,
      unit: "ms",
      peal: beside.max,
      beside: [{ what: "nobody searches", value: quiet.max }],
    },
  ];
};

async function fill({ tools }: Bench, peal: { url: string; key: string }): Promise<void> {
  const headers = { authorization: `Bearer ${peal.key}`, "content-type": "application/json" };
  await load(tools, { publish: `${peal.url}/home/bench`, headers, writers: 64, messages: MESSAGES });
}

/** Requests `url` repeatedly, one request at a time, while `work` lasts. @throws Error when an answer is not ok */
export async function bystander(url: string, work: Promise<unknown>): Promise<Percentiles> {
  const took: number[] = [];
  const state = { isOver: false };
  const over = work.finally(() => (state.isOver = true));
  while (!state.isOver) {
    const startedAt = performance.now();
    const response = await fetch(url);
    await response.text();
    if (!response.ok) throw new Error(`${url}: ${response.status}`);
    took.push(performance.now() - startedAt);
    await Bun.sleep(1); // a bystander puts no load on the server
  }
  await over;
  return percentiles(took);
}
