/** How soon a feed that was never opened before shows something, on a slow phone far from the next mast. */
import type { Benchmark } from "./bench.ts";
import { launch } from "../pages/browser.ts";
import { percentiles } from "./percentiles.ts";
import { startPeal } from "./servers.ts";

const MESSAGES = 60;
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 3, isMobile: true, hasTouch: true };
const CPU_SLOWDOWN = 6;
/** "Slow 4G" as DevTools and Lighthouse apply it to each request: 150 ms and 1.6 MBit/s of the line itself. */
const SLOW_4G = {
  offline: false,
  latency: 150 * 3.75,
  downloadThroughput: (1.6 * 1024 * 1024 * 0.9) / 8,
  uploadThroughput: (750 * 1024 * 0.9) / 8,
};
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
  for (let n = 0; n < 50; n++) await (await fetch(url)).text(); // the first ones compile the code
  await using browser = await launch();
  const took: number[] = [];
  for (let n = 0; n < (isQuick ? 3 : 15); n++) {
    await using context = await browser.newContext(PHONE); // nothing of an earlier visit is kept
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send("Network.enable");
    await devtools.send("Network.emulateNetworkConditions", SLOW_4G);
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: CPU_SLOWDOWN });
    await page.goto(url, { waitUntil: "commit" });
    took.push(await page.evaluate<number>(FIRST_PAINT));
  }
  const { p50, max } = percentiles(took);
  const what = `feed of ${MESSAGES} messages, first contentful paint, CPU ${CPU_SLOWDOWN}× slower, slow 4G`;
  return [
    { what: `${what}, median`, unit: "ms", peal: p50, target: "≤ 1,500 ms" },
    { what: `${what}, worst of ${took.length}`, unit: "ms", peal: max },
  ];
};
