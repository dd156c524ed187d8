/** One address requests a feed of the longest messages as often as it may: what readers of another topic notice. */
import type { Benchmark } from "../bench.ts";
import { processorTime } from "../machine.ts";
import { percentiles } from "../percentiles.ts";
import { startPeal } from "../servers.ts";
import { fill, reading } from "./readers.ts";

const MESSAGES = 50;
/** Inside the default burst of 200. */
const ATTACKERS = 180;
const ATTACK_MS = 5_000;
/** Longer than any reader would wait. */
const PATIENCE_MS = 60_000;
const STEP_MS = 200;
/** Below this much processor time in a step, the process counts as idle. */
const IDLE_MS = 20;

const LONG = { bytes: 32_000, link: (n: number) => `http://a.b/${n} ` };

export const attackedFeed: Benchmark = async ({ program }) => {
  const env = { PEAL_TRUSTED_PROXIES: "127.0.0.1", PEAL_LIMITS_READ: "20/s:200" };
  await using peal = await startPeal(program, { env });
  const noisy = await peal.topic("noisy");
  const calm = await peal.topic("calm");
  await fill(peal, "noisy", MESSAGES, (n) => ({ message: links(n), format: "markdown" }));
  await fill(peal, "calm", 10, (n) => ({ message: `message ${n}` }));

  const url = `${peal.url}/home/${calm}`;
  const alone = await reader(url, Date.now() + 1_000);
  const before = await processorTime(peal.pid);
  const attackers = await Promise.all(
    Array.from({ length: ATTACKERS }, async () => reading(peal, `/home/${noisy}`, "203.0.113.7")),
  );
  const during = await reader(url, Date.now() + ATTACK_MS);
  for (const socket of attackers) socket.destroy();
  const leftAt = performance.now();
  const quietAt = await quiet(peal.pid);
  const burned = (await processorTime(peal.pid)) - before;

  const what = `${ATTACKERS} GETs of a feed of ${MESSAGES} × 32 KB from one address`;
  const times = (name: "p50" | "max", label: string) => ({
    what: `${what}: reader of another topic, ${label}`,
    ...{ unit: "ms", peal: percentiles(during.took)[name] },
    beside: [{ what: "nobody attacks", value: percentiles(alone.took)[name] }],
  });
  return [
    times("p50", "p50"),
    times("max", "slowest"),
    { what: `${what}: its requests that failed`, unit: "", peal: during.failed, target: "0" },
    {
      what: `${what}: the processor goes on after they left`,
      ...{ unit: "s", peal: Math.max(0, quietAt - leftAt) / 1000, target: "≤ 1 s" },
    },
    { what: `${what}: processor time in all`, unit: "s", peal: burned / 1000 },
  ];
};

/** Markdown that consists of links only, all of them different. */
function links(n: number): string {
  let text = "";
  for (let i = 0; text.length < LONG.bytes - 64; i++) text += LONG.link(n * 10_000 + i);
  return text;
}

/** Requests the page repeatedly until `end`, as a browser does. The time of a request that failed counts as well. */
async function reader(url: string, end: number): Promise<{ took: number[]; failed: number }> {
  const took: number[] = [];
  let failed = 0;
  do {
    const startedAt = performance.now();
    const isOk = await fetch(url, {
      headers: { "x-forwarded-for": `198.51.100.${took.length % 250}`, accept: "text/html" },
      signal: AbortSignal.timeout(PATIENCE_MS),
    }).then(
      async (answer) => (await answer.text()).includes("message 9") && answer.ok,
      () => false,
    );
    if (!isOk) failed++;
    took.push(performance.now() - startedAt);
    await Bun.sleep(5);
  } while (Date.now() < end);
  return { took, failed };
}

/** Resolves to the time at which the process became idle, or gives up after `PATIENCE_MS`. */
async function quiet(pid: number): Promise<number> {
  const end = performance.now() + PATIENCE_MS;
  for (let last = await processorTime(pid); ;) {
    const startedAt = performance.now();
    await Bun.sleep(STEP_MS);
    const now = await processorTime(pid);
    if (now - last <= IDLE_MS || startedAt > end) return startedAt;
    last = now;
  }
}
