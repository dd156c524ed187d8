/** How long after the answer to a publish its card appears in an open page: a feed, and the overview. */
import type { Browser } from "playwright-core";
import { cookiesOf, launch } from "../pages/browser.ts";
import { eventually } from "../support/eventually.ts";
import type { Benchmark, Row } from "./bench.ts";
import { onAllCores } from "./machine.ts";
import { ADMIN, signIn } from "./pages.ts";
import { percentiles } from "./percentiles.ts";
import { type Peal, type Program, startPeal } from "./servers.ts";

/** Different texts, so that they are not folded into one line. */
const TEXTS = ["Backup finished", "Disk nearly full", "Front door opened", "Certificate renewed", "Update installed"];
/** Makes the page note when each message first appears: wall clock, ms. */
const WATCH = `{
  globalThis.seenAt = {};
  new MutationObserver(() => {
    const now = performance.timeOrigin + performance.now();
    for (const [, id] of document.body.textContent.matchAll(/live-(\\d+)\\./g)) seenAt[id] ??= now;
  }).observe(document.body, { childList: true, subtree: true });
}`;

interface Load {
  perSecond: number;
  messages: number;
}

export const watchingLive: Benchmark = async ({ program, older, isQuick }) => {
  await using browser = await onAllCores(async () => launch());
  const loads: Load[] = [
    { perSecond: 1, messages: isQuick ? 5 : 40 },
    { perSecond: 10, messages: isQuick ? 20 : 150 },
  ];
  const rows: Row[] = [];
  for (const page of ["feed", "overview"] as const)
    for (const load of loads) {
      const target = load.perSecond === 1 ? { target: "≤ 150 ms" } : {};
      const before = older && (await latencies(browser, older, page, load));
      const now = await latencies(browser, program, page, load);
      const what = `${page}, ${load.perSecond} message(s) a second, from the answer to the card`;
      const row = (name: string, at: "p50" | "p99" | "perMessage", unit: string): Row => ({
        what: `${what}, ${name}`,
        unit,
        peal: now[at],
        ...(before && { beside: [{ what: "before", value: before[at] }] }),
        ...(unit === "ms" && target),
      });
      rows.push(row("median", "p50", "ms"), row("p99", "p99", "ms"), row("requests a message", "perMessage", ""));
    }
  return rows;
};

/** Percentiles of the latency in milliseconds, and how many requests the page made per message. */
async function latencies(browser: Browser, program: Program, page: "feed" | "overview", load: Load) {
  await using peal = await startPeal(program, { env: ADMIN });
  const key = await peal.topic("live");
  for (let n = 0; n < 60; n++) await peal.publish("live", `${TEXTS[n % TEXTS.length] ?? ""}, before`);
  await using context = await browser.newContext();
  await context.addCookies(cookiesOf({ cookie: await signIn(peal.url), url: peal.url }));
  const opened = await context.newPage();
  await opened.goto(peal.url + (page === "feed" ? `/home/live/${key}` : "/-/"));
  await opened
    .locator("[data-connection]")
    .and(opened.getByText("Live", { exact: true }))
    .waitFor({ state: "attached" });
  await opened.evaluate(WATCH);
  const seen = async () => opened.evaluate<Record<string, number>>("seenAt");
  await warmed(peal, seen);
  let asked = 0;
  opened.on("request", () => asked++);
  const answeredAt = await publishAll(peal, load);
  const last = answeredAt.length - 1;
  await eventually("the last card", async () => last in (await seen()));
  const seenAt = await seen();
  const took = answeredAt.map((at, n) => (seenAt[n] ?? Infinity) - at);
  return { ...percentiles(took), perMessage: asked / load.messages };
}

/** Publishes the first messages, for which the server and the page compile their code, and then waits until all is quiet. */
async function warmed(peal: Peal, seen: () => Promise<Record<string, number>>): Promise<void> {
  for (let n = 9_000; n < 9_010; n++) {
    await peal.publish("live", textOf(n));
    await eventually("a card", async () => n in (await seen()));
  }
  await Bun.sleep(3_000);
}

/** Resolves to when each publish was answered: wall clock, ms. */
async function publishAll(peal: Peal, { perSecond, messages }: Load): Promise<number[]> {
  const answeredAt: number[] = [];
  const startedAt = performance.now();
  for (let n = 0; n < messages; n++) {
    await Bun.sleep(Math.max(0, startedAt + (n * 1_000) / perSecond - performance.now()));
    await peal.publish("live", textOf(n));
    answeredAt.push(performance.timeOrigin + performance.now());
  }
  return answeredAt;
}

const textOf = (n: number): string => `${TEXTS[n % TEXTS.length] ?? ""}, live-${n}.`;
