/** Pings that arrive: tried again until the server has answered that it has them on disk. */
import { setTimeout as sleep } from "node:timers/promises";
import { VERSION } from "../util/version.ts";

export interface Ping {
  url: URL;
  /** The job's output. */
  body?: Uint8Array;
}
export interface Patience {
  /** Aborted: what fails now is not tried again. */
  retries: AbortSignal;
  /** Aborted: the attempt under way is given up, too. */
  all: AbortSignal;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;
/** The server takes 5 s at most to read a body. */
const ATTEMPT_MS = 10_000;
const MOST_REDIRECTS = 3;
/** Statuses of temporary refusals (RFC 9110, RFC 6585, RFC 8470). */
const FOR_NOW = [408, 425, 429];

/**
 * Resolves to undefined once the server has the ping, else to the reason why it has not, which never has the token. Only the
 * server itself can refuse a ping for good: whatever answers in its place while it is away may say anything, even 404.
 */
export async function send(ping: Ping, patience: Patience): Promise<string | undefined> {
  const isOver = () => patience.retries.aborted;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    const failure = await attempt(ping, patience.all, MOST_REDIRECTS);
    if (failure === undefined || failure.isFinal || isOver()) return failure?.reason;
    await sleep(pause, undefined, { signal: patience.retries }).catch(() => undefined);
    if (isOver()) return failure.reason;
  }
}

interface Failure {
  reason: string;
  isFinal: boolean;
}

async function attempt({ url, body }: Ping, signal: AbortSignal, redirects: number): Promise<Failure | undefined> {
  try {
    const response = await fetch(url, {
      method: "POST", // a check may be set to count nothing else
      headers: { "user-agent": `peal/${VERSION}` },
      redirect: "manual", // followed, a POST would become a GET without its body
      keepalive: false,
      signal: AbortSignal.any([signal, AbortSignal.timeout(ATTEMPT_MS)]),
      ...(body !== undefined && { body }),
    });
    const elsewhere = movedTo(url, response);
    if (elsewhere !== undefined && redirects > 0)
      return await attempt({ url: elsewhere, ...(body !== undefined && { body }) }, signal, redirects - 1);
    if (response.ok) return undefined;
    return await refusal(url, response);
  } catch (error) {
    const { name, code } = error as Error & { code?: string };
    const reason = name === "TimeoutError" ? "is not responding" : `can't be reached (${code ?? name})`;
    return { reason: `${url.origin} ${reason}`, isFinal: false };
  }
}

/** Where the same server is now: another would learn the token, and so would anybody who listens if https became http. */
function movedTo(from: URL, { status, headers }: Response): URL | undefined {
  const to = URL.parse(headers.get("location") ?? "", from.href);
  if (status < 300 || status >= 400 || to?.hostname !== from.hostname) return undefined;
  return to.protocol === "https:" || to.protocol === from.protocol ? to : undefined;
}

async function refusal({ origin }: URL, response: Response): Promise<Failure> {
  const { status, headers } = response;
  const text = await response.text();
  const isProblem = headers.get("content-type")?.startsWith("application/problem+json") === true;
  const isOurs = isProblem || text.trim() === "not found";
  const detail = isProblem
    ? (JSON.parse(text) as { detail: string }).detail
    : isOurs
      ? "it doesn't know this check"
      : "";
  return {
    reason: `${origin} answered ${status}${detail === "" ? "" : `: ${detail}`}`,
    isFinal: isOurs && status < 500 && !FOR_NOW.includes(status),
  };
}
