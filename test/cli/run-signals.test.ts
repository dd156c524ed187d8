/** `peal run`: signals reach the job exactly as they would without it, each one once. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { newCheck, type TestCheck } from "../support/checks.ts";
import { eventually } from "../support/eventually.ts";
import { startPeal, type Peal } from "../support/server.ts";
import { childrenOf, pingsOf, runAlone, runOnTerminal, said, type Running } from "./run.ts";

let peal: Peal;
beforeAll(async () => (peal = await startPeal()));
afterAll(async () => peal[Symbol.asyncDispose]());

const checked = ({ ping_url }: TestCheck, script: string): string[] => ["--check", ping_url, "--", "sh", "-c", script];

/** A job that prints each signal that it gets, until it reads a line. */
const LISTENING = `for s in HUP INT QUIT TERM USR1 USR2; do trap "echo got $s" $s; done; echo ready
until read line; do :; done; echo end; exit 9`;
/** The same job without input; another signal ends it. */
const WAITING = `for s in HUP INT QUIT TERM USR2; do trap "echo got $s" $s; done; trap "echo end; exit 9" USR1; echo ready
while :; do sleep 0.02; done`;

const SIGNALS = ["SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM", "SIGUSR1", "SIGUSR2"] as const;
const times = (job: Running, words: string): number => job.output().split(words).length - 1;

describe("without a terminal", () => {
  test("each signal reaches the job, once", async () => {
    await using job = runAlone(checked(await newCheck(peal), WAITING));
    await said(job, "ready");
    const signals = SIGNALS.filter((name) => name !== "SIGUSR1");
    for (const signal of signals) {
      process.kill(job.pid, signal);
      await said(job, `got ${signal.slice(3)}`);
    }
    process.kill(job.pid, "SIGUSR1");
    expect(await job.exited).toBe(9);
    expect(job.output()).toBe(["ready", ...signals.map((name) => `got ${name.slice(3)}`), "end", ""].join("\n"));
  });

  test.each([...SIGNALS, "SIGKILL"] as const)(
    "a job ended by %s has the exit code that a shell would give",
    async (signal) => {
      const check = await newCheck(peal);
      await using job = runAlone(checked(check, "echo ready; exec sleep 600"));
      await said(job, "ready");
      if (signal === "SIGKILL") for (const pid of childrenOf(job.pid)) process.kill(pid, signal);
      else process.kill(job.pid, signal);
      const code = 128 + constants.signals[signal];
      expect(await job.exited).toBe(code);
      expect(job.errors()).toBe("");
      expect((await pingsOf(peal, check.id)).at(-1)).toMatchObject({ kind: "fail", exit: code });
    },
  );

  test("a signal reaches every process of the job", async () => {
    const heard = join(mkdtempSync(join(tmpdir(), "peal-signals-")), "heard");
    const inner = `trap "touch ${heard}; exit" TERM; echo ready; while :; do sleep 0.02; done`;
    await using job = runAlone(checked(await newCheck(peal), `trap : TERM; sh -c '${inner}'; echo outer`));
    await said(job, "ready");
    process.kill(job.pid, "SIGTERM");
    expect(await job.exited).toBe(0);
    expect(job.output()).toBe("ready\nouter\n");
    expect(existsSync(heard)).toBe(true);
  });

  test("what the parent process ignores (nohup) the job ignores too", async () => {
    const check = await newCheck(peal);
    const job = "echo ready; grep SigIgn /proc/self/status; while :; do sleep 0.02; done";
    await using run = runAlone(checked(check, job), ["sh", "-c", 'trap "" HUP; exec "$@"', "sh"]);
    await said(run, "SigIgn:\t0000000000000001");
    process.kill(run.pid, "SIGHUP");
    process.kill(run.pid, "SIGTERM");
    expect(await run.exited).toBe(128 + constants.signals.SIGTERM);
  });
});

describe("on a terminal", () => {
  // prettier-ignore
  const keys: [bytes: string, signal: string][] = [
    ["\x03", "INT"],  // Ctrl-C
    ["\x1c", "QUIT"], // Ctrl-\
  ];
  test("a key, or a signal that no key sends, reaches the job once, and the job continues to read from the terminal", async () => {
    const check = await newCheck(peal);
    await using job = runOnTerminal(checked(check, LISTENING));
    await said(job, "ready");
    for (const [bytes, signal] of keys) {
      job.type(bytes);
      await said(job, `got ${signal}`);
    }
    for (const signal of ["SIGTERM", "SIGUSR1", "SIGUSR2"] as const) {
      process.kill(job.pid, signal);
      await said(job, `got ${signal.slice(3)}`);
    }
    job.type("a line\n");
    expect(await job.exited).toBe(9);
    await said(job, "end");
    for (const signal of ["INT", "QUIT", "TERM", "USR1", "USR2"])
      expect([signal, times(job, `got ${signal}`)]).toEqual([signal, 1]);
    expect((await pingsOf(peal, check.id)).at(-1)).toMatchObject({ exit: 9 });
  });

  test("a Ctrl-C that ends the job is reported as such", async () => {
    const check = await newCheck(peal);
    await using job = runOnTerminal(checked(check, "echo ready; exec sleep 600"));
    await said(job, "ready");
    job.type("\x03");
    expect(await job.exited).toBe(130);
    expect((await pingsOf(peal, check.id)).at(-1)).toMatchObject({ kind: "fail", exit: 130 });
  });
});

describe("a signal after the end of the job", () => {
  /** A proxy that holds back each ping but the start until it is released. */
  function gateTo({ ping_url }: TestCheck) {
    const held = Promise.withResolvers<undefined>();
    let waiting = 0;
    const fetchHeld = async (request: Request) => {
      const { pathname, search } = new URL(request.url);
      const body = await request.bytes();
      if (!pathname.endsWith("/start")) {
        waiting++;
        await held.promise;
      }
      return fetch(`${ping_url}${pathname.slice(2)}${search}`, { method: "POST", body });
    };
    const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: fetchHeld });
    return {
      url: `${server.url.href}x`,
      isHeld: () => waiting > 0,
      letGo: () => {
        held.resolve(undefined);
      },
      [Symbol.asyncDispose]: async () => server.stop(true),
    };
  }

  test("gives the ping in flight time to arrive: it may be the signal that ended the job", async () => {
    const check = await newCheck(peal);
    await using gate = gateTo(check);
    await using job = runAlone(["--check", gate.url, "--", "sh", "-c", "exit 6"]);
    await eventually("the end to be told", () => gate.isHeld());
    process.kill(job.pid, "SIGTERM");
    await eventually("the signal to be heard", () => !isPending(job.pid, "SIGTERM"));
    gate.letGo();
    expect(await job.exited).toBe(6);
    expect(job.errors()).toBe("");
    expect((await pingsOf(peal, check.id)).at(-1)).toMatchObject({ kind: "fail", exit: 6 });
  });

  /** Ends a job whose server holds back its ping, and returns how long that took in ms. */
  async function ended(signals: number): Promise<number> {
    await using gate = gateTo(await newCheck(peal));
    await using job = runAlone(["--check", `${gate.url}/7d3kzzzzzzzzzzzzzzzzzzzzzz`, "--", "sh", "-c", "exit 6"]);
    await eventually("the end to be told", () => gate.isHeld());
    const before = performance.now();
    for (let n = 0; n < signals; n++) {
      process.kill(job.pid, "SIGTERM");
      await eventually("the signal to be heard", () => !isPending(job.pid, "SIGTERM"));
    }
    expect(await job.exited).toBe(6);
    expect(job.errors()).toStartWith(
      "peal run: could not report to the check that the job ended with 6: http://127.0.0.1:",
    );
    expect(job.errors()).not.toContain("7d3k");
    return performance.now() - before;
  }

  test("ends the wait for a server that is away, after 2 s in which it may come back", async () => {
    expect(await ended(1)).toBeGreaterThan(1_900);
  });

  test("ends that wait at once when it is the second", async () => {
    // even on a busy machine: a process that waits the 2 s is never faster
    await eventually("an end before them", async () => (await ended(2)) < 1_900);
  });
});

/** Whether the signal was sent to the process but not yet delivered. */
function isPending(pid: number, signal: NodeJS.Signals): boolean {
  if (!existsSync(`/proc/${pid}/status`)) return false; // an ended process will take no more signals
  const [, mask = "0"] = /^ShdPnd:\s*([0-9a-f]+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return ((BigInt(`0x${mask}`) >> BigInt(constants.signals[signal] - 1)) & 1n) === 1n;
}
