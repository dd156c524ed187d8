/** What the edge knows of a request before a route sees it. */
import type { Server } from "bun";
import type { Problem } from "./problem.ts";

export interface RequestContext {
  /** Printed in the answer (`X-Request-Id`) and in the log. */
  id: string;
  server: Server<unknown>;
  /** Came over `peal.sock`: whoever may open that file administers the server. */
  local: boolean;
  /** A HEAD that runs as its GET: open no stream. */
  head: boolean;
  /** Came from a trusted proxy, or by a door that only one may open: what it says of its client is believed. */
  readonly isProxied: boolean;
  /** That proxy may name who is signed in: the request is for a host of ours. */
  readonly mayName: boolean;
  /** Address at the other end of the connection; a word that is no address where that is a unix socket. */
  readonly peer: string;
  /** Address of the client: the socket's, or the last untrusted hop of X-Forwarded-For behind a trusted proxy. */
  readonly address: string;
  /** `scheme://host` as the client sees it (forwarded ones from trusted proxies only), without the base path. */
  readonly origin: string;
  /** How its client is told what went wrong; absent: as problem+json, or as a page. */
  form?: (problem: Problem) => Formed;
  /** Counts bytes of its body against the API key that it came with; absent without one. @throws Problem 429 */
  charge?: (bytes: number) => void;
}

/** A refusal in the words that another server's clients expect. */
export interface Formed {
  /** Where it is not the problem's. */
  status?: number;
  type: string;
  body: string;
}

/**
 * Seconds for a whole header, or an idle connection: Bun does not begin anew with every byte (measured: a byte a second
 * is ended after 12 s, so are silence and an idle connection). A body is given more while it is read.
 */
export const IDLE_SECONDS = 10;
/** The same, of a request that waits for its turn: two queues of 10 s each, whether of places or of passwords, and some slack. */
const WAITING_SECONDS = 40;

/** Bun gives no request on a unix socket more than all have there (measured), so that all have what the slowest needs. */
export const UNIX_IDLE_SECONDS = WAITING_SECONDS;

/** A property of the request itself: in a WeakMap each collection of garbage would have to look at all of them. */
const CONTEXT = Symbol("context");
type Known = Request & { [CONTEXT]?: RequestContext };

export const setContext = (request: Known, context: RequestContext): void => {
  request[CONTEXT] = context;
};

/** The context of a request that came through the edge; every request does. */
export function contextOf(request: Known): RequestContext {
  const context = request[CONTEXT];
  if (context === undefined) throw new Error("a request that did not come through the edge");
  return context;
}

/** While a request waits its connection is silent, and would be closed as an idle one. */
export async function whileWaiting<T>(request: Request, wait: () => Promise<T>): Promise<T> {
  const { server } = contextOf(request);
  server.timeout(request, WAITING_SECONDS);
  try {
    return await wait();
  } finally {
    server.timeout(request, IDLE_SECONDS);
  }
}
