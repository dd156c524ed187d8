/** Hooks that receive as much as they may: what a bystander notices. */
import type { Benchmark } from "../bench.ts";
import { startPeal } from "../servers.ts";
import { bystander, flooded } from "./bystander.ts";

const RATE = 200;
const CONNECTIONS = 6;
const TIMES = 2;

/** 64 KiB of an unknown shape: the server reads all of it, describes it by its values and stores it whole. */
const disk = (n: number) => [`disk_${n}`, { name: `disk ${n}`, state: "ok", text: "x".repeat(40) }] as const;
const body = Buffer.from(JSON.stringify(Object.fromEntries(Array.from({ length: 699 }, (_, n) => disk(n)))));

export const floodedHook: Benchmark = async ({ program, seconds }) => {
  await using peal = await startPeal(program);
  const headers = { authorization: `Bearer ${peal.key}`, "content-type": "application/json" };
  const asked = { method: "POST", headers, body: JSON.stringify({ topic: "hooked" }) };
  const { url } = (await (await fetch(`${peal.url}/v1/home/hooks`, asked)).json()) as { url: string };
  await peal.publish("bystander", "first");
  const { host, port, pathname } = new URL(url, peal.url);
  const head = [`POST ${pathname} HTTP/1.1`, `host: ${host}`, "content-type: application/json"];
  const alone = await bystander(peal, Bun.sleep(seconds * 1_000));
  let statuses: Record<string, number> = {};
  const flood = async () => {
    statuses = await flooded({ port: Number(port), head, connections: CONNECTIONS, seconds, rate: RATE }, body);
  };
  const beside = await bystander(peal, flood());
  const what = `hooks take ${RATE} bodies of 64 KiB a second`;
  return [
    {
      what: `${what}: bystander's p99`,
      ...{ unit: "ms", peal: beside.p99, beside: [{ what: "alone", value: alone.p99 }], target: `≤ ${TIMES}× alone` },
    },
    { what: `${what}: bystander's p50`, unit: "ms", peal: beside.p50, beside: [{ what: "alone", value: alone.p50 }] },
    { what: `${what}: taken a second`, unit: "/s", peal: (statuses["201"] ?? 0) / seconds, target: `≥ ${0.95 * RATE}` },
  ];
};
