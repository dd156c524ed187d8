/** The addresses of PEAL_LISTEN: open, but for moments in which no more files may be opened (OPERATIONS.md §4). */
import type { Server } from "bun";
import type { ListenAddress } from "../config/config.ts";
import type { Log, LogFields } from "../telemetry/log.ts";
import type { Clock } from "../util/clock.ts";
import type { Door } from "./context.ts";
import type { Handler } from "./edge.ts";
import { listen } from "./listen.ts";
import { holdFiles } from "./open-files.ts";
import type { TlsDoors } from "./tls-doors.ts";

interface Parts {
  clock: Clock;
  log: Log;
  /** The handler of a door. */
  through: (door: Door) => Handler;
  /** Files that the process may have open. */
  openFiles: number;
  /** The addresses with https; they close and open with the others. */
  tls?: TlsDoors;
}

/** Between two looks: while all is well, and after a start or a shortage, when all readers reconnect at once. */
const CALM_MS = 5_000;
const ALERT_MS = 250;
const ALERT_FOR_MS = 60_000;
/** Between two log lines about the same event. */
const TELL_EVERY_MS = 60_000;
/** Held to be released in a shortage, so that the operator's socket and the database keep working. */
const SPARES = 8;

/**
 * When no more files may be opened, Bun 1.4.5 asks the kernel for the next connection over and over: it takes a whole core, and
 * says nothing (measured). So these doors check whether there is room for one more. If not, they close connections that wait
 * for their next request; if that frees too few, the doors close too until there is room again: open connections go on, and
 * the kernel refuses new ones.
 */
export class Doors {
  readonly #parts: Parts;
  readonly #spareCount: number;
  #spares: Disposable | undefined;
  readonly #addresses: ListenAddress[] = [];
  #servers: Server<unknown>[] = [];
  /** No longer listening, but with connections that have not ended. */
  readonly #ending = new Set<Server<unknown>>();
  /** `short`: open, but the last look found no room. */
  #state: "open" | "short" | "closed" = "open";
  #isStopped = false;
  /** These are monotonic. */
  #alertUntil: number;
  readonly #toldAt = new Map<string, number>();
  #cancelTimer = () => {};

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#spareCount = Math.min(SPARES, Math.floor(parts.openFiles / 8));
    this.#alertUntil = parts.clock.monotonic() + ALERT_FOR_MS;
  }

  /** With real ports instead of 0. */
  get addresses(): readonly ListenAddress[] {
    return this.#addresses;
  }

  /** @throws ListenError */
  async open(addresses: readonly ListenAddress[]): Promise<void> {
    for (const address of addresses) {
      const server = await this.#listen(address);
      this.#addresses.push(address.kind === "unix" ? address : { ...address, port: server.port ?? address.port });
    }
    if (addresses.length > 0) await this.#look();
  }

  /** Takes no more connections. Resolves when those that are open have ended; `atOnce` ends them. */
  async stop(atOnce = false): Promise<void> {
    this.#isStopped = true;
    this.#cancelTimer();
    this.#spares?.[Symbol.dispose]();
    this.#spares = undefined;
    await Promise.all([
      ...[...this.#ending, ...this.#servers].map(async (server) => server.stop(atOnce)),
      this.#parts.tls?.stop(atOnce),
    ]);
  }

  async #listen(address: ListenAddress): Promise<Server<unknown>> {
    const server = await listen(address, this.#parts.through(address.kind));
    this.#servers.push(server);
    if (this.#isStopped) await server.stop(true);
    return server;
  }

  async #look(): Promise<void> {
    const { clock } = this.#parts;
    if (this.#state === "closed") await this.#reopen();
    else if (this.#hasRoom()) this.#state = "open";
    else this.#makeRoom();
    if (this.#isStopped) return;
    const isAlert = this.#state !== "open" || clock.monotonic() < this.#alertUntil;
    this.#cancelTimer = clock.after(isAlert ? ALERT_MS : CALM_MS, () => void this.#look());
  }

  #hasRoom(): boolean {
    this.#spares ??= holdFiles(this.#spareCount);
    using another = this.#spares && holdFiles(1);
    return another !== undefined;
  }

  #makeRoom(): void {
    this.#alertUntil = this.#parts.clock.monotonic() + ALERT_FOR_MS;
    this.#spares?.[Symbol.dispose]();
    this.#spares = undefined;
    const { tls } = this.#parts;
    const idle = this.#servers.reduce((sum, server) => sum + server.closeIdleConnections(), tls?.closeIdle() ?? 0);
    // at the first look there may be requests under way that end soon
    if (this.#state === "open" || idle >= this.#spareCount) {
      this.#state = "short";
      this.#tell("no more files may be opened: idle connections are closed");
      return;
    }
    this.#close();
    this.#tell("no more files may be opened: new connections are refused for a moment");
  }

  #close(): void {
    this.#state = "closed";
    this.#parts.tls?.close();
    for (const server of this.#servers.splice(0)) {
      this.#ending.add(server);
      void server.stop().then(() => this.#ending.delete(server));
    }
  }

  async #reopen(): Promise<void> {
    // more than the spares: else the next connection would close it again
    const room = holdFiles(2 * this.#spareCount);
    if (room === undefined) return;
    room[Symbol.dispose]();
    this.#state = "short";
    try {
      for (const address of this.#addresses) await this.#listen(address);
      this.#parts.tls?.reopen();
    } catch (error) {
      this.#close();
      this.#tell("cannot listen again", { error });
    }
  }

  /** At most once a minute, however often it happens. */
  #tell(event: string, fields: LogFields = {}): void {
    const { clock, log, openFiles } = this.#parts;
    const now = clock.monotonic();
    if (now - (this.#toldAt.get(event) ?? -Infinity) < TELL_EVERY_MS) return;
    this.#toldAt.set(event, now);
    log.warn(event, { open_files: openFiles, ...fields });
  }
}
