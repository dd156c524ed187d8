/** `peal ping`: tells a check, and ends with 0 only when the server has it on disk. */
import { parseDuration } from "../util/time.ts";
import { CommandFailed, EXIT, UsageError, type Command, type Flag } from "./command.ts";
import { Tail } from "./ping-tail.ts";
import { send } from "./ping-send.ts";
import { pingOf, pingUrl, URL_FLAG } from "./ping-url.ts";

const DEFAULT_WAIT = "1m";
const MAX_EXIT = 255;

export const waitFlag = (description: string, or: string): Flag => ({
  name: "wait",
  value: "duration",
  description: `${description}, for example 30s or 5m; default ${or}.`,
});

export const ping: Command = {
  name: "ping",
  args: ["<url|token>"],
  isClient: true,
  summary: "Ping a check: its job succeeded, failed, started or has something to log.",
  about: `Exits with 0 once the server has the ping on disk, else with 1 and the reason. While the server is offline, the ping is tried
again.`,
  flags: [
    { name: "start", description: "The job has started." },
    { name: "fail", description: "The job has failed." },
    { name: "log", description: "Log something; the check's state doesn't change." },
    { name: "exit", value: "code", description: "The job ended with this exit code; 0 is success." },
    { name: "body", value: "-|text", description: "Output of the job; `-` reads standard input." },
    waitFlag("How long to keep trying", DEFAULT_WAIT),
    URL_FLAG,
  ],
  examples: [
    "peal ping https://peal.example/v1/ping/7d3k…",
    "restic backup /srv; PEAL_URL=https://peal.example peal ping 7d3k… --exit $?",
    "restic backup /srv 2>&1 | peal ping https://peal.example/v1/ping/7d3k…/log --body -",
  ],
  run: async ({ positionals: [check = ""], values, switches }) => {
    const outcome = outcomeOf(switches, values["exit"]);
    const wait = waitMs(values["wait"] ?? DEFAULT_WAIT);
    const url = pingUrl(check, values["url"]);
    if (typeof url === "string") throw new UsageError(url);
    const body = values["body"] === "-" ? await standardInput() : values["body"];
    const patience = AbortSignal.timeout(wait);
    const reason = await send(
      { url: pingOf(url, outcome), ...(body !== undefined && { body: Buffer.from(body) }) },
      { retries: patience, all: patience },
    );
    if (reason !== undefined) throw new CommandFailed(`not sent: ${reason}`);
    return EXIT.ok;
  },
};

/** @throws UsageError */
function outcomeOf(switches: ReadonlySet<string>, exit: string | undefined): string | undefined {
  const said = ["start", "fail", "log"].filter((word) => switches.has(word));
  if (exit !== undefined) said.push(exit);
  if (said.length > 1) throw new UsageError("--start, --fail, --log and --exit can't be combined");
  if (exit !== undefined && !(/^\d{1,3}$/.test(exit) && Number(exit) <= MAX_EXIT))
    throw new UsageError(`--exit ${exit}: not an exit code, 0 to ${MAX_EXIT}`);
  return said[0];
}

/** @throws UsageError */
export function waitMs(text: string): number {
  const seconds = parseDuration(text) ?? 0;
  if (seconds < 1 || seconds > 86_400) throw new UsageError(`--wait ${text}: not a duration of 1s to 1d`);
  return seconds * 1000;
}

async function standardInput(): Promise<Uint8Array> {
  const tail = new Tail();
  for await (const chunk of Bun.stdin.stream()) tail.add(chunk);
  return tail.bytes;
}
