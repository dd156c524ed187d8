/** The addresses of PEAL_LISTEN_TLS. Another certificate is another listener on the same port, since Bun's keep theirs for life. */
import type { Server } from "bun";
import type { TcpAddress } from "../config/config.ts";
import type { Pair } from "../tls/certificate.ts";
import { DAY, SECOND, type Clock } from "../util/clock.ts";
import type { Handler } from "./edge.ts";
import { listenTls, probeTls } from "./listen.ts";
import { openSockets, steerTo } from "./steer.ts";

/** The old listener accepts what the kernel gave it: connections whose first bytes are on their way. */
const DRAIN_MS = 5 * SECOND;
/** Event streams stay on the old certificate for so long at most. */
const STREAMS_MS = DAY;

interface Door {
  address: TcpAddress;
  server?: Server<unknown>;
}

export class TlsDoors {
  readonly #clock: Clock;
  readonly #handler: Handler;
  readonly #doors: Door[];
  /** With the certificate before. */
  readonly #old = new Set<Server<unknown>>();
  /** Those of them that still listen. */
  #draining: Server<unknown>[] = [];
  #drained: Promise<void> = Promise.resolve();
  #pair: Pair | undefined;
  #isClosed = false;
  #isStopped = false;

  constructor(addresses: readonly TcpAddress[], handler: Handler, clock: Clock) {
    this.#doors = addresses.map((address) => ({ address }));
    this.#handler = handler;
    this.#clock = clock;
  }

  /** With real ports instead of 0. */
  get addresses(): readonly TcpAddress[] {
    return this.#doors.map(({ address }) => address);
  }

  /** Finds out at the start whether it may listen, although there may be no certificate yet. @throws ListenError */
  probe(): void {
    for (const door of this.#doors) door.address = probeTls(door.address);
  }

  /** Listens with this certificate from now on. @throws ListenError */
  async use(pair: Pair): Promise<void> {
    await this.#drained; // two listeners of a port are enough: the second is the new one
    if (!this.#isClosed && !this.#isStopped) this.#open(pair);
    this.#pair = pair; // only now: one that cannot be listened with must not be what `reopen` takes
  }

  #open(pair: Pair): void {
    const old: Server<unknown>[] = [];
    try {
      for (const door of this.#doors) {
        const { server } = door;
        door.server = server === undefined ? this.#listen(door.address, pair) : this.#listenBeside(door.address, pair);
        if (server !== undefined) old.push(server);
      }
    } finally {
      if (old.length > 0) this.#drain(old);
    }
  }

  #listen(address: TcpAddress, pair: Pair): Server<unknown> {
    probeTls(address);
    return listenTls(address, this.#handler, pair);
  }

  /** New connections are steered away from the listener that is there. Where that cannot be done, a few of them are reset. */
  #listenBeside(address: TcpAddress, pair: Pair): Server<unknown> {
    const before = openSockets();
    const server = listenTls(address, this.#handler, pair);
    const after = before && openSockets();
    if (after !== undefined) for (const [socket, fd] of after) if (!before?.has(socket)) steerTo(fd, 1);
    return server;
  }

  #drain(old: Server<unknown>[]): void {
    for (const server of old) this.#old.add(server);
    this.#draining = old;
    this.#drained = new Promise((drained) => {
      this.#clock.after(DRAIN_MS, () => {
        this.#endDraining();
        drained();
      });
    });
  }

  #endDraining(): void {
    for (const server of this.#draining.splice(0)) this.#end(server);
  }

  #end(server: Server<unknown>): void {
    const cancel = this.#clock.after(STREAMS_MS, () => void server.stop(true));
    void server.stop().then(() => {
      cancel();
      this.#old.delete(server);
    });
  }

  closeIdle(): number {
    return this.#all().reduce((sum, server) => sum + server.closeIdleConnections(), 0);
  }

  /** Takes no new connections until `reopen`. */
  close(): void {
    this.#isClosed = true;
    this.#endDraining(); // else their port would be taken at the next `reopen`
    for (const door of this.#doors) {
      if (door.server === undefined) continue;
      this.#old.add(door.server);
      this.#end(door.server);
      delete door.server;
    }
  }

  /** @throws ListenError */
  reopen(): void {
    this.#isClosed = false;
    if (this.#pair !== undefined && !this.#isStopped) this.#open(this.#pair);
  }

  async stop(atOnce: boolean): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#all().map(async (server) => server.stop(atOnce)));
  }

  #all(): Server<unknown>[] {
    return [...this.#old, ...this.#doors.flatMap(({ server }) => server ?? [])];
  }
}
