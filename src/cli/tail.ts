/** `peal tail`: messages as they arrive, over lost connections without a gap or a repeat. */
import { setTimeout as sleep } from "node:timers/promises";
import { LEVELS, type Level } from "../drafts/draft.ts";
import { POSITION } from "../messages/events/resume.ts";
import { systemClock, type Millis } from "../util/clock.ts";
import { withoutControls } from "../util/text/text.ts";
import { parseDuration } from "../util/time.ts";
import { exchange, pauseAfter, problemIn, refused, unreached, type Failure } from "./attempts.ts";
import { CommandFailed, EXIT, UsageError, writeOut, type Command } from "./command.ts";
import { framesOf, type Frame } from "./tail-events.ts";
import { runFor, type Told } from "./tail-exec.ts";
import { feedOf, type Feed } from "./tail-where.ts";
import { TARGET_ABOUT } from "./target.ts";

/** How long a server may take until its stream begins. */
const OPEN_MS = 30_000;

export const tail: Command = {
  name: "tail",
  args: ["<namespace[/topic]|share-link>"],
  summary: "Print the messages of a topic or a namespace as they arrive.",
  about: `If the connection is lost, it is opened again, and nothing is missing or printed twice. A topic's share link needs no key.

With --exec, nothing is printed: the command is run by \`sh -c\` (on Windows by PowerShell) for each message, one after another, with the
message as JSON on standard input and in the variables PEAL_MESSAGE_ID, _NAMESPACE, _TOPIC, _TITLE, _TEXT, _LEVEL, _PRIORITY, _TAGS, _URL, _DEDUP_KEY, _STATUS and
_CREATED_AT. If the command fails, that is reported, and the next message follows. Quote the variables: "$PEAL_MESSAGE_TEXT".

${TARGET_ABOUT}`,
  flags: [
    {
      name: "since",
      value: "duration|id|all",
      description: "Begin with messages from then on, for example 1h; default: new ones.",
    },
    { name: "level", words: LEVELS, description: "Only messages of this level or a more serious one." },
    { name: "json", description: "Print a JSON object per line." },
    { name: "exec", value: "command", description: "Run this for each message." },
  ],
  examples: [
    "peal tail home",
    "peal tail home/backups --since 1d --level warning",
    "peal tail https://peal.example/home/backups/backups-…",
    `peal tail home/door --exec 'notify-send "$PEAL_MESSAGE_TITLE" "$PEAL_MESSAGE_TEXT"'`,
  ],
  run: async (invocation) => {
    const { values, switches } = invocation;
    const { exec } = values;
    if (exec !== undefined && switches.has("json"))
      throw new UsageError("--exec and --json can't be combined: the command gets JSON on its standard input");
    const levels = levelsOf(values["level"]);
    const since = sinceOf(values["since"], systemClock.now());
    const feed = await feedOf(invocation);
    const show = exec === undefined ? printing(switches.has("json")) : running(exec);
    await follow(feed, { levels, since, show });
    return EXIT.failed;
  },
};

interface Since {
  /** The place to begin behind, as events have it; absent: the present. */
  id?: string;
  /** Of what came before the stream, only messages that were stored since then. */
  time?: Millis;
}

/** @throws UsageError */
function sinceOf(text: string | undefined, now: Millis): Since {
  if (text === undefined) return {};
  if (text === "all") return { id: "0" };
  if (POSITION.test(text)) return { id: text };
  const seconds = parseDuration(text);
  if (seconds === undefined) throw new UsageError(`--since ${text}: must be a duration like 1h, an id, or all`);
  return { id: "0", time: now - seconds * 1000 };
}

/** Undefined for all. @throws UsageError */
function levelsOf(least: string | undefined): readonly Level[] | undefined {
  if (least === undefined) return undefined;
  const at = LEVELS.findIndex((level) => level === least);
  if (at < 0) throw new UsageError(`--level ${least}: must be one of ${LEVELS.join(", ")}`);
  return LEVELS.slice(at);
}

type Show = (message: Told, json: string) => Promise<void>;

interface Following {
  levels: readonly Level[] | undefined;
  since: Since;
  show: Show;
}

/** Goes on until the feed is gone. @throws CommandFailed when the server refuses it for good */
async function follow(feed: Feed, { levels, since, show }: Following): Promise<never> {
  let place = since.id;
  /** Up to here messages may be older than the time that was asked for. */
  let past = Infinity;
  let isResumed = false;
  let urls = feed.urls;
  let pause: number | undefined;
  for (let told = false; ;) {
    const [url = "", ...others] = urls;
    const stream = await open(feed, url, levels, place);
    if (stream instanceof Response) {
      if (told) say(`connected to ${feed.name} again`);
      told = false;
      pause = undefined;
      urls = [url];
    } else if (stream.isFinal && others.length > 0) {
      urls = others;
      continue;
    }
    let failure: Failure = stream instanceof Response ? { reason: "the connection ended", isFinal: false } : stream;
    if (failure.isFinal) throw new CommandFailed(failure.reason);
    try {
      for await (const { event, id, data } of framesIn(stream)) {
        if (event === "gone") throw new CommandFailed(`${feed.name} is gone: it was deleted, or its key was replaced`);
        if (event === "ready") {
          const { last_id: last, reset } = JSON.parse(data) as { last_id: number; reset?: boolean };
          past = Math.min(past, last);
          if (reset === true && isResumed) say("the server was restored from a backup: messages may be missing here");
          isResumed = true;
        }
        if (event === "message") {
          const message = JSON.parse(data) as Told;
          const isOld = since.time !== undefined && Date.parse(message.created_at) < since.time;
          if (!isOld || Number.parseInt(id ?? "", 10) > past) await show(message, data);
        }
        place = id ?? place;
      }
    } catch (error) {
      if (error instanceof CommandFailed || error instanceof SyntaxError) throw error;
      failure = unreached({ url: new URL(url), ...(feed.unix !== undefined && { unix: feed.unix }) }, error);
    }
    pause = pauseAfter(pause);
    if (!told && !(stream instanceof Response)) {
      say(`${failure.reason}; trying again`);
      told = true;
    }
    await sleep(pause);
  }
}

/** The frames of a stream that was opened. */
async function* framesIn(stream: Response | Failure): AsyncGenerator<Frame> {
  if (stream instanceof Response && stream.body !== null) yield* framesOf(stream.body);
}

async function open(
  { unix, headers }: Feed,
  address: string,
  levels: readonly Level[] | undefined,
  place: string | undefined,
): Promise<Response | Failure> {
  const url = new URL(address);
  if (levels !== undefined) url.searchParams.set("level", levels.join(","));
  const outgoing = {
    ...{ url, method: "GET" },
    headers: { ...headers, accept: "text/event-stream", ...(place !== undefined && { "last-event-id": place }) },
    ...(unix !== undefined && { unix }),
  };
  // not for the stream itself, which has no end
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new DOMException("no answer", "TimeoutError")), OPEN_MS);
  try {
    const response = await exchange(outgoing, late.signal);
    if (!(response instanceof Response)) return response;
    if (response.ok && response.headers.get("content-type")?.startsWith("text/event-stream") === true) return response;
    const text = await response.text().catch(() => "");
    return refused(outgoing, response, problemIn(response, text));
  } finally {
    clearTimeout(timer);
  }
}

const say = (text: string): void => {
  console.error(`peal tail: ${text}`);
};

const printing =
  (isJson: boolean): Show =>
  async (message, json) => {
    await writeOut(`${isJson ? json : lineOf(message)}\n`);
  };

/** As people read it; further lines of the text are indented. A server that is not ours may send anything to the terminal. */
export function lineOf({ created_at: at, namespace, topic_name: topic, level, title, message }: Told): string {
  const time = at.slice(0, 19).replace("T", " ");
  const text = withoutControls(title === undefined ? message : `${title}: ${message}`).replaceAll("\n", "\n    ");
  return `${time}  ${withoutControls(`${namespace}/${topic}  ${level}`)}  ${text}`;
}

const running =
  (command: string): Show =>
  async (message, json) => {
    const code = await runFor(command, message, json).catch((cause: unknown) => {
      // as in an image without a shell
      throw new CommandFailed(`--exec can't be run (${(cause as NodeJS.ErrnoException).code ?? String(cause)})`, {
        cause,
      });
    });
    const { id, namespace, topic_name: topic } = message;
    if (code !== 0) say(`the command ended with ${code} for message ${id} of ${namespace}/${topic}`);
  };
