/** WebSockets: how a route makes one of its request, and what the listeners tell its peer (PLATFORM.md §4). */
import type { ServerWebSocket, WebSocketHandler } from "bun";
import { contextOf } from "./context.ts";
import { problem } from "./problem.ts";

export type Socket = ServerWebSocket<unknown>;

/** Our side of one WebSocket. */
export interface Peer {
  /** From now on it takes bytes. May be called before `upgraded` returns. */
  opened(socket: Socket): void;
  /** The kernel has taken bytes that were unsent, not always all of them. */
  drained(socket: Socket): void;
  /** Called once, whichever side ended it. */
  closed(): void;
}

/** Whether the client wants a WebSocket: to others a route can say what to do. */
export const wantsSocket = ({ headers }: Request): boolean => headers.get("upgrade")?.toLowerCase() === "websocket";

/**
 * Makes a WebSocket of the request. Bun sends nothing of the answer (PLATFORM.md §4): it is what the edge counts and logs.
 * @throws Problem 400 if the client did not ask for one; then `peer` hears nothing
 */
export function upgraded(request: Request, peer: Peer): Response {
  const { server, id } = contextOf(request);
  if (!server.upgrade(request, { data: peer, headers: { "x-request-id": id } }))
    throw problem.badRequest("This address is for WebSockets: open it with `ws://` or `wss://`.");
  return new Response(null, { status: 101 });
}

/** What `upgraded` gave it. */
const peerOf = ({ data }: Socket): Peer => data as Peer;

/** Bun pings 16 s before the time is up, every 44 s on a silent connection, and ends it if no pong comes. */
const IDLE_SECONDS = 60;
/** Our readers have nothing to say. */
const MAX_RECEIVED_BYTES = 4_096;

/** For every listener. */
export const websocket: WebSocketHandler<unknown> = {
  idleTimeout: IDLE_SECONDS,
  maxPayloadLength: MAX_RECEIVED_BYTES,
  open: (socket) => {
    peerOf(socket).opened(socket);
  },
  drain: (socket) => {
    peerOf(socket).drained(socket);
  },
  close: (socket) => {
    peerOf(socket).closed();
  },
  message: () => undefined,
};
