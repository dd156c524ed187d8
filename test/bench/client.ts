/** The load client for machines without a C compiler: `bun client.ts '<Load as JSON>'` prints a `Measured`. */
import type { Load, Measured } from "./load.ts";
import { percentiles } from "./percentiles.ts";
import { openStreams } from "./streams.ts";

const wanted = JSON.parse(process.argv[2] ?? "{}") as Load;
const {
  sse,
  readers = 0,
  publish,
  headers = {},
  writers = 1,
  seconds = Infinity,
  window = Infinity,
  warmup = 0,
} = wanted;
const messages = wanted.messages ?? Infinity;
const padding = "x".repeat(wanted.size ?? 200);

/** A published message, by its sequence number. */
interface Sent {
  at: number;
  first: number;
  last: number;
  received: number;
}
const sent: Sent[] = [];
const acks: number[] = [];
const unfinished = new Map<number, string>();
let failed = 0;
let complete = 0;
let wake = (): void => undefined;

function take(chunk: string, reader: number): void {
  const now = performance.now();
  const text = (unfinished.get(reader) ?? "") + chunk;
  const end = text.lastIndexOf("\n") + 1; // the number is in a line, whatever the stream is made of
  unfinished.set(reader, text.slice(end));
  for (const [, seq] of text.slice(0, end).matchAll(/ZQ(\d+)Q/g)) {
    const message = sent[Number(seq)];
    if (message === undefined) continue;
    if (message.received++ === 0) message.first = now;
    message.last = now;
    if (message.received === readers) complete++;
  }
  wake();
}

async function write(until: number): Promise<void> {
  while (performance.now() < until && sent.length < messages) {
    if (readers > 0 && sent.length - complete >= window) {
      await new Promise<void>((resolve) => (wake = resolve));
      continue;
    }
    const message = { at: performance.now(), first: 0, last: 0, received: 0 };
    const body = JSON.stringify({ message: `ZQ${sent.push(message) - 1}Q${padding}`, title: "bench", level: "info" });
    const response = await fetch(publish, { method: "POST", headers, body });
    await response.text();
    if (!response.ok) failed++;
    acks.push(performance.now() - message.at);
  }
}

const streams = sse === undefined ? undefined : await openStreams(sse, readers, take);
const startedAt = performance.now();
await Promise.all(Array.from({ length: writers }, async () => write(startedAt + seconds * 1000)));
const tookMs = performance.now() - startedAt;
const lastByte = performance.now() + 5_000;
while (readers > 0 && complete < sent.length && performance.now() < lastByte) await Bun.sleep(5);

const timed = sent.slice(warmup).filter(({ received }) => received > 0);
const measured: Measured = {
  acks_per_s: (acks.length / tookMs) * 1000,
  failed,
  ack_ms: percentiles(acks),
  open: streams?.open ?? 0,
  missing_acked: sent.reduce((missing, { received }) => missing + readers - received, 0),
  ...(timed.length > 0 && {
    first_subscriber_ms: percentiles(timed.map(({ at, first }) => first - at)),
    last_subscriber_ms: percentiles(timed.map(({ at, last }) => last - at)),
  }),
};
console.log(JSON.stringify(measured));
streams?.close();
process.exit(0);
