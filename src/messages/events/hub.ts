/** All open event streams of the server: how many there may be, what keeps them open, and what ends them. */
import type { Bus } from "../../bus/bus.ts";
import type { Config } from "../../config/config.ts";
import { network } from "../../http/address.ts";
import { contextOf } from "../../http/context.ts";
import { problem } from "../../http/problem.ts";
import type { Log } from "../../telemetry/log.ts";
import type { Metrics } from "../../telemetry/metrics.ts";
import { HOUR, type Clock, type Millis } from "../../util/clock.ts";
import { seldom } from "../../util/seldom.ts";
import { Connection, type ConnectionOwner, type Opening } from "./connection.ts";
import { Feed, type FeedContext } from "./feed.ts";
import { hintOf, Hints, type Hinting } from "./hints.ts";
import { Pager } from "./pager.ts";
import { Slices } from "./slices.ts";
import type { Stream } from "./stream.ts";

const HEARTBEAT_MS = 15_000;
/** Between two log lines that say that there is no room for more. */
const TELL_EVERY_MS = HOUR;
/** Handed out in turn before a shutdown, so that readers do not all reconnect to a restarted server at once. */
const RETRIES_MS = [500, 1_000, 1_500, 2_000, 2_500, 3_000, 3_500, 4_000];

interface Needs {
  bus: Bus;
  clock: Clock;
  config: Pick<Config, "limits">;
  log: Log;
  metrics: Pick<Metrics, "sseDropped" | "gauge">;
  /** Streams that the limit on open files leaves room for. */
  room: number;
}

/** Made once with `Deps`; `endAll` is called when the server stops, before the store closes. */
export class Streams implements ConnectionOwner, FeedContext {
  readonly slices: Slices;
  readonly pager = new Pager();
  readonly #feeds = new Map<string, Feed>();
  readonly #perAddress = new Map<string, number>();
  /** Streams that a key or a person holds open, with the functions that cancel their timers: they are few, so a search looks at all. */
  readonly #held = new Map<Connection, () => void>();
  readonly #hints = new Set<Hints>();
  /** When something that the dashboard's pages show last changed; after a start nobody knows. */
  #changedAt: Millis;
  #open = 0;
  readonly #mayTellOfNoRoom: () => boolean;
  #beating = false;
  #beats = 0;
  #stopping = false;
  readonly #deps: Needs;

  constructor(deps: Needs) {
    this.#deps = deps;
    this.slices = new Slices(deps.clock);
    this.#mayTellOfNoRoom = seldom(deps.clock, TELL_EVERY_MS);
    this.#changedAt = deps.clock.now();
    deps.metrics.gauge("sse_connections", () => this.#open);
    deps.bus.onAll((events) => {
      if (events.some(hintOf)) this.#changedAt = deps.clock.now();
      for (const hints of this.#hints) for (const event of events) hints.hear(event);
      for (const event of events)
        if (event.kind === "revoked" || event.kind === "person")
          for (const connection of this.#held.keys()) if (connection.isEndedBy(event)) connection.end();
    });
  }

  /** The answer to a request for a stream. @throws Problem `too_many_streams` over the caps, `no_room_for_streams`, `stopping` */
  open(request: Request, opening: Opening): Response {
    const room = this.#room(request);
    const { clock } = this.#deps;
    const connection = new Connection({ ...room, request, opening, clock, feed: this.#feed(opening), owner: this });
    if (connection.isHeld) this.#endWithKey(connection);
    return connection.response();
  }

  /** The same for a stream of hints. */
  openHints(request: Request, hinting: Hinting): Response {
    const { clock } = this.#deps;
    const closed = (hints: Hints, dropped: boolean) => {
      this.#hints.delete(hints);
      this.#release(hints.address, dropped);
    };
    const changedAt = () => this.#changedAt;
    const hints = new Hints({ ...this.#room(request), request, hinting, clock, changedAt, closed });
    this.#hints.add(hints);
    return hints.response();
  }

  /** Ends all streams and refuses new ones. */
  async endAll(): Promise<void> {
    this.#stopping = true;
    let n = 0;
    await this.#each((stream) => {
      stream.retry(RETRIES_MS[n++ % RETRIES_MS.length] ?? 0);
    });
  }

  closed(connection: Connection, dropped: boolean): void {
    this.#held.get(connection)?.();
    this.#held.delete(connection);
    this.#release(connection.address, dropped);
  }

  failed(error: unknown): void {
    this.#deps.log.warn("an event stream could not be read from the store", { error });
  }

  /** Counts one more stream for its address, and keeps its connection from looking idle. */
  #room(request: Request) {
    if (this.#stopping) throw problem.stopping();
    const context = contextOf(request);
    const address = context.local ? undefined : network(context.address);
    this.#count(address);
    if (!this.#beating) this.#beatLater();
    return { server: context.server, address };
  }

  #release(address: string | undefined, dropped: boolean): void {
    this.#open--;
    if (address !== undefined) {
      const left = (this.#perAddress.get(address) ?? 1) - 1;
      if (left > 0) this.#perAddress.set(address, left);
      else this.#perAddress.delete(address);
    }
    if (dropped) this.#deps.metrics.sseDropped.inc();
  }

  #count(address: string | undefined): void {
    const { perAddress, all } = this.#deps.config.limits.streams;
    if (all > 0 && this.#open >= all)
      throw problem.tooManyStreams(`The server has reached its limit of ${all} streams. Try again later.`);
    const held = address === undefined ? 0 : (this.#perAddress.get(address) ?? 0);
    if (perAddress > 0 && held >= perAddress) {
      throw problem.tooManyStreams(`This address has reached its limit of ${perAddress} streams. Close one first.`);
    }
    if (this.#open >= this.#deps.room) {
      const { log, room } = this.#deps;
      if (this.#mayTellOfNoRoom())
        log.warn("event streams are refused: the limit on open files leaves no room for more", { streams: room });
      throw problem.noRoomForStreams();
    }
    this.#open++;
    if (address !== undefined) this.#perAddress.set(address, held + 1);
  }

  #feed({ feed: name, source }: Opening): Feed {
    const known = this.#feeds.get(name);
    if (known) return known;
    const feed: Feed = new Feed(source, this, () => {
      if (this.#feeds.get(name) === feed) this.#feeds.delete(name);
    });
    this.#feeds.set(name, feed);
    return feed;
  }

  /** Looks again when its timer fires: a timer of more than 24.8 days fires early. */
  #endWithKey(connection: Connection): void {
    const { clock } = this.#deps;
    const left = (connection.key?.expiresAt ?? Infinity) - clock.now();
    const cancel =
      left === Infinity
        ? () => undefined
        : clock.after(left, () => {
            this.#endWithKey(connection);
          });
    this.#held.set(connection, cancel);
    if (left <= 0) connection.end();
  }

  /** One timer for all streams, and none while there are none. */
  #beatLater(): void {
    this.#beating = true;
    this.#deps.clock.after(HEARTBEAT_MS, () => void this.#beat());
  }

  async #beat(): Promise<void> {
    this.#beating = this.#open > 0;
    if (this.#beating) this.#beatLater();
    const now = this.#deps.clock.now();
    // timers do not notice that the wall clock was set
    for (const connection of this.#held.keys()) if ((connection.key?.expiresAt ?? Infinity) <= now) connection.end();
    const beat = ++this.#beats;
    await this.#each((stream) => {
      stream.beat(beat, now);
    });
  }

  async #each(tell: (stream: Stream | Hints) => void): Promise<void> {
    for (const hints of this.#hints) tell(hints);
    for (const feed of this.#feeds.values()) await feed.each(tell);
  }
}
