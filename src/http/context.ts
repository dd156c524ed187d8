/** What the edge knows about a request before a route sees it. */
import type { Server } from "bun";
import type { Problem } from "./problem.ts";

export interface RequestContext {
  /** Printed in the answer (`X-Request-Id`) and in the log. */
  id: string;
  /** When it came, in monotonic milliseconds. */
  cameAt: number;
  server: Server<unknown>;
  /** It came over `peal.sock`: anybody who may open that file administers the server. */
  local: boolean;
  /** It is a HEAD that runs as its GET, so no stream is opened. */
  head: boolean;
  /** It came from a trusted proxy, or by a door that only one may open: its word about the client is believed. */
  readonly isProxied: boolean;
  /** That proxy may name who is signed in, because the request is for a host of ours. */
  readonly mayName: boolean;
  /** The address at the other end of the connection; on a unix socket a word that is not an address. */
  readonly peer: string;
  /** The client's address: the socket's, or behind a trusted proxy the last untrusted hop of X-Forwarded-For. */
  readonly address: string;
  /** `scheme://host` as the client sees it, without the base path; forwarded values only from trusted proxies. */
  readonly origin: string;
  /** Writes a problem in the form that the client expects; absent: as problem+json, or as a page. */
  form?: (problem: Problem) => Formed;
  /** From now on `charge` counts for this API key or hook; before, it counts nothing. */
  chargeTo(limit: "bytes" | "hook-bytes", who: string): void;
  /** Counts bytes of the body. @throws Problem 429 */
  charge(bytes: number): void;
  /** It has no headers besides those of nearly every request. */
  readonly isBare: boolean;
}

/** A refusal in the form that clients of another server expect. */
export interface Formed {
  /** Absent: the problem's. */
  status?: number;
  type: string;
  body: string;
  /** They replace the problem's. */
  headers?: Record<string, string>;
}

/**
 * The most seconds for a whole header, or an idle connection. Bun does not start again with every byte (measured: a client that
 * sends a byte a second is ended after 12 s, like a silent or idle one). A body gets more time while it is read.
 */
export const IDLE_SECONDS = 10;
/** The same for a request that waits its turn: two queues of 10 s each, of places or passwords, and some slack. */
const WAITING_SECONDS = 40;

/**
 * On a unix socket Bun gives no request more than all have (measured), so all have what the most silent needs: a stream for ntfy's
 * clients, which says something every 45 s.
 */
export const UNIX_IDLE_SECONDS = 60;

/** A property of the request itself: every garbage collection would have to look at all entries of a WeakMap. */
const CONTEXT = Symbol("context");
type Known = Request & { [CONTEXT]?: RequestContext };

export const setContext = (request: Known, context: RequestContext): void => {
  request[CONTEXT] = context;
};

/** The context of a request, which the edge gave it; every request has one. */
export function contextOf(request: Known): RequestContext {
  const context = request[CONTEXT];
  if (context === undefined) throw new Error("a request that did not come through the edge");
  return context;
}

/** A header that few requests have; a bare request is spared the look-up, and a publish would make seven. */
export const rareHeader = (request: Request, name: string): string | null =>
  contextOf(request).isBare ? null : request.headers.get(name);

/** Keeps the connection of a request that waits: it is silent, and would be closed as idle. */
export async function whileWaiting<T>(request: Request, wait: () => Promise<T>): Promise<T> {
  const { server } = contextOf(request);
  server.timeout(request, WAITING_SECONDS);
  try {
    return await wait();
  } finally {
    server.timeout(request, IDLE_SECONDS);
  }
}
