/** `peal run`: runs a job and tells its check of it. Whatever becomes of the pings, the job runs and its exit code counts. */
import { setTimeout as sleep } from "node:timers/promises";
import { runId } from "../util/ids.ts";
import type { Patience } from "./attempts.ts";
import { UsageError, type Command } from "./command.ts";
import { waitFlag, waitMs } from "./ping.ts";
import { send } from "./ping-send.ts";
import { pingOf, pingUrl, URL_FLAG } from "./ping-url.ts";
import { startJob } from "./run-job.ts";
import { Output } from "./run-output.ts";

const DEFAULT_WAIT = "5m";
/** After a signal: the one that ended the job may arrive after the job's end, and must not prevent its ping. */
const LEAVE_MS = 2_000;
/** How long a reader that does not read, or a process that the job left behind, may delay the last ping. */
const TAIL_MS = 2_000;

export const run: Command = {
  name: "run",
  args: [],
  rest: "<command…>",
  isClient: true,
  summary:
    "Run a command and report to its check: the start, the exit code, how long it took and the end of its output.",
  about: `The command reads standard input, and its output is passed through unchanged. The exit code is the command's: 128 + n if
signal n ended it, 127 if it is not found, 126 if it can't be executed.

The pings don't change any of that. If the server is offline, the job runs anyway and the pings are retried: after
the job for 5 minutes, or as long as --wait says. A signal ends that within 2 seconds, a second one immediately. Only pings that could not be sent are reported, on standard error.

The signals HUP, INT, QUIT, TERM, USR1 and USR2 are passed on: without a terminal, to all processes of the job; on a terminal,
to the command, except those the terminal has already sent to the job.`,
  flags: [
    { name: "check", value: "url|token|pk_…/slug", description: "The check to report to." },
    waitFlag("How long to keep trying after the job if the server is offline", DEFAULT_WAIT),
    URL_FLAG,
  ],
  examples: [
    "peal run --check https://peal.example/v1/ping/7d3k… -- restic backup /srv",
    "30 2 * * * PEAL_URL=https://peal.example peal run --check 7d3k… -- /usr/local/bin/backup",
    "peal run --check 7d3k… -- sh -c 'pg_dump shop | gzip >shop.gz'",
  ],
  run: async ({ values, rest }) => {
    if (values["check"] === undefined) throw new UsageError("--check is missing");
    const wait = waitMs(values["wait"] ?? DEFAULT_WAIT);
    const url = pingUrl(values["check"], values["url"]);
    if (typeof url === "string") complain(url);
    const rid = runId();
    const tell = async (outcome: string, patience: Patience, body?: Uint8Array) =>
      typeof url === "string"
        ? undefined
        : send({ url: pingOf(url, outcome, rid), ...(body !== undefined && { body }) }, patience);

    const [ended, hurry, leaving] = [new AbortController(), new AbortController(), new AbortController()];
    const output = new Output();
    const job = startJob(rest, output.ends, () => {
      if (hurry.signal.aborted) leaving.abort();
      hurry.abort();
      setTimeout(() => leaving.abort(), LEAVE_MS);
    });
    const started = tell("start", { retries: ended.signal, all: leaving.signal });
    const copied = output.copy("reason" in job ? [] : job.streams);
    if ("reason" in job) complain(job.reason);
    const code = "reason" in job ? job.code : await job.ended;

    // from here on nothing depends on us but the pings
    ended.abort();
    const late = AbortSignal.timeout(wait);
    const patience = { retries: AbortSignal.any([hurry.signal, late]), all: AbortSignal.any([leaving.signal, late]) };
    const drained = output.drained();
    await Promise.race([drained, sleep(TAIL_MS), aborted(patience.all)]);
    await Promise.race([started, aborted(patience.all)]); // the end comes after it, or the server would see no run
    const tail = "reason" in job ? Buffer.from(job.reason) : output.tail;
    const reason = await tell(String(code), patience, tail);
    if (reason !== undefined) complain(`could not report to the check that the job ended with ${code}: ${reason}`);
    // for what the job left behind, and never before all its own output is out
    await Promise.race([copied, aborted(patience.retries)]);
    await Promise.race([drained, aborted(leaving.signal)]);
    if (output.failure !== undefined) complain(`not all of the job's output could be written (${output.failure})`);
    process.exit(code); // a thread may still wait for whom nobody reads from
  },
};

const complain = (text: string): void => {
  console.error(`peal run: ${text}`);
};

const aborted = async (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve());
  });
