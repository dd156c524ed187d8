/** One open event stream: its socket, the reader's way through the feed, and what it was opened with. */
import type { Server } from "bun";
import type { ApiKey } from "../../keys/key.ts";
import type { Committed } from "../../store/store.ts";
import type { Clock } from "../../util/clock.ts";
import type { Feed } from "./feed.ts";
import type { Format } from "./format.ts";
import { Reader } from "./reader.ts";
import type { Position } from "./resume.ts";
import type { AnsweringSink, SinkOwner } from "./sink.ts";
import { SocketReader } from "./socket.ts";
import type { Source } from "./source.ts";
import { Stream, type Wanted } from "./stream.ts";

export interface Opening extends Wanted {
  /** Streams with the same name here share a feed. */
  feed: string;
  source: Source;
  /** Resume after this place; undefined: send only what comes from now on. */
  since: Position | undefined;
  /** The key that opened it: the stream ends when the key does. */
  key: Pick<ApiKey, "id" | "expiresAt"> | undefined;
  /** The person it belongs to: the stream ends when they are changed, and the reader connects again with their new rights. */
  personId?: string;
}

export interface ConnectionOwner {
  /** Called once, whichever side ended it. `dropped`: the reader did not keep up. */
  closed(connection: Connection, dropped: boolean): void;
  /** The store could not be read. */
  failed(error: unknown): void;
}

interface Parts {
  request: Request;
  server: Server<unknown>;
  /** The address that the cap counts it for; undefined: no address. */
  address: string | undefined;
  opening: Opening;
  feed: Feed;
  owner: ConnectionOwner;
  clock: Pick<Clock, "now">;
}

export class Connection implements SinkOwner {
  readonly address: Parts["address"];
  readonly key: Opening["key"];
  readonly #personId: Opening["personId"];
  readonly #since: Opening["since"];
  readonly #owner: ConnectionOwner;
  readonly #feed: Feed;
  readonly #sink: AnsweringSink;
  readonly #stream: Stream;
  readonly #clock: Parts["clock"];

  constructor({ request, server, address, opening, feed, owner, clock }: Parts) {
    this.address = address;
    this.key = opening.key;
    this.#personId = opening.personId;
    this.#since = opening.since;
    this.#owner = owner;
    this.#feed = feed;
    this.#clock = clock;
    this.#sink = sinkOf(opening.format, request, server, this);
    // not the opening itself: its source, of which the feed has one, would take as much memory as the rest of a stream's objects
    const { matches, base, format, asked, isPoll, beside } = opening;
    this.#stream = new Stream(feed, this.#sink, { matches, base, format, asked, isPoll, beside });
    feed.join(this.#stream);
  }

  /** It ends when a key or a person does. */
  get isHeld(): boolean {
    return (this.key ?? this.#personId) !== undefined;
  }

  /** Whether the event takes away what it is held by. */
  isEndedBy(event: Committed): boolean {
    if (event.kind === "revoked") return event.keyId === this.key?.id;
    return event.kind === "person" && event.personId === this.#personId;
  }

  response(): Response {
    return this.#sink.response();
  }

  opened(): void {
    void this.#start();
  }

  drained(): void {
    this.#stream.drained();
  }

  ended(dropped: boolean): void {
    this.#feed.leave(this.#stream);
    this.#owner.closed(this, dropped);
  }

  end(): void {
    this.#sink.end();
  }

  /** Asks where the feed stands after the stream has joined it, so that nothing that is committed later is missed. */
  async #start(): Promise<void> {
    try {
      const { source } = this.#feed;
      const lastId = await source.lastId();
      if (lastId === undefined) {
        this.#stream.gone(); // the topic went between the request's look-up and here
        return;
      }
      const since = this.#since;
      const isReset = since !== undefined && (await source.isOfAnotherPast(since, lastId));
      const id = isReset ? lastId : (since?.id ?? lastId);
      const place = await source.placeAt(id);
      this.#stream.open({ place, about: source.about, lastId, isReset }, this.#clock.now());
      this.#stream.start(id, lastId);
    } catch (error) {
      this.#owner.failed(error);
      this.#sink.end();
    }
  }
}

const sinkOf = (format: Format, request: Request, server: Server<unknown>, owner: SinkOwner): AnsweringSink =>
  format.contentType === undefined
    ? new SocketReader(request, owner)
    : new Reader({ request, server, contentType: format.contentType }, owner);
