/** One open event stream: its socket, the reader's way through the feed, and what it was opened with. */
import type { Server } from "bun";
import type { ApiKey } from "../../keys/key.ts";
import type { Feed } from "./feed.ts";
import { GONE, readyFrame } from "./frame.ts";
import { Reader, type ReaderOwner } from "./reader.ts";
import type { Position } from "./resume.ts";
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
}

export class Connection implements ReaderOwner {
  readonly key: Opening["key"];
  readonly address: Parts["address"];
  readonly #since: Opening["since"];
  readonly #owner: ConnectionOwner;
  readonly #feed: Feed;
  readonly #reader: Reader;
  readonly #stream: Stream;

  constructor({ request, server, address, opening, feed, owner }: Parts) {
    this.key = opening.key;
    this.address = address;
    this.#since = opening.since;
    this.#owner = owner;
    this.#feed = feed;
    this.#reader = new Reader(request, server, this);
    this.#stream = new Stream(feed, this.#reader, opening);
    feed.join(this.#stream);
  }

  response(): Response {
    return this.#reader.response();
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
    this.#reader.end();
  }

  /** Asks where the feed stands after the stream has joined it, so that nothing that is committed later is missed. */
  async #start(): Promise<void> {
    try {
      const { source } = this.#feed;
      const lastId = await source.lastId();
      if (lastId === undefined) {
        this.#stream.end(GONE); // the topic went between the request's look-up and here
        return;
      }
      const since = this.#since;
      const reset = since !== undefined && (await source.isOfAnotherPast(since, lastId));
      const id = reset ? lastId : (since?.id ?? lastId);
      const place = await source.placeAt(id);
      this.#reader.send(readyFrame(place, { ...source.about, last_id: lastId, ...(reset && { reset }) }));
      this.#stream.start(id, lastId);
    } catch (error) {
      this.#owner.failed(error);
      this.#reader.end();
    }
  }
}
