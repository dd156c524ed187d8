/** The load: `ssebench` where it could be compiled, else `client.ts`, which measures the same in TypeScript. */
import { join } from "node:path";
import { onCore, type Tools } from "./machine.ts";
import type { Percentiles as AllPercentiles } from "./percentiles.ts";

/** What to do; absent parts are left out. */
export interface Load {
  /** Streams to open, and their URL. */
  sse?: string;
  readers?: number;
  publish: string;
  headers?: Record<string, string>;
  /** Keep-alive connections that publish, one request in flight on each. */
  writers?: number;
  messages?: number;
  seconds?: number;
  /** 1: the next message when the last reader has the one before. */
  window?: number;
  warmup?: number;
  /** Bytes of the message's text. */
  size?: number;
}

type Percentiles = Pick<AllPercentiles, "p50" | "p99">;
export interface Measured {
  acks_per_s: number;
  failed: number;
  ack_ms: Percentiles;
  open: number;
  missing_acked: number;
  first_subscriber_ms?: Percentiles;
  last_subscriber_ms?: Percentiles;
}

export const clientName = (tools: Tools | undefined): string =>
  tools === undefined ? "client.ts (TypeScript)" : "ssebench (C)";

/** @throws Error when not all streams opened or a publish failed */
export async function load(tools: Tools | undefined, wanted: Load): Promise<Measured> {
  const command =
    tools === undefined
      ? [process.execPath, join(import.meta.dir, "client.ts"), JSON.stringify(wanted)]
      : [tools.ssebench, ...options(wanted)];
  const child = Bun.spawn(onCore(1, command), { stdio: ["ignore", "pipe", "pipe"] });
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (code !== 0) throw new Error(`the client failed: ${stderr}${stdout}`);
  const measured = JSON.parse(stdout) as Measured;
  if (measured.failed > 0) throw new Error(`${measured.failed} publishes failed: ${stdout}`);
  return measured;
}

function options({
  sse,
  readers = 0,
  publish,
  headers = {},
  writers = 1,
  messages,
  seconds,
  window,
  warmup,
  size = 200,
}: Load) {
  const given: [string, string | number | undefined][] = [
    ["--sse", sse],
    ["-n", readers],
    ["--publish", publish],
    ["-p", writers],
    ["-m", messages],
    ["--duration", seconds],
    ["--window", window],
    ["--warmup", warmup],
    ["--size", size],
  ];
  return [
    ...given.flatMap(([name, value]) => (value === undefined ? [] : [name, String(value)])),
    ...Object.entries(headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`]),
  ];
}
