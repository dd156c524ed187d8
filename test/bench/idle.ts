/** What a household's server costs while nothing happens: 25 checks that are watched, three devices. */
import { readdirSync, readFileSync } from "node:fs";
import { NEW_DEVICES } from "../support/devices.ts";
import type { Benchmark } from "./bench.ts";
import { freePort, onCore, processorTime } from "./machine.ts";
import { type Peal, startPeal } from "./servers.ts";

const CHECKS = 25;
/** Longer than the minute after a start in which the server looks more often. */
const SETTLE_MS = 70_000;
const BARE = `Bun.serve({ hostname: "127.0.0.1", port: Number(process.argv.at(-1)), fetch: () => new Response("") });`;

export const idleProcessor: Benchmark = async ({ program, isQuick }) => {
  await using peal = await startPeal(program);
  await furnish(peal);
  await using bare = await bareServer();
  await Bun.sleep(isQuick ? 1_000 : SETTLE_MS);
  const [ours, runtime] = await Promise.all([peal.pid, bare.pid].map(async (pid) => atRest(pid, isQuick ? 5 : 180)));
  const row = (what: string, unit: string, figure: "share" | "wakeUps", target: string) => ({
    ...{ what: `idle with ${CHECKS} checks and ${NEW_DEVICES.length} devices: ${what}`, unit, target },
    peal: ours?.[figure] ?? NaN,
    beside: [{ what: "a bare Bun.serve", value: runtime?.[figure] ?? NaN }],
  });
  return [
    row("share of a core", "%", "share", "≤ 0.2 %"),
    row("wake-ups of all threads", "1/s", "wakeUps", "≤ 5 a second"),
  ];
};

/** Makes checks that were all pinged, none of them due in the next minutes, and a device of each platform. */
async function furnish(peal: Peal): Promise<void> {
  const send = async <T>(path: string, body?: object): Promise<T> => {
    const headers = { authorization: `Bearer ${peal.key}`, "content-type": "application/json" };
    const init = { method: "POST", headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const response = await fetch(new URL(path, peal.url), init);
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json().catch(() => ({}))) as T;
  };
  for (let n = 0; n < CHECKS; n++) {
    const { ping_url } = await send<{ ping_url: string }>("/v1/home/checks", { name: `job ${n}`, every: `${n + 1}h` });
    await send(ping_url);
  }
  const topic = await peal.topic("nas");
  for (const device of NEW_DEVICES) await send("/v1/devices", { ...device(), topics: [{ namespace: "home", topic }] });
}

async function bareServer(): Promise<AsyncDisposable & { pid: number }> {
  const command = [process.execPath, "-e", BARE, String(await freePort())];
  const child = Bun.spawn(onCore(0, command), { stdio: ["ignore", "ignore", "inherit"] });
  return {
    pid: child.pid,
    [Symbol.asyncDispose]: async () => {
      child.kill();
      await child.exited;
    },
  };
}

/** Percent of a core, and how many times a second its threads were woken. */
async function atRest(pid: number, seconds: number): Promise<{ share: number; wakeUps: number }> {
  const [time, switches, startedAt] = [await processorTime(pid), wakeUpsOf(pid), performance.now()];
  await Bun.sleep(seconds * 1_000);
  const passed = performance.now() - startedAt;
  return {
    share: (100 * ((await processorTime(pid)) - time)) / passed,
    wakeUps: (1_000 * (wakeUpsOf(pid) - switches)) / passed,
  };
}

/** How often all threads together have given up their core to wait, and so were woken again. */
function wakeUpsOf(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const voluntary = (thread: string) =>
    Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/task/${thread}/status`, "utf8"))?.[1]);
  return threads.reduce((sum, thread) => sum + voluntary(thread), 0);
}
