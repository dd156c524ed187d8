/** What somebody else notices while others send what is much work. */
import { join } from "node:path";
import { freshDirectory, onCore } from "../machine.ts";
import { percentiles, type Percentiles } from "../percentiles.ts";
import type { Peal } from "../servers.ts";
import type { Flood } from "./flood.ts";

/** A second, each way. */
const RATE = 20;

/** Asks for its health and publishes, at a steady rate whatever becomes of the requests before, while `work` lasts. */
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

/** Runs `flood.ts` to its end; how often each status came. */
export async function flooded(flood: Omit<Flood, "body">, body: Uint8Array): Promise<Record<string, number>> {
  const file = join(freshDirectory(), "body");
  await Bun.write(file, body);
  // it is to take no time from who measures on the same core
  const command = ["nice", "-n", "19", process.execPath, join(import.meta.dir, "flood.ts")];
  const child = Bun.spawn(onCore(1, [...command, JSON.stringify({ ...flood, body: file })]), {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const statuses = await child.stdout.text();
  if ((await child.exited) !== 0 || statuses === "{}")
    throw new Error(`no request of the attack was answered: ${statuses}`);
  return JSON.parse(statuses) as Record<string, number>;
}
