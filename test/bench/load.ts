/** Runs the load: `ssebench` where it could be compiled, else `client.ts`, which measures the same in TypeScript. */
import { join } from "node:path";
import { onCore, type Tools } from "./machine.ts";
import type { Percentiles as AllPercentiles } from "./percentiles.ts";

/** What the client does; it skips what is absent. */
export interface Load {
  /** URL of the event stream that each reader opens. */
  sse?: string;
  /** The stream is one of ntfy's: a line of JSON for each message. */
  isLines?: boolean;
  readers?: number;
  publish: string;
  headers?: Record<string, string>;
  /** Keep-alive connections that publish, each with one request in flight. */
  writers?: number;
  messages?: number;
  seconds?: number;
  /** 1: the next message is sent when the last reader has the one before. */
  window?: number;
  warmup?: number;
  /** Bytes of text in a message. */
  size?: number;
}

/** A load that only the C client can run. */
export interface SpecialLoad extends Load {
  /** A file with one name per line; the names replace `{T}` in the URL in turn. */
  names?: { file: string; count: number };
  /** The body to send instead of a message. */
  body?: string;
  /** The most requests a second. */
  rate?: number;
  /** Path of a file that gets a line for each answer; see `readAcks`. */
  ackLog?: string;
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
export async function load(tools: Tools, wanted: SpecialLoad): Promise<Measured>;
export async function load(tools: Tools | undefined, wanted: Load): Promise<Measured>;
export async function load(tools: Tools | undefined, wanted: SpecialLoad): Promise<Measured> {
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
  isLines = false,
  readers = 0,
  publish,
  headers = {},
  writers = 1,
  messages,
  seconds,
  window,
  warmup,
  size = 200,
  names,
  body,
  rate,
  ackLog,
}: SpecialLoad) {
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
    ["--topic-file", names?.file],
    ["--topics", names?.count],
    ["--body", body],
    ["--rate", rate],
    ["--ack-log", ackLog],
  ];
  return [
    ...(isLines ? ["--lines"] : []),
    ...given.flatMap(([name, value]) => (value === undefined ? [] : [name, String(value)])),
    ...Object.entries(headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`]),
  ];
}

/** An answered publish. */
export interface Ack {
  /** Wall clock, epoch ms. */
  at: number;
  ms: number;
}

export async function readAcks(ackLog: string): Promise<Ack[]> {
  const lines = (await Bun.file(ackLog).text()).trim().split("\n");
  return lines.map((line) => {
    const [, , sent = 0, acked = 0, at = 0] = line.split("\t").map(Number);
    return { at, ms: (acked - sent) / 1e6 };
  });
}
