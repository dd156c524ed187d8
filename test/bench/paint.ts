/** How soon a feed that is opened for the first time shows something, on a slow phone with a weak signal. */
import type { Browser } from "playwright-core";
import type { Benchmark, Row } from "./bench.ts";
import { launch } from "../pages/browser.ts";
import { authority } from "../support/push/ca.ts";
import { slowLine } from "./line.ts";
import { onAllCores } from "./machine.ts";
import { percentiles } from "./percentiles.ts";
import { startPeal } from "./servers.ts";

const MESSAGES = 60;
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 3, isMobile: true, hasTouch: true };
const CPU_SLOWDOWN = 6;
/** "Slow 4G" of Lighthouse and DevTools: 1.6 MBit/s down, 750 kBit/s up, of which they allow a tenth for headers. */
const SLOW_4G = { roundTripMs: 150, down: (1.6 * 1024 * 1024 * 0.9) / 8, up: (750 * 1024 * 0.9) / 8 };
/** DevTools has no notion of round trips: it delays each request by 3.75 of them, as if each had its own connection. */
const PRESET = {
  offline: false,
  latency: SLOW_4G.roundTripMs * 3.75,
  downloadThroughput: SLOW_4G.down,
  uploadThroughput: SLOW_4G.up,
};
const FIRST_PAINT = `new Promise((resolve) => {
  new PerformanceObserver((list) => {
    for (const { name, startTime } of list.getEntries()) if (name === "first-contentful-paint") resolve(startTime);
  }).observe({ type: "paint", buffered: true });
})`;

export const painting: Benchmark = async ({ program, isQuick }) => {
  await using peal = await startPeal(program);
  const path = `/home/nas/${await peal.topic("nas")}`;
  const text = "processed 318712 files, 1.204 TiB in 11:58\nsnapshot 9c04e7aa saved";
  for (let n = 0; n < MESSAGES; n++) await peal.publish("nas", `${text}, ${n}`);
  const headers = { accept: "text/html" };
  for (let n = 0; n < 50; n++) await (await fetch(peal.url + path, { headers })).text(); // the first ones compile the code
  await using secured = withTls(peal.url);
  using plainLine = await slowLine(Number(new URL(peal.url).port), SLOW_4G);
  using securedLine = await slowLine(secured.port, SLOW_4G);
  await using browser = await onAllCores(async () => launch("--ignore-certificate-errors"));
  const rounds = isQuick ? 3 : 15;
  const rows: Row[] = [];
  for (const { over, origin, isPreset } of [
    { over: "http", origin: `http://localhost:${plainLine.port}` },
    { over: "https", origin: `https://localhost:${securedLine.port}` },
    { over: "DevTools' preset", origin: peal.url, isPreset: true },
  ]) {
    const took: number[] = [];
    for (let n = 0; n < rounds; n++) took.push(await firstPaint(browser, origin + path, isPreset));
    const { p50, max } = percentiles(took);
    const what = `feed of ${MESSAGES} messages, first contentful paint, CPU ${CPU_SLOWDOWN}× slower, slow 4G, ${over}`;
    rows.push(
      { what: `${what}, median`, unit: "ms", peal: p50, target: "≤ 1,500 ms" },
      { what: `${what}, worst of ${rounds}`, unit: "ms", peal: max },
    );
  }
  return rows;
};

/** What a reverse proxy adds: one more round trip before a connection is open. */
function withTls(url: string) {
  const server = Bun.serve({
    ...{ hostname: "127.0.0.1", port: 0, tls: authority.issue() },
    fetch: async ({ url: asked, headers }) => {
      const { pathname, search } = new URL(asked);
      return fetch(url + pathname + search, { headers, decompress: false });
    },
  });
  return { port: server.port ?? 0, [Symbol.asyncDispose]: async () => server.stop(true) };
}

/** Milliseconds until the first paint, in a browser context that keeps nothing from earlier visits. */
async function firstPaint(browser: Browser, url: string, isPreset = false): Promise<number> {
  await using context = await browser.newContext(PHONE);
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send("Network.enable");
  if (isPreset) await devtools.send("Network.emulateNetworkConditions", PRESET);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: CPU_SLOWDOWN });
  await page.goto(url); // asking while the page loads would count the question too
  return await page.evaluate<number>(FIRST_PAINT);
}
