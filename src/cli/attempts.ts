/** Requests that arrive: tried again until the server has answered that it has them on disk, or that it never will. */
import { setTimeout as sleep } from "node:timers/promises";
import { VERSION } from "../util/version.ts";

export interface Outgoing {
  url: URL;
  method: string;
  headers?: Readonly<Record<string, string>>;
  body?: Uint8Array;
  /** The socket of the server on this machine, instead of the network. */
  unix?: string;
}

/** Why a request has not arrived. `reason`: never with a secret, which is in the path, in a header or in the body. */
export interface Failure {
  reason: string;
  /** The server itself has refused it: trying again changes nothing. */
  isFinal: boolean;
  /** Of the server's problem (RFC 9457). */
  code?: string;
}

export interface Patience {
  /** Aborted: what fails now is not tried again. */
  retries: AbortSignal;
  /** Aborted: the attempt under way is given up, too. */
  all: AbortSignal;
}

/** What the server itself says when it refuses, as opposed to what stands in front of it; undefined: it is not the server. */
export type Refusal = (response: Response, text: string) => { detail: string; code?: string } | undefined;

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;
/** The server takes 5 s at most to read a body of a ping. */
const ATTEMPT_MS = 10_000;
/** For larger bodies: a slow line carries this much in a second. */
const BYTES_A_SECOND = 50_000;
const MOST_REDIRECTS = 3;
/** Statuses of temporary refusals (RFC 9110, RFC 6585, RFC 8470). */
const FOR_NOW = [408, 425, 429];

/** The pause after one of `ms`; the first is `pauseAfter()`. */
export const pauseAfter = (ms?: number): number =>
  ms === undefined ? FIRST_PAUSE_MS : Math.min(2 * ms, LONGEST_PAUSE_MS);

/**
 * Tries until the server has accepted the request, and resolves to the answer's text; else to why it has not. Only the server
 * itself can refuse for good: whatever answers in its place while it is away may say anything, even 404.
 */
export async function deliver(outgoing: Outgoing, patience: Patience, refusal: Refusal): Promise<string | Failure> {
  const isOver = () => patience.retries.aborted;
  for (let pause = pauseAfter(); ; pause = pauseAfter(pause)) {
    const result = await attempt(outgoing, patience.all, refusal);
    if (typeof result === "string" || result.isFinal || isOver()) return result;
    await sleep(pause, undefined, { signal: patience.retries }).catch(() => undefined);
    if (isOver()) return result;
  }
}

async function attempt(outgoing: Outgoing, signal: AbortSignal, refusal: Refusal): Promise<string | Failure> {
  const within = ATTEMPT_MS + ((outgoing.body?.length ?? 0) / BYTES_A_SECOND) * 1_000;
  const response = await exchange(outgoing, AbortSignal.any([signal, AbortSignal.timeout(within)]));
  if (!(response instanceof Response)) return response;
  try {
    const text = await response.text();
    return response.ok ? text : refused(outgoing, response, refusal(response, text));
  } catch (error) {
    return unreached(outgoing, error);
  }
}

/** One request. Redirects are followed to the same server only. */
export async function exchange(
  outgoing: Outgoing,
  signal: AbortSignal,
  redirects = MOST_REDIRECTS,
): Promise<Response | Failure> {
  const { url, method, headers, body, unix } = outgoing;
  try {
    const response = await fetch(url, {
      method,
      headers: { "user-agent": `peal/${VERSION}`, ...headers },
      redirect: "manual", // followed, a POST would become a GET without its body
      keepalive: false,
      signal,
      ...(body !== undefined && { body }),
      ...(unix !== undefined && { unix }),
    });
    const elsewhere = movedTo(url, response);
    if (elsewhere === undefined || redirects === 0) return response;
    return await exchange({ ...outgoing, url: elsewhere }, signal, redirects - 1);
  } catch (error) {
    return unreached(outgoing, error);
  }
}

type Server = Pick<Outgoing, "url" | "unix">;

const nameOf = ({ url, unix }: Server): string => (unix === undefined ? url.origin : `the server at ${unix}`);

/** Why a server gave no answer. Never with the path, which may hold a token. */
export function unreached(server: Server, error: unknown): Failure {
  const { name, code } = error as Error & { code?: string };
  const reason = name === "TimeoutError" ? "is not responding" : `can't be reached (${code ?? name})`;
  return { reason: `${nameOf(server)} ${reason}`, isFinal: false };
}

/** Where the same server is now: another would learn the secret, and so would anybody who listens if https became http. */
function movedTo(from: URL, { status, headers }: Response): URL | undefined {
  const to = URL.parse(headers.get("location") ?? "", from.href);
  if (status < 300 || status >= 400 || to?.hostname !== from.hostname) return undefined;
  return to.protocol === "https:" || to.protocol === from.protocol ? to : undefined;
}

/** `said`: what the server itself said. */
export function refused(server: Server, { status }: Response, said: ReturnType<Refusal>): Failure {
  const detail = said === undefined || said.detail === "" ? "" : `: ${said.detail}`;
  return {
    reason: `${nameOf(server)} answered ${status}${detail}`,
    isFinal: said !== undefined && status < 500 && !FOR_NOW.includes(status),
    ...(said?.code !== undefined && { code: said.code }),
  };
}

/** Reads the problem that a peal answers (RFC 9457); undefined for what somebody else answers. */
export const problemIn: Refusal = ({ headers }, text) => {
  if (headers.get("content-type")?.startsWith("application/problem+json") !== true) return undefined;
  try {
    const { detail, code } = JSON.parse(text) as { detail?: string; code?: string };
    return { detail: detail ?? "", ...(code !== undefined && { code }) };
  } catch {
    return undefined; // cut off on its way
  }
};
