/** How soon a feed that was never opened before shows something, on a slow phone far from the next mast. */
import type { Benchmark, Row } from "./bench.ts";
import { launch } from "../pages/browser.ts";
import { onAllCores } from "./machine.ts";
import { percentiles } from "./percentiles.ts";
import { startPeal } from "./servers.ts";

const MESSAGES = 60;
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 3, isMobile: true, hasTouch: true };
const CPU_SLOWDOWN = 6;
/** "Slow 4G": 150 ms and 1.6 MBit/s of the line itself. */
const LATENCY_MS = 150;
const SLOW_4G = {
  offline: false,
  downloadThroughput: (1.6 * 1024 * 1024 * 0.9) / 8,
  uploadThroughput: (750 * 1024 * 0.9) / 8,
};
/** What a request waits on it; DevTools and Lighthouse, which know requests alone, count round trips of connections in. */
const WAITS = [
  { waits: `${LATENCY_MS} ms a request`, latency: LATENCY_MS },
  { waits: "DevTools' preset, 562 ms a request", latency: LATENCY_MS * 3.75 },
];
const FIRST_PAINT = `new Promise((resolve) => {
  new PerformanceObserver((list) => {
    for (const { name, startTime } of list.getEntries()) if (name === "first-contentful-paint") resolve(startTime);
  }).observe({ type: "paint", buffered: true });
})`;

export const painting: Benchmark = async ({ program, isQuick }) => {
  await using peal = await startPeal(program);
  const key = await peal.topic("nas");
  const text = "processed 318712 files, 1.204 TiB in 11:58\nsnapshot 9c04e7aa saved";
  for (let n = 0; n < MESSAGES; n++) await peal.publish("nas", `${text}, ${n}`);
  const url = `${peal.url}/home/nas/${key}`;
  const headers = { accept: "text/html" };
  for (let n = 0; n < 50; n++) await (await fetch(url, { headers })).text(); // the first ones compile the code
  await using browser = await onAllCores(launch);
  const rows: Row[] = [];
  for (const { waits, latency } of WAITS) {
    const took: number[] = [];
    for (let n = 0; n < (isQuick ? 3 : 15); n++) {
      await using context = await browser.newContext(PHONE); // nothing of an earlier visit is kept
      const page = await context.newPage();
      const devtools = await context.newCDPSession(page);
      await devtools.send("Network.enable");
      await devtools.send("Network.emulateNetworkConditions", { ...SLOW_4G, latency });
      await devtools.send("Emulation.setCPUThrottlingRate", { rate: CPU_SLOWDOWN });
      await page.goto(url); // asked while it loads, the question would be counted in
      took.push(await page.evaluate<number>(FIRST_PAINT));
    }
    const { p50, max } = percentiles(took);
    const what = `feed of ${MESSAGES} messages, first contentful paint, CPU ${CPU_SLOWDOWN}× slower, slow 4G, ${waits}`;
    rows.push(
      { what: `${what}, median`, unit: "ms", peal: p50, target: "≤ 1,500 ms" },
      { what: `${what}, worst of ${took.length}`, unit: "ms", peal: max },
    );
  }
  return rows;
};
