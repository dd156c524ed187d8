/** `peal send`: publishes a message, and ends with 0 only when the server has it on disk. */
import { LEVELS, PRIORITIES } from "../drafts/draft.ts";
import { isNamespaceName } from "../names/namespace.ts";
import { isTopicName } from "../names/topic.ts";
import { runId } from "../util/ids.ts";
import type { Patience } from "./attempts.ts";
import { CommandFailed, EXIT, JSON_FLAG, UsageError, type Command, type Invocation } from "./command.ts";
import { waitFlag, waitMs } from "./ping.ts";
import { bodyOf, textOf } from "./send-message.ts";
import { deliverLetter, flush, keep, isOfMessage, type Flushed, type Letter } from "./spool.ts";
import { openTarget, TARGET_ABOUT } from "./target.ts";
import { TOPIC_ARG } from "./topic-ask.ts";

const DEFAULT_WAIT = "1m";
/** A restart takes a moment, and meanwhile the message is safe. */
const SPOOL_WAIT_MS = 10_000;

export const send: Command = {
  name: "send",
  args: [`[${TOPIC_ARG}]`, "[text]"],
  summary: "Send a message to a topic; exits with 0 once the server has it on disk.",
  about: `Without a text, or with \`-\`, the text is standard input. Nothing is printed, so cron sends no mail; values the server can't use are
named on standard error. While the server is offline, the message is tried again for --wait.

With --spool, the message is first written to a folder, then sent: if the server stays offline it waits there, and the exit code is 75.
Each \`peal send --spool\` on the same folder sends what waits first, in order; without a topic it does nothing else. A late message shows
the time it was written at. A message that the server refuses moves to refused/ in that folder, with the reason beside it. If the
folder can't be used, a warning says so, and the message is sent without it.

${TARGET_ABOUT}

Exit codes: 0 the server has it, 75 it waits in the spool, 1 it was refused or could not be sent.`,
  flags: [
    { name: "title", value: "text", description: "The title." },
    { name: "level", words: LEVELS, description: "How serious it is." },
    { name: "priority", words: PRIORITIES, description: "How loud it is." },
    { name: "tag", value: "tag", description: "A tag; can be given several times.", isList: true },
    { name: "url", value: "url", description: "What a tap on the notification opens." },
    { name: "file", value: "path", description: "Attach a file; up to four times.", isList: true },
    { name: "at", value: "time", description: "Send it to devices at this time, like 2027-01-31T08:00:00Z." },
    { name: "delay", value: "duration", description: "Send it to devices this much later, for example 30m." },
    { name: "dedup-key", value: "key", description: "A later message with the same key updates this one." },
    { name: "format", words: ["text", "markdown"], description: "How the text is read." },
    waitFlag("How long to keep trying", `${DEFAULT_WAIT}, with --spool ${SPOOL_WAIT_MS / 1000}s`),
    { name: "spool", value: "folder", description: "Keep messages here while the server is offline." },
    JSON_FLAG,
  ],
  examples: [
    'peal send home/backups "Backup finished" --level success',
    "df -h | peal send home/nas --title Disks",
    "peal send home/door --file door.jpg --priority high",
    'peal send home/backups "Backup failed" --level error --spool /var/spool/peal',
    "peal send --spool /var/spool/peal",
  ],
  run: async (invocation) => {
    const { positionals, values, switches, load } = invocation;
    const folder = values["spool"];
    const wait = waitMs(values["wait"] ?? DEFAULT_WAIT);
    const letter = positionals.length === 0 ? undefined : await letterOf(invocation, folder !== undefined);
    // first: whatever goes wrong from here on, the message is there
    const own = folder === undefined || letter === undefined ? undefined : keptIn(folder, letter);
    const target = await openTarget(load);
    if (folder !== undefined && (letter === undefined || own !== undefined)) {
      const flushed = await flush(folder, {
        ...{ target, patience: patience(values["wait"] === undefined ? SPOOL_WAIT_MS : wait), heard: warnOfIgnored },
        ...(own !== undefined && { own }),
      });
      const { sent, waiting, refused } = flushed;
      if (switches.has("json")) console.log(JSON.stringify({ sent, waiting, refused: refused.length }));
      return outcome(folder, flushed, own);
    }
    if (letter === undefined) throw new UsageError(`${TOPIC_ARG} is missing`);
    const result = await deliverLetter(letter, target, patience(wait));
    if (typeof result !== "string") throw new CommandFailed(`not sent: ${result.reason}`);
    warnOfIgnored(result);
    if (switches.has("json")) console.log(result);
    return EXIT.ok;
  },
};

function patience(ms: number): Patience {
  const over = AbortSignal.timeout(ms);
  return { retries: over, all: over };
}

/** Its name there. Undefined if the folder cannot be used: the message may be that the disk is full, so it is sent all the same. */
function keptIn(folder: string, letter: Letter): string | undefined {
  try {
    return keep(folder, letter);
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    console.error(`peal send: ${error.message}, so the message is only sent`);
    return undefined;
  }
}

/** @throws UsageError, CommandFailed */
async function letterOf(invocation: Invocation, isKept: boolean): Promise<Letter> {
  const [named = ""] = invocation.positionals;
  const [namespace = "", topic = "", ...more] = named.split("/");
  if (!isNamespaceName(namespace) || !isTopicName(topic) || more.length > 0)
    throw new UsageError(`${named}: must have the form ${TOPIC_ARG}`);
  const text = await textOf(invocation);
  return { path: `/${namespace}/${topic}`, key: runId(), body: await bodyOf(invocation, text, isKept) };
}

/** Reports what did not arrive. @throws CommandFailed if `own` did not, or of a mere flush any */
function outcome(folder: string, { refused, waiting, failure }: Flushed, own: string | undefined): number {
  for (const { name, reason } of refused)
    if (name !== own)
      console.error(`peal send: a message was refused, and is now ${folder}/refused/${name}: ${reason}`);
  const mine = refused.find(({ name }) => name === own);
  if (mine !== undefined) throw new CommandFailed(`not sent, and now ${folder}/refused/${mine.name}: ${mine.reason}`);
  if (failure === undefined) return own === undefined && refused.length > 0 ? EXIT.failed : EXIT.ok;
  const kept = `not sent yet, ${waiting} ${waiting === 1 ? "message waits" : "messages wait"} in ${folder}: ${failure.reason}`;
  // a key that is refused is mended by nobody who waits
  throw new CommandFailed(kept, {}, failure.isFinal && !isOfMessage(failure) ? EXIT.failed : EXIT.later);
}

interface Answer {
  ignored?: { path: string; message: string }[];
}

/** The message is stored, without what the server could not use. */
function warnOfIgnored(answer: string): void {
  let ignored: Answer["ignored"];
  try {
    ({ ignored } = JSON.parse(answer) as Answer);
  } catch {
    throw new CommandFailed("not sent: the answer is not from peal. Is the address right?");
  }
  for (const { path, message } of ignored ?? [])
    console.error(`peal send: left out ${path.replace(/^\//, "")}: ${message}`);
}
