/** What a bystander notices while others send requests that are expensive to handle. */
import { join } from "node:path";
import { freshDirectory, onCore } from "../machine.ts";
import { percentiles, type Percentiles } from "../percentiles.ts";
import type { Peal } from "../servers.ts";
import type { Flood } from "./flood.ts";

/** Requests a second of each kind. */
const RATE = 20;

/** Asks for /health and publishes at a steady rate while `work` lasts, without waiting for earlier requests. */
export async function bystander(peal: Peal, work: Promise<unknown>): Promise<Percentiles> {
  const took: number[] = [];
  const timed = async (ask: () => Promise<unknown>) => {
    const startedAt = performance.now();
    await ask();
    took.push(performance.now() - startedAt);
  };
  const underWay: Promise<void>[] = [];
  const timer = setInterval(() => {
    underWay.push(timed(async () => (await fetch(`${peal.url}/health`)).text()));
    underWay.push(timed(async () => peal.publish("bystander", "still here")));
  }, 1_000 / RATE);
  await work.finally(() => {
    clearInterval(timer);
  });
  await Promise.all(underWay);
  return percentiles(took);
}

/** Runs `flood.ts` to its end and returns how often each status was answered. */
export async function flooded(flood: Omit<Flood, "body">, body: Uint8Array): Promise<Record<string, number>> {
  const file = join(freshDirectory(), "body");
  await Bun.write(file, body);
  // the lowest priority, so that it takes no time from the bystander on the same core
  const command = ["nice", "-n", "19", process.execPath, join(import.meta.dir, "flood.ts")];
  const child = Bun.spawn(onCore(1, [...command, JSON.stringify({ ...flood, body: file })]), {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const statuses = await child.stdout.text();
  if ((await child.exited) !== 0 || statuses === "{}")
    throw new Error(`no request of the attack was answered: ${statuses}`);
  return JSON.parse(statuses) as Record<string, number>;
}
