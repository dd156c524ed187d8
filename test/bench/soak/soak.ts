/**
 * `npm run bench -- soak [minutes]`: an hour of mixed load, or as long as is said, and at its end whether memory, descriptors,
 * threads, the log and the slowest answers have grown, and whether every acknowledged message was heard once and in order.
 * `--low` is a fifth of the load, for a machine that has other work. `--leak` adds readers that nobody closes, to see that a leak is found. The exit code is 1 if anything grew or was missing.
 */
import { join } from "node:path";
import type { Program } from "../servers.ts";
import { startPeal, type Peal } from "../servers.ts";
import { freshDirectory } from "../machine.ts";
import { ADMIN, signIn } from "../pages.ts";
import { median } from "../percentiles.ts";
import { eventually } from "../../support/eventually.ts";
import { cleanEnv } from "../../support/server.ts";
import { createBook, type Book } from "./book.ts";
import { mix, TOPICS } from "./mix.ts";
import { createPacer } from "./pace.ts";
import { startPhones } from "./phones.ts";
import { KINDS, type Kind, newSeries, sample, slowPublishes, type Series } from "./sampler.ts";
import { grows, settled, slopeOf } from "./slope.ts";

/** Ten seconds, or less in a short run, so that there are enough samples. */
const sampleMs = (minutes: number): number => Math.min(10_000, (minutes * 60_000) / 40);
/** How many messages a topic keeps, so that retention deletes all the time. */
const KEPT = 1_000;
export interface Soak {
  program: Program;
  minutes: number;
  leaks: boolean;
  /** By which all rates are multiplied. */
  share: number;
}

/** Prints the table. Resolves to whether all was flat and nothing missing. */
export async function soak({ program, minutes, leaks, share }: Soak): Promise<boolean> {
  await using phones = await startPhones();
  const limits = { PEAL_RETENTION_MESSAGES: String(KEPT), PEAL_LIMITS_PING: "0" };
  const env = { ...ADMIN, ...phones.env, ...limits };
  await using peal = await startPeal(program, { env, dataDir: freshDirectory() });
  const book = createBook();
  const pacer = createPacer((error) => {
    book.broken(String(error));
  });
  const cookie = await signIn(peal.url);
  const load = await mix({ peal, book, pacer, phones, cookie, leaks, share });
  const series = newSeries();
  const slow = slowPublishes(peal);
  const startedAt = performance.now();
  const seconds = () => (performance.now() - startedAt) / 1_000;
  let hasBackup = false;
  while (seconds() < minutes * 60) {
    await Bun.sleep(sampleMs(minutes));
    await sample(peal, series, seconds(), {
      ...{ publish: load.takeLatencies(), fanout: book.takeLatencies() },
      slow: await slow(),
    });
    if (hasBackup || seconds() < minutes * 30) continue;
    hasBackup = true;
    await command(program, ["backup", join(freshDirectory(), "copy.db"), "--data-dir", peal.dataDir]);
  }
  await pacer.stop();
  await eventually("all that was acknowledged to be heard", () => book.missing() === 0).catch(() => undefined);
  await readHistories(peal, book, load.topics);
  load.close();
  await command(program, ["integrity", "--data-dir", peal.dataDir]);
  const isFlat = report(series);
  console.log(
    `\n${book.count} messages acknowledged, ${book.missing()} of them not heard; ${book.cuts} streams ended by the server; ` +
      `${phones.accepted()} pushes accepted, ${phones.refused()} refused or unanswered; ${load.refused()} pages answered 429`,
  );
  for (const fault of book.faults) console.log(`broken: ${fault}`);
  return isFlat && book.missing() === 0 && book.faults.length === 0;
}

/** What is kept must be what was acknowledged, without a hole, up to the last one. */
async function readHistories(peal: Peal, book: Book, topics: ReadonlyMap<string, string>): Promise<void> {
  for (const name of TOPICS) {
    let since: number | undefined;
    for (;;) {
      const query = since === undefined ? "limit=200&since=0" : `limit=200&since=${since}`;
      const answer = await fetch(`${peal.url}/v1/home/${topics.get(name) ?? ""}/messages?${query}`);
      const page = (await answer.json()) as { messages: { id: number; message: string }[]; has_more: boolean };
      for (const { id, message } of page.messages) {
        if (since !== undefined && id !== since + 1) book.broken(`${name}: the history has ${id} after ${since}`);
        book.stored(name, id, message);
        since = id;
      }
      if (!page.has_more) break;
    }
  }
}

async function command(program: Program, args: readonly string[]): Promise<void> {
  const child = Bun.spawn([...program, ...args], { env: cleanEnv(), stdio: ["ignore", "ignore", "inherit"] });
  if ((await child.exited) !== 0) throw new Error(`peal ${args[0] ?? ""} failed`);
}

/** Prints a line for each kind. Returns whether none of those with a limit grew. */
function report(series: Series): boolean {
  let isFlat = true;
  for (const kind of Object.keys(KINDS) as Kind[]) {
    const { what, unit, ...limit } = KINDS[kind];
    const samples = settled(series[kind]);
    if (samples.length === 0) continue;
    const values = samples.map(({ value }) => value);
    const { slope, low, high } = slopeOf(samples);
    const perHour = (perSecond: number) => (perSecond * 3_600).toFixed(2);
    const isGrowing = "allowed" in limit && grows(samples, limit.allowed);
    if (isGrowing) isFlat = false;
    const verdict = "allowed" in limit ? (isGrowing ? "GROWS" : "flat") : "";
    console.log(
      `${what.padEnd(20)} median ${median(values).toFixed(2).padStart(8)}, most ${Math.max(...values)
        .toFixed(2)
        .padStart(
          8,
        )} ${unit.padEnd(2)}  an hour ${perHour(slope).padStart(9)} (${perHour(low)} … ${perHour(high)})  ${verdict}`.trimEnd(),
    );
  }
  return isFlat;
}
