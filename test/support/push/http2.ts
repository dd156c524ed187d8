/** An HTTP/2 server over TLS behind a wire, as the fakes need it: whole requests, streams counted, answers and faults. */
import {
  createSecureServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from "node:http2";
import type { Clock } from "../../../src/util/clock.ts";
import { authority, type Certificate } from "./ca.ts";
import type { Fault } from "./script.ts";
import { listening, wireTo, type Wire } from "./wire.ts";

export interface Answer {
  status: number;
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
}

export interface Request {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** The connection of the request: the same object for all requests on it. */
  connection: Connection;
}

export interface Connection {
  /** 1, 2, 3 … in the order in which they were opened. */
  readonly number: number;
  /** How many streams are open now, and the most so far. */
  streams: number;
  peak: number;
  /** How many streams the client may have open. */
  allow(streams: number): void;
  /** Sends the rest of all answers that were stopped halfway. */
  finish(rest: string): void;
}

export interface Http2Server extends AsyncDisposable {
  readonly wire: Wire;
  readonly connections: readonly Connection[];
  /** Sends GOAWAY to all connections; after code 0, NO_ERROR, requests in flight are still answered. */
  goaway(code: number, reason?: string): void;
}

interface Options {
  /** Its time is in the `Date` of every answer. */
  clock: Clock;
  certificate?: Certificate;
  /** How many streams a new connection may have open. */
  streams: number;
  /** How long answers are delayed, in ms; called for each of them. */
  latencyMs: () => number;
}

/** Starts the server; `handle` gets each request when it is complete. */
export async function http2Server(
  { clock, certificate = authority.issue(), streams, latencyMs }: Options,
  handle: (request: Request) => Answer | Fault,
): Promise<Http2Server> {
  const connections: Connection[] = [];
  const sessions = new Map<ServerHttp2Session, Ending>();
  const server = createSecureServer({ ...certificate, settings: { maxConcurrentStreams: streams } });
  server.on("session", (session) => {
    let allowed = streams;
    const halves: ServerHttp2Stream[] = [];
    const connection: Connection = {
      number: connections.length + 1,
      ...{ streams: 0, peak: 0 },
      allow: (more) => {
        if (more === allowed) return;
        allowed = more;
        session.settings({ maxConcurrentStreams: more });
      },
      finish: (rest) => {
        for (const stream of halves.splice(0)) stream.end(rest);
      },
    };
    connections.push(connection);
    const ending: Ending = { last: 0, isNear: false };
    sessions.set(session, ending);
    session.on("error", () => undefined);
    session.on("close", () => sessions.delete(session));
    session.on("stream", (stream, headers) => {
      stream.on("error", () => undefined);
      if (connection.streams >= allowed) {
        stream.close(REFUSED_STREAM);
        return;
      }
      connection.peak = Math.max(connection.peak, ++connection.streams);
      stream.on("close", () => connection.streams--);
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        if (ending.isNear) return;
        const [method = "", path = ""] = [headers[":method"], headers[":path"]];
        const answer = handle({ method, path, headers, body: Buffer.concat(chunks), connection });
        if ("kind" in answer && answer.kind === "goaway") {
          end(session, ending, answer.code, answer.reason);
          return;
        }
        ending.last = Math.max(ending.last, stream.id ?? 0);
        if ("kind" in answer && answer.kind === "half") {
          stream.respond({ ":status": answer.code });
          stream.write(answer.body);
          halves.push(stream);
          return;
        }
        const date = new Date(clock.now()).toUTCString();
        if (latencyMs() === 0) act(stream, answer, date);
        else setTimeout(() => act(stream, answer, date), latencyMs());
      });
    });
  });
  const wire = await wireTo(await listening(server));
  return {
    wire,
    connections,
    goaway: (code, reason = "") => {
      for (const [session, ending] of sessions) end(session, ending, code, reason);
    },
    [Symbol.asyncDispose]: async () => {
      await wire.stop();
      for (const session of sessions.keys()) session.destroy();
      server.close();
    },
  };
}

const REFUSED_STREAM = 7;
const INTERNAL_ERROR = 2;

/** What is known when a connection ends: the last stream that was processed. */
interface Ending {
  last: number;
  isNear: boolean;
}

function end(session: ServerHttp2Session, ending: Ending, code: number, reason = ""): void {
  ending.isNear = true;
  session.goaway(code, ending.last, Buffer.from(reason));
}

function act(stream: ServerHttp2Stream, answer: Answer | Fault, date: string): void {
  if (stream.destroyed) return;
  if ("status" in answer) {
    const { status, headers = {}, body = "" } = answer;
    stream.respond({ date, ...headers, ":status": status });
    stream.end(body);
  } else if (answer.kind === "reset") stream.close(answer.code ?? INTERNAL_ERROR);
}
