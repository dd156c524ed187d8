/** Doors: TCP addresses, unix sockets, and `peal.sock` for the operator. */
import { rmSync, statSync } from "node:fs";
import { connect } from "node:net";
import type { Server } from "bun";
import type { ListenAddress, TcpAddress } from "../config/config.ts";
import { IDLE_SECONDS, UNIX_IDLE_SECONDS } from "../http/context.ts";
import { websocket } from "../http/websocket.ts";
import type { Pair } from "../tls/certificate.ts";
import type { Handler } from "./edge.ts";

/** Cannot listen there; the message says why and what to do. */
export class ListenError extends Error {
  override readonly name = "ListenError";
  readonly code: string;
  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/**
 * No limit of Bun's, which would answer 413 without a word: the documented limits are counted while reading, and a ping is
 * answered whatever is sent with it. What nobody reads waits in the sender's socket or is dropped (RSS stays flat, measured).
 */
const MAX_BODY_BYTES = Number.MAX_SAFE_INTEGER;

const serving = (fetch: Handler) => ({
  fetch,
  development: false,
  maxRequestBodySize: MAX_BODY_BYTES,
  websocket,
  error: () => new Response(null, { status: 500 }), // the edge throws nothing; Bun's own page would show a stack
});

/** Bun takes it for a unix socket too (measured), and its types do not know. */
const UNIX_IDLE: object = { idleTimeout: UNIX_IDLE_SECONDS };

/** Listens on one address of PEAL_LISTEN. @throws ListenError */
export async function listen(address: ListenAddress, handler: Handler): Promise<Server<unknown>> {
  if (address.kind === "unix") return listenUnix(address.path, handler);
  return tryBoth(address, (host) => listenTcp(host, address.port, handler));
}

/** All interfaces are those of IPv4 where IPv6 is off. */
function tryBoth(address: TcpAddress, open: (host: string) => Server<unknown>): Server<unknown> {
  try {
    return open(address.host);
  } catch (error) {
    if (address.host === "::" && codeOf(error) !== "EADDRINUSE") return open("0.0.0.0");
    throw error;
  }
}

const named = (host: string, port: number): string => (host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`);

function listenTcp(hostname: string, port: number, handler: Handler, setting?: Setting): Server<unknown> {
  try {
    // reusePort: else, with `development: false`, a second server shares the port and half of the requests (measured)
    return Bun.serve({ ...serving(handler), hostname, port, reusePort: false, idleTimeout: IDLE_SECONDS });
  } catch (error) {
    throw listenError(error, named(hostname, port), setting);
  }
}

/**
 * Whether nobody listens there: without `reusePort` the kernel refuses an address that somebody has, also with `reusePort`.
 * Returns it with a real port instead of 0. @throws ListenError
 */
export function probeTls(address: TcpAddress): TcpAddress {
  const nobody: Handler = () => new Response(null, { status: 503 });
  const probe = tryBoth(address, (host) => listenTcp(host, address.port, nobody, "PEAL_LISTEN_TLS"));
  const found = { ...address, port: probe.port ?? address.port };
  void probe.stop(true);
  return found;
}

/** Listens with TLS, beside another listener of this process if there is one. @throws ListenError */
export const listenTls = (address: TcpAddress, handler: Handler, pair: Pair): Server<unknown> =>
  tryBoth(address, (hostname) => {
    try {
      const { port } = address;
      return Bun.serve({ ...serving(handler), hostname, port, reusePort: true, idleTimeout: IDLE_SECONDS, tls: pair });
    } catch (error) {
      throw listenError(error, named(hostname, address.port), "PEAL_LISTEN_TLS");
    }
  });

async function listenUnix(path: string, handler: Handler): Promise<Server<unknown>> {
  if (statSync(path, { throwIfNoEntry: false })?.isSocket() === true && !(await isAlive(path))) rmSync(path);
  try {
    return Bun.serve({ ...serving(handler), unix: path, ...UNIX_IDLE });
  } catch (error) {
    throw listenError(error, path);
  }
}

/** `peal.sock`: for its owner only from its first moment. Only the holder of the data directory's lock may call this. */
export function listenLocal(path: string, handler: Handler): Server<unknown> {
  rmSync(path, { force: true }); // left behind by a server that was killed
  const umask = process.umask(0o177);
  try {
    return Bun.serve({ ...serving(handler), unix: path, ...UNIX_IDLE });
  } catch (error) {
    throw listenError(error, path);
  } finally {
    process.umask(umask);
  }
}

/** Somebody listens on this socket. */
const isAlive = async (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = connect(path);
    probe.once("connect", () => {
      probe.destroy();
      resolve(true);
    });
    probe.once("error", () => {
      resolve(false);
    });
  });

/** Where the address comes from. */
type Setting = "PEAL_LISTEN" | "PEAL_LISTEN_TLS";

function listenError(error: unknown, address: string, setting: Setting = "PEAL_LISTEN"): ListenError {
  const code = codeOf(error);
  const reasons: Record<string, string> = {
    EADDRINUSE: `Another program listens on ${address}. Stop it, or choose another address with ${setting}.`,
    EACCES: `This user may not listen on ${address}. Choose a port above 1023 with ${setting}.`,
    ENAMETOOLONG: `The path ${address} is too long for a socket. Choose a shorter data directory with PEAL_DATA_DIR.`,
    EADDRNOTAVAIL: `${address} is no address of this machine. Choose another with ${setting}.`,
  };
  const reason = error instanceof Error ? error.message : String(error);
  return new ListenError(code, reasons[code] ?? `Cannot listen on ${address}: ${reason}`, { cause: error });
}

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "UNKNOWN";
