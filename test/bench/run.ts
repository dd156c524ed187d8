/**
 * `npm run bench`: runs all benchmarks, or those named (`npm run bench -- publish fanout`). Prints a table and writes
 * dist/bench.json.
 * `--source` runs the source under bun instead of dist/peal; `--quick` is a short run to see that everything works.
 * `PEAL_BENCH_BINARY=/path` measures another binary, such as an older release, with the same code. The benchmarks that
 * can (live) measure `OLDER=/path` in the same run, to compare with.
 * Nothing here fails because it is slow. `npm run bench -- soak [minutes]` is another job: see soak/soak.ts.
 */
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { attackedFeed } from "./attack/feed.ts";
import { floodedHook } from "./attack/hooks.ts";
import { attackSignIn } from "./attack/signin.ts";
import { stalling } from "./attack/stall.ts";
import { unreadAnswers } from "./attack/unread.ts";
import type { Bench, Benchmark, Row } from "./bench.ts";
import { watching } from "./checks.ts";
import { fanOut, fanOutLines } from "./fanout.ts";
import { historyPages } from "./history.ts";
import { idleProcessor } from "./idle.ts";
import { watchingLive } from "./live.ts";
import { clientName } from "./load.ts";
import { compileTools, describeMachine, hasTaskset, onOwnCore, ROOT } from "./machine.ts";
import { idleLines, idleStreams, stuckReaders } from "./memory.ts";
import { dashboard } from "./pages.ts";
import { painting } from "./paint.ts";
import { publishing } from "./publish.ts";
import { searching, slowDisk } from "./stalls.ts";
import { pushing } from "./pushes.ts";
import { soak } from "./soak/soak.ts";
import { starting } from "./start.ts";
import { uploading } from "./uploads.ts";

const BENCHMARKS = new Map<string, Benchmark>([
  ["start", starting],
  ["publish", publishing],
  ["fanout", fanOut],
  ["fanout-lines", fanOutLines],
  ["idle", idleStreams],
  ["idle-lines", idleLines],
  ["idle-cpu", idleProcessor],
  ["stuck", stuckReaders],
  ["uploads", uploading],
  ["slow-disk", slowDisk],
  ["search", searching],
  ["history", historyPages],
  ["pages", dashboard],
  ["paint", painting],
  ["live", watchingLive],
  ["checks", watching],
  ["pushes", pushing],
  ["attack-feed", attackedFeed],
  ["attack-unread", unreadAnswers],
  ["attack-stall", stalling],
  ["attack-signin", attackSignIn],
  ["attack-hooks", floodedHook],
]);
const BUILT = join(ROOT, "dist/peal");
const BINARY = process.env["PEAL_BENCH_BINARY"] ?? BUILT;
const OLDER = process.env["OLDER"];

const words = process.argv.slice(2);
const flags = new Set(words.filter((word) => word.startsWith("--")));
if (words[0] === "soak") await runSoak(words[1]);
const names = words.filter((word) => !word.startsWith("--"));
const unknown = [
  ...names.filter((name) => !BENCHMARKS.has(name)),
  ...flags.difference(new Set(["--source", "--quick"])),
];
if (unknown.length > 0) {
  console.error(`unknown: ${unknown.join(", ")}. Benchmarks: ${[...BENCHMARKS.keys()].join(", ")}; --source, --quick`);
  process.exit(64);
}

const isSource = flags.has("--source");
if (!isSource && BINARY === BUILT && !existsSync(BUILT)) await build();
onOwnCore();
const tools = compileTools();
const isQuick = flags.has("--quick");
const bench: Bench = {
  program: isSource ? [process.execPath, "src/main.ts"] : [BINARY],
  ...(OLDER !== undefined && { older: [OLDER] }),
  ...{ tools, isQuick, seconds: isQuick ? 1 : 4, rounds: isQuick ? 1 : 3 },
};

console.log(
  `server: ${isSource ? "src/main.ts" : BINARY}, client: ${clientName(tools)}, ${hasTaskset ? "a core each" : "not pinned"}\n`,
);
const results: Record<string, Row[]> = {};
for (const [name, run] of BENCHMARKS) {
  if (names.length > 0 && !names.includes(name)) continue;
  const rows = await run(bench);
  results[name] = rows;
  for (const row of rows) console.log(line(row));
}

mkdirSync(join(ROOT, "dist"), { recursive: true });
const report = {
  date: new Date().toISOString(),
  machine: describeMachine(),
  client: clientName(tools),
  isQuick,
  isSource,
  results,
};
await Bun.write(join(ROOT, "dist/bench.json"), `${JSON.stringify(report, null, 2)}\n`);
process.exit(0);

/** Ends the process: 1 if anything grew or was missing. */
async function runSoak(minutes = "60"): Promise<never> {
  if (!(Number(minutes) > 0)) {
    console.error("npm run bench -- soak [minutes] [--low] [--leak]");
    process.exit(64);
  }
  if (BINARY === BUILT && !existsSync(BUILT)) await build();
  onOwnCore();
  const isFine = await soak({
    program: [BINARY],
    minutes: Number(minutes),
    leaks: flags.has("--leak"),
    share: flags.has("--low") ? 0.2 : 1,
  });
  process.exit(isFine ? 0 : 1);
}

async function build(): Promise<void> {
  const child = Bun.spawn([process.execPath, "src/build/binary.ts"], {
    cwd: ROOT,
    stdio: ["ignore", "inherit", "inherit"],
  });
  if ((await child.exited) !== 0) process.exit(1);
}

function line({ what, unit, peal, beside = [], target }: Row): string {
  const others = beside.map(({ what, value }) => `${what} ${shown(value)}, ratio ${(peal / value).toFixed(2)}`);
  const wanted = target === undefined ? [] : [`wanted: ${target}`];
  return `${what.padEnd(70)} ${shown(peal).padStart(9)} ${unit.padEnd(4)} ${[...others, ...wanted].join("; ")}`.trimEnd();
}

function shown(value: number): string {
  if (Number.isInteger(value) || value >= 1_000) return String(Math.round(value));
  return value.toPrecision(3);
}
