/** What the edge knows of a request before a route sees it. */
import type { Server } from "bun";

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
  /** Address of the client: the socket's, or the last untrusted hop of X-Forwarded-For behind a trusted proxy. */
  readonly address: string;
  /** `scheme://host` as the client sees it (forwarded ones from trusted proxies only), without the base path. */
  readonly origin: string;
}

const contexts = new WeakMap<Request, RequestContext>();

export const setContext = (request: Request, context: RequestContext): void => {
  contexts.set(request, context);
};

/** The context of a request that came through the edge; every request does. */
export function contextOf(request: Request): RequestContext {
  const context = contexts.get(request);
  if (context === undefined) throw new Error("a request that did not come through the edge");
  return context;
}
