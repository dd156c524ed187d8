/** No 2xx is sent before its message is synced: a kill cannot show that, a slowed-down disk can (ARCHITECTURE.md §2.1). */
import { dlopen, FFIType, ptr } from "bun:ffi";
import { afterAll, expect } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPeal, type Peal } from "../support/server.ts";
import { testWith } from "../support/tools.ts";

const DELAY_US = 20_000;
const folder = mkdtempSync(join(tmpdir(), "peal-slowsync-"));
const library = join(folder, "slowsync.so");
const log = join(folder, "syncs");
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const cc = Bun.which("cc");
if (cc !== null) {
  const source = join(import.meta.dir, "../support/slowsync.c");
  const built = Bun.spawnSync([cc, "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"]);
  if (!built.success) throw new Error(built.stderr.toString());
}

/** CLOCK_MONOTONIC in ns, the clock that the preloaded library logs. */
function machineClock(): () => bigint {
  const { symbols } = dlopen("libc.so.6", {
    clock_gettime: { args: [FFIType.i32, FFIType.ptr], returns: FFIType.i32 },
  });
  const time = new BigInt64Array(2);
  return () => {
    symbols.clock_gettime(1, ptr(time));
    const [seconds = 0n, nanoseconds = 0n] = time;
    return seconds * 1_000_000_000n + nanoseconds;
  };
}

interface Span {
  begin: bigint;
  end: bigint;
}
const syncs = (): Span[] =>
  readFileSync(log, "utf8")
    .trim()
    .split("\n")
    .map((line) => {
      const [begin = "", end = ""] = line.split(" ");
      return { begin: BigInt(begin), end: BigInt(end) };
    });

/** Returns the span from before the request until its 201 was read. */
async function publish(peal: Peal, now: () => bigint, text: string): Promise<Span> {
  const begin = now();
  const response = await peal.api("POST", "/home/synced", text);
  const end = now();
  expect(response.status).toBe(201);
  return { begin, end };
}

/** Answers during which no sync both began and ended: they were sent before their message was on disk. */
const unsynced = (answers: readonly Span[]): Span[] => {
  const done = syncs();
  return answers.filter((answer) => !done.some((sync) => answer.begin < sync.begin && sync.end < answer.end));
};

testWith("cc")("every 201 comes after a sync that began after its request", async () => {
  const now = machineClock();
  await using peal = await startPeal({
    env: { LD_PRELOAD: library, SLOWSYNC_US: String(DELAY_US), SLOWSYNC_LOG: log },
  });
  const alone: Span[] = [];
  for (let n = 0; n < 10; n++) alone.push(await publish(peal, now, `alone ${n}`));
  expect(unsynced(alone)).toEqual([]);

  const writers = Array.from({ length: 16 }, async (_, writer) => {
    const answers: Span[] = [];
    for (let n = 0; n < 10; n++) answers.push(await publish(peal, now, `${writer}.${n}`));
    return answers;
  });
  expect(unsynced((await Promise.all(writers)).flat())).toEqual([]);
});
