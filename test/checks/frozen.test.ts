/**
 * A server that is stopped and continues, as by `docker pause` or in a suspended VM, blames no check for pings that it
 * could not receive.
 */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { alertsOf, checkOf, newCheck } from "../support/checks.ts";
import { eventually } from "../support/eventually.ts";
import { metric } from "../support/metric.ts";
import { startPeal } from "../support/server.ts";

/** A run's limit is the shortest time in which a check that was up goes down; this one passes while the server is stopped. */
const MAX_RUN_S = 2;
/** A tick that is more than 5 s late is not explained by load (src/checks/alerts/gap.ts). */
const FROZEN_MS = MAX_RUN_S * 1_000 + 5_500;

/** Whether all threads are stopped: state `T` (proc_pid_stat(5)). */
const isStopped = (pid: number): boolean => readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.[0] === "T";

test("a run that should have ended while the server was frozen raises no alarm, and may end after it", async () => {
  await using peal = await startPeal();
  const job = await newCheck(peal, { max_run: MAX_RUN_S });
  const ping = async (suffix: string) => (await peal.request(new URL(job.ping_url).pathname + suffix)).status;
  expect(await ping("/start")).toBe(200);

  process.kill(peal.pid, "SIGSTOP");
  await eventually("the server to be stopped", () => isStopped(peal.pid));
  const stoppedAt = performance.now();
  await eventually("the deadline to be long past", () => performance.now() - stoppedAt > FROZEN_MS);
  process.kill(peal.pid, "SIGCONT");
  await eventually("its first tick", async () => (await metric(peal, "peal_alerter_tick_age_seconds")) < 5);

  expect(await alertsOf(peal, job)).toEqual([]);
  expect(peal.logs()).toContain("pings may have been lost");
  expect(await ping("")).toBe(200);
  expect((await checkOf(peal, job.id)).state).toBe("up");
  expect(await alertsOf(peal, job)).toEqual([]);
}, 30_000);
