/** What one publish key costs everyone else: six connections send the bodies that take the most work to read. */
import { gzipSync } from "node:zlib";
import type { Bench, Benchmark, Row } from "../bench.ts";
import { startPeal, type Peal } from "../servers.ts";
import { bystander, flooded } from "./bystander.ts";

const MIB = 1_048_576;
const CONNECTIONS = 6;
const P99_MS = 30;

interface Attack {
  what: string;
  body: Uint8Array;
  query?: string;
  headers: Record<string, string>;
}

const repeated = (text: string, room = 0) => text.repeat((MIB - room) / text.length);
const keys = `{${Array.from({ length: 95_000 }, (_, n) => `"${n.toString(36)}":0`).join(",")}}`;
const crowd = `{${Array.from({ length: 30_000 }, (_, n) => `"k${n.toString(36)}":0`).join(",")}`;
const queries = JSON.stringify({
  alerts: Array.from({ length: 3_500 }, () => ({ labels: { alertname: "?a=b".repeat(60) } })),
});

const REWRITE = "?rewrite=alertmanager";
const JSON_TYPE = { "content-type": "application/json" };
const FORM_TYPE = { "content-type": "application/x-www-form-urlencoded" };
const ATTACKS: Attack[] = [
  { what: "1 MiB of [", body: Buffer.from(repeated("[")), query: REWRITE, headers: JSON_TYPE },
  { what: "a form of %41", body: Buffer.from(`message=${repeated("%41", 8)}`), headers: FORM_TYPE },
  { what: "a form of buttons", body: Buffer.from(`message=m&actions=${repeated("a;", 18)}`), headers: FORM_TYPE },
  { what: "95,000 keys", body: Buffer.from(keys), query: REWRITE, headers: JSON_TYPE },
  { what: "a message among 30,000 keys", body: Buffer.from(`${crowd},"message":"m"}`), headers: JSON_TYPE },
  { what: "alerts of ?a=b", body: Buffer.from(queries), query: REWRITE, headers: JSON_TYPE },
  { what: "a form of short fields", body: Buffer.from("a=‹&".repeat(MIB / 6)), headers: FORM_TYPE },
  { what: "JSON of raw line ends", body: Buffer.from(`{"a":"${repeated("\n", 99)}`), headers: JSON_TYPE },
  {
    what: "gzip of 1 MiB of [",
    body: gzipSync(repeated("[")),
    query: REWRITE,
    headers: { ...JSON_TYPE, "content-encoding": "gzip" },
  },
];

export const stalling: Benchmark = async (bench) => {
  const rows: Row[] = [];
  for (const attack of bench.isQuick ? ATTACKS.slice(0, 2) : ATTACKS) {
    await using peal = await startPeal(bench.program, { env: { PEAL_LIMITS_PUBLISH: "20/s:200" } });
    await peal.publish("bystander", "first");
    const alone = await bystander(peal, Bun.sleep(1_000));
    const beside = await bystander(peal, flood(bench, peal, attack));
    rows.push(
      ...(["p99", "max"] as const).map((figure) => ({
        what: `bystander's ${figure === "max" ? "worst" : figure}, 6 connections of ${attack.what}`,
        ...{ unit: "ms", peal: beside[figure], beside: [{ what: "alone", value: alone[figure] }] },
        ...(figure === "p99" && { target: `≤ ${P99_MS} ms` }),
      })),
    );
  }
  return rows;
};

async function flood({ seconds }: Bench, peal: Peal, { body, query = "", headers }: Attack): Promise<void> {
  const key = await publishKey(peal);
  const { host, port } = new URL(peal.url);
  const lines = Object.entries({ host, authorization: `Bearer ${key}`, ...headers }).map((pair) => pair.join(": "));
  const head = [`POST /home/attacked${query} HTTP/1.1`, ...lines];
  await flooded({ port: Number(port), head, connections: CONNECTIONS, seconds }, body);
}

async function publishKey({ url, key }: Peal): Promise<string> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const response = await fetch(`${url}/v1/keys`, { method: "POST", headers, body: '{"scope":"publish"}' });
  return ((await response.json()) as { key: string }).key;
}
