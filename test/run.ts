/**
 * `npm test`: all tests on the compiled binary, or those that the arguments select (they are passed to `bun test`:
 * paths, `-t name`). Tests that need a missing tool are skipped; a line at the end names the tool. `npm run lint`: all
 * gates.
 * The last line is `<n> passed, <n> failed`, of tests or of gates; the exit code agrees.
 */
import { chmodSync, existsSync, mkdtempSync, readFileSync, statfsSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { FAKETIME, isMissing, mayBeMissing, toldMissing, type ToolName } from "./tools.ts";

const ROOT = join(import.meta.dir, "..");
const BINARY = join(ROOT, "dist/peal");
/** Long tests, which use the disk. */
const IS_THOROUGH = process.env["PEAL_TEST_ROUNDS"] !== undefined;
/** Parallel test files: many of them mostly wait for servers and browsers. */
const AT_ONCE = IS_THOROUGH ? Math.min(cpus().length + 2, 4) : Math.min(cpus().length + 4, 6);
const words = process.argv.slice(2);

let code = 0;
let passed = 0;
let failed = 0;

async function run(command: readonly string[], env: Record<string, string> = {}): Promise<boolean> {
  const options = { cwd: ROOT, env: { ...process.env, ...env } };
  const status = await Bun.spawn([process.execPath, ...command], {
    ...options,
    stdio: ["ignore", "inherit", "inherit"],
  }).exited;
  code ||= status;
  return status === 0;
}

/** Runs a tool from node_modules with this bun, whatever node is installed; its output is printed in one piece. */
async function gate(tool: string, ...args: string[]): Promise<void> {
  const command = [process.execPath, "--bun", `node_modules/.bin/${tool}`, ...args];
  const child = Bun.spawn(command, { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] });
  const said = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  console.log(`> ${tool} ${args.join(" ")}\n${said.join("")}`.trimEnd());
  const status = await child.exited;
  code ||= status;
  if (status === 0) passed++;
  else failed++;
}

/**
 * Without a TypeScript version that it supports, dependency-cruiser passes without checking anything, so it must have
 * seen every file.
 */
async function dependencies(): Promise<void> {
  await gate("depcruise", "src");
  const command = [process.execPath, "--bun", "node_modules/.bin/depcruise", "src", "--output-type", "json"];
  const child = Bun.spawn(command, { cwd: ROOT, stdio: ["ignore", "pipe", "inherit"] });
  const { modules } = (await new Response(child.stdout).json()) as { modules: { source: string }[] };
  const seen = new Set(modules.map(({ source }) => source));
  const missed = [...new Bun.Glob("src/**/*.{ts,tsx}").scanSync(ROOT)].filter(
    (file) => !file.endsWith(".d.ts") && !seen.has(file),
  );
  if (missed.length === 0) return;
  console.log(`dependency-cruiser did not see ${missed.join(", ")}`);
  failed++;
  code ||= 1;
}

/** Caches that survive from run to run; each tool checks by itself what is still valid. */
const CACHE = join(ROOT, "node_modules/.cache");

async function gates(): Promise<void> {
  const others = async () => {
    await gate("tsc", "--noEmit", "--incremental", "--tsBuildInfoFile", `${CACHE}/tsc.json`);
    await gate("tsc", "--noEmit", "-p", "static");
    await gate("tsc", "--noEmit", "-p", "static/worker");
    await dependencies();
    await gate("prettier", "--check", "--log-level=warn", "--cache", `--cache-location=${CACHE}/prettier.json`, ".");
    await gate("knip");
  };
  // it takes as long as all others together
  await Promise.all([gate("eslint", "--max-warnings=0", "src", "test", "static"), others()]);
}

/**
 * For `PEAL_TEST_CLOCK`, a time in the zone `TZ`: starts the clock there for the tests and every process that they
 * start. Only wall clocks change: timers and durations stay real.
 */
function clockAt(time: string): Record<string, string> {
  const at = Date.parse(time);
  if (Number.isNaN(at)) throw new Error(`PEAL_TEST_CLOCK is no time such as 2027-12-31T23:58: ${time}`);
  if (isMissing("faketime")) throw new Error(`missing: ${toldMissing("faketime")}`);
  const seconds = Math.round((at - Date.now()) / 1000);
  const FAKETIME_DONT_FAKE_MONOTONIC = "1";
  return { LD_PRELOAD: FAKETIME, FAKETIME: `${seconds < 0 ? "" : "+"}${seconds}`, FAKETIME_DONT_FAKE_MONOTONIC };
}
/** Tests where the clock cannot be changed (Chromium hangs, Go asks the kernel), and one that takes long and uses no dates. */
const bySystemClock = () => [...browsing(), "test/real/alertmanager.test.ts", "test/contract/schemathesis.test.ts"];

/** Test files that start a browser. */
function browsing(): string[] {
  const imports = /^import .* from "[./]+\/(browser|subscriber)\.ts";$/m;
  const files = [...new Bun.Glob("test/pages/**/*.test.{ts,tsx}").scanSync(ROOT)];
  return files.filter((file) => imports.test(readFileSync(join(ROOT, file), "utf8")));
}

/** A file system in memory, which Linux has here. */
const MEMORY = "/dev/shm";
/** Several times what the tests use at once. */
const ENOUGH_BYTES = 2 ** 30;

/** Whether tests have room in memory, and may run there what they compile. */
function hasMemory(): boolean {
  const mounted = new RegExp(`^\\S+ ${MEMORY} tmpfs (\\S+)`, "m").exec(readFileSync("/proc/mounts", "utf8"));
  if (mounted === null || mounted[1]?.split(",").includes("noexec") === true) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= ENOUGH_BYTES;
}

/**
 * Makes the folder for all files of the tests, in memory in a short run: every commit waits for a disk. With
 * `PEAL_TEST_ROUNDS` they are on the disk, as they are for a server.
 */
function makeFolder(): string {
  const mayUseMemory = !IS_THOROUGH && process.env["TMPDIR"] === undefined;
  const folder = mkdtempSync(join(mayUseMemory && hasMemory() ? MEMORY : tmpdir(), "peal-tests-"));
  chmodSync(folder, 0o755); // some tests run commands as another user
  return folder;
}

/** Counts from junit's report; a file that cannot be loaded is in none of them, but in the exit code. */
async function tests(...args: string[]): Promise<number> {
  if (!(await run(["src/build/binary.ts"]))) return 0;
  const folder = makeFolder();
  const [report, notes] = [join(folder, "junit.xml"), join(folder, "missing")];
  const missing = new Set<ToolName>();
  const without: string[] = [];
  const clock = process.env["PEAL_TEST_CLOCK"];
  if (clock !== undefined) without.push(...bySystemClock());
  else if (isMissing("chromium") && mayBeMissing("chromium")) {
    missing.add("chromium");
    without.push(...browsing());
  }
  // long files start first, so that none is left alone at the end; `--update-timings` records again how long they take.
  // a worker keeps what it has loaded for its next file: to load it again is a fifth of the work
  const files = [`--parallel=${AT_ONCE}`, "--no-isolate", "--timings=test/timings.json"];
  const ignored = without.map((file) => `--path-ignore-patterns=${file}`);
  const options = ["--timeout=60000", ...files, ...ignored, "--reporter=junit", `--reporter-outfile=${report}`];
  await run(["test", ...options, ...args], {
    ...{ PEAL_TEST_BINARY: BINARY, PEAL_TEST_MISSING: notes, TMPDIR: folder },
    ...(clock !== undefined && clockAt(clock)),
  });
  const text = async (file: string) => ((await Bun.file(file).exists()) ? Bun.file(file).text() : "");
  const [xml, noted] = [await text(report), await text(notes)];
  // browsers that are about to end still change files there
  for (let n = 0; n < 50 && existsSync(folder); n++)
    await Bun.spawn(["rm", "-rf", folder], { stderr: "ignore" }).exited;
  for (const name of noted.trim().split("\n")) if (name !== "") missing.add(name as ToolName);
  for (const name of [...missing].toSorted()) console.log(`left out without ${toldMissing(name)}`);
  const count = (name: string) => Number(new RegExp(`<testsuites[^>]* ${name}="(\\d+)"`).exec(xml)?.[1] ?? 0);
  failed += count("failures");
  return count("tests") - count("failures") - count("skipped");
}

if (words[0] === "lint") await gates();
else {
  passed = await tests(...words);
  if (passed === 0) code ||= 1;
}
if (code !== 0 && failed === 0) failed = 1;
console.log(`${passed} passed, ${failed} failed`);
process.exit(code);
