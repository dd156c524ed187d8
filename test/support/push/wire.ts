/**
 * The cable in front of a fake: a TCP forwarder on its own loopback port, which simulates network faults.
 *
 *   wire.port, wire.connections    where clients connect, and how many have
 *   wire.open                      how many are connected now
 *   wire.bytes                     bytes carried to clients so far
 *   await wire.stop()              connections are cut, new ones refused: the provider is down
 *   await wire.start()             on the same port again
 *   wire.cut()                     connections are cut in the middle
 *   wire.freeze()                  open ones carry nothing more and stay open; new ones work
 *   wire.thaw()                    they carry what was held back, and everything after it
 *   wire.isHole = true             new ones carry nothing either
 */
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";

export interface Wire extends AsyncDisposable {
  readonly port: number;
  readonly connections: number;
  readonly open: number;
  readonly bytes: number;
  isHole: boolean;
  stop(): Promise<void>;
  start(): Promise<void>;
  cut(): void;
  freeze(): void;
  thaw(): void;
}

/** Forwards to that port of 127.0.0.1. */
export async function wireTo(target: number): Promise<Wire> {
  const pairs = new Set<readonly [Socket, Socket]>();
  let port = 0;
  let connections = 0;
  let bytes = 0;
  let server: Server | undefined;

  const accept = (client: Socket) => {
    connections++;
    const upstream = connect(target, "127.0.0.1");
    const pair = [client, upstream] as const;
    pairs.add(pair);
    for (const socket of pair) {
      socket.setNoDelay(true);
      // a connection that fails is closed on both sides, which `close` does
      socket.on("error", () => undefined);
      socket.on("close", () => {
        if (pairs.delete(pair)) for (const end of pair) end.destroy();
      });
    }
    if (wire.isHole) return;
    upstream.on("data", (chunk) => (bytes += chunk.length));
    client.pipe(upstream);
    upstream.pipe(client);
  };
  const wire: Wire = {
    get port() {
      return port;
    },
    get connections() {
      return connections;
    },
    get open() {
      return pairs.size;
    },
    get bytes() {
      return bytes;
    },
    isHole: false,
    start: async () => {
      server = createServer(accept);
      port = await listening(server, port);
    },
    stop: async () => {
      const closing = server;
      server = undefined;
      if (closing === undefined) return;
      const closed = new Promise((resolve) => closing.close(resolve));
      wire.cut();
      await closed;
    },
    cut: () => {
      for (const pair of pairs) for (const socket of pair) socket.destroy();
      pairs.clear();
    },
    freeze: () => {
      for (const [client, upstream] of pairs) {
        client.unpipe(upstream).pause();
        upstream.unpipe(client).pause();
      }
    },
    thaw: () => {
      for (const [client, upstream] of pairs) {
        client.pipe(upstream);
        upstream.pipe(client);
      }
    },
    [Symbol.asyncDispose]: async () => wire.stop(),
  };
  await wire.start();
  return wire;
}

/** Listens on loopback, with 0 on any free port; returns the port. */
export async function listening(server: Server, port = 0): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  return (server.address() as AddressInfo).port;
}
