/**
 * Messages that wait in a folder until the server is there, a file each: a line of JSON that says where it goes, then the body.
 * The names are in the order of sending. The process that holds `lock` sends, and deletes a file once the server has the message; a file
 * that is sent twice, after a kill in between, has the same idempotency key, and the server stores it once.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { holdFile } from "../store/sqlite/lock.ts";
import { HOUR, systemClock, type Millis } from "../util/clock.ts";
import { recordId } from "../util/ids.ts";
import { DRAFT, writeWhole } from "../util/whole-file.ts";
import { deliver, problemIn, type Failure, type Patience } from "./attempts.ts";
import { CommandFailed } from "./command.ts";
import type { Body } from "./send-message.ts";
import type { Target } from "./target.ts";

/** A message on its way. */
export interface Letter {
  /** `/home/backups`. */
  path: string;
  /** The idempotency key of all tries. */
  key: string;
  body: Body;
}

/** What became of the messages in a spool. */
export interface Flushed {
  sent: number;
  refused: { name: string; reason: string }[];
  /** How many are still there. */
  waiting: number;
  /** Why they are. */
  failure?: Failure;
}

const NAME = /^(\d{15})-[0-9a-z]{16}\.msg$/;
const REFUSED = "refused";
const LOOK_EVERY_MS = 100;
/** No draft is written for this long: a kill has left it. */
const STALE_MS = HOUR;

/** @throws CommandFailed if the folder cannot be used */
export function keep(folder: string, letter: Letter): string {
  return using(folder, () => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // behind all that wait, even if the clock was set back
    const newest = Number(NAME.exec(waitingIn(folder).at(-1) ?? "")?.[1] ?? -1);
    const at = Math.max(systemClock.now(), newest + 1);
    const name = `${String(at).padStart(15, "0")}-${recordId()}.msg`;
    writeWhole(join(folder, name), textOf(letter));
    return name;
  });
}

interface Flushing {
  target: Target;
  patience: Patience;
  /** Hears the answer to each message. */
  heard: (answer: string) => void;
  /** Another process may send it meanwhile: then there is nothing left to do. */
  own?: string;
}

/**
 * Sends what waits, the oldest first, until there is none or the server is away for longer than `patience`.
 * @throws CommandFailed if the folder cannot be used
 */
export async function flush(folder: string, { target, patience, heard, own }: Flushing): Promise<Flushed> {
  const flushed: Flushed = { sent: 0, refused: [], waiting: 0 };
  const release = await lock(folder, patience, own);
  if (release === undefined) return { ...flushed, ...fate(folder, own) };
  try {
    using(folder, () => tidy(folder));
    // what others put there meanwhile is sent as well: they wait for the lock
    for (let [name] = waitingIn(folder); name !== undefined; [name] = waitingIn(folder)) {
      const path = join(folder, name);
      const letter = using(folder, () => letterAt(path));
      const result = letter === undefined ? BROKEN : await deliverLetter(letter, target, patience);
      if (typeof result === "string") {
        flushed.sent++;
        heard(result);
      } else if (isOfMessage(result)) {
        using(folder, () => setAside(folder, name, result.reason));
        flushed.refused.push({ name, reason: result.reason });
      } else return { ...flushed, waiting: waitingIn(folder).length, failure: result };
      using(folder, () => rmSync(path));
    }
    return flushed;
  } finally {
    release();
  }
}

/** Sends it until the server has it. */
export const deliverLetter = async (
  { path, key, body }: Letter,
  { base, headers, unix }: Target,
  patience: Patience,
): Promise<string | Failure> =>
  deliver(
    {
      url: new URL(`${base}${path}`),
      method: "POST",
      headers: { ...headers, "content-type": body.type, "idempotency-key": key },
      body: body.bytes,
      ...(unix !== undefined && { unix }),
    },
    patience,
    problemIn,
  );

const BROKEN: Failure = { reason: "it is not a message that peal has put there", isFinal: true };

/** Problems of the sender: the message can still be sent once they are mended. */
const OF_SENDER = ["missing_key", "invalid_key", "insufficient_scope"];

/** Whether the server refuses this message for good, and the others may go on. */
export const isOfMessage = ({ isFinal, code = "" }: Failure): boolean => isFinal && !OF_SENDER.includes(code);

/** Undefined if there is nothing left to do, or another process holds it for longer than `patience`. */
async function lock(folder: string, { retries }: Patience, own: string | undefined): Promise<(() => void) | undefined> {
  for (;;) {
    const release = using(folder, () => holdFile(join(folder, "lock")));
    if (release !== undefined) return release;
    const isSent = own !== undefined && !waitingIn(folder).includes(own);
    if (isSent || retries.aborted) return undefined;
    await sleep(LOOK_EVERY_MS, undefined, { signal: retries }).catch(() => undefined);
  }
}

/** What another process has made of a message. */
function fate(folder: string, own: string | undefined): Partial<Flushed> {
  const waiting = waitingIn(folder);
  if (own === undefined || waiting.includes(own))
    return { waiting: waiting.length, failure: { reason: "another peal is sending what waits there", isFinal: false } };
  const reason = using(folder, () => reasonOf(folder, own));
  return reason === undefined ? { sent: 1 } : { refused: [{ name: own, reason }] };
}

const waitingIn = (folder: string): string[] =>
  using(folder, () =>
    readdirSync(folder)
      .filter((name) => NAME.test(name))
      .sort(),
  );

function textOf({ path, key, body }: Letter): Uint8Array {
  return Buffer.concat([Buffer.from(`${JSON.stringify({ path, key, type: body.type })}\n`), body.bytes]);
}

/** Undefined if the file is not what `keep` writes. */
function letterAt(file: string): Letter | undefined {
  const content = readFileSync(file);
  const end = content.indexOf("\n");
  try {
    const { path, key, type } = JSON.parse(content.toString("utf8", 0, end)) as Record<string, unknown>;
    if (typeof path !== "string" || typeof key !== "string" || typeof type !== "string" || !path.startsWith("/"))
      return undefined;
    return { path, key, body: { type, bytes: content.subarray(end + 1) } };
  } catch {
    return undefined;
  }
}

/** Moves it to `refused/`, with the reason beside it. It is copied first: a kill in between has it refused once more. */
function setAside(folder: string, name: string, reason: string): void {
  const aside = join(folder, REFUSED);
  mkdirSync(aside, { recursive: true, mode: 0o700 });
  writeWhole(join(aside, name), readFileSync(join(folder, name)));
  writeWhole(join(aside, `${name}.txt`), `${reason}\n`);
}

function reasonOf(folder: string, name: string): string | undefined {
  try {
    return readFileSync(join(folder, REFUSED, `${name}.txt`), "utf8").trimEnd();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

function tidy(folder: string): void {
  const drafts = readdirSync(folder).filter((one) => one.startsWith(DRAFT));
  if (drafts.length === 0) return;
  const now = timeIn(folder);
  for (const name of drafts) {
    const path = join(folder, name);
    const { mtimeMs = Infinity } = statSync(path, { throwIfNoEntry: false }) ?? {};
    if (now - mtimeMs > STALE_MS) rmSync(path, { force: true });
  }
}

/** By the clock that gives files their times, which is another than ours on a share of the network, or if ours was just set. */
function timeIn(folder: string): Millis {
  const file = join(folder, `${DRAFT}${recordId()}`);
  writeFileSync(file, "");
  try {
    return statSync(file).mtimeMs;
  } finally {
    rmSync(file, { force: true });
  }
}

/** @throws CommandFailed with the folder and the system's code */
function using<T>(folder: string, use: () => T): T {
  try {
    return use();
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === undefined) throw cause;
    throw new CommandFailed(`--spool ${folder}: can't be used (${code})`, { cause });
  }
}
