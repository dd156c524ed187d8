/** What the readers of one topic or namespace have in common: the announcements, and the pages of the store. */
import type { Committed } from "../../store/store.ts";
import { batches, type Entry } from "./batch.ts";
import type { Pager } from "./pager.ts";
import type { Slices } from "./slices.ts";
import type { Source } from "./source.ts";
import type { Stream, StreamFeed } from "./stream.ts";

/** The most announcements that wait to be sent. Beyond that all but the newest are dropped, and readers page them. */
const MAX_QUEUED = 1_000;
const MAX_QUEUED_CHARACTERS = 1_048_576;

/** What the feeds of a server share, and to whom they report. */
export interface FeedContext {
  slices: Slices;
  pager: Pager;
  /** The store could not be read: the streams end, and resume when their readers reconnect. */
  failed(error: unknown): void;
}

export class Feed implements StreamFeed {
  newest = 0;
  readonly source: Source;
  readonly #streams = new Set<Stream>();
  #queue: Entry[] = [];
  #queuedCharacters = 0;
  #telling = false;
  #gone = false;
  /** Streams by the id that they want a page after: thousands that reconnect after a restart share one. */
  readonly #waiting = new Map<number, Stream[]>();
  readonly #context: FeedContext;
  readonly #closed: () => void;
  readonly #unlisten: () => void;

  /** `closed`: nobody may join any more, because the last stream left or the topic is gone. May be called twice. */
  constructor(source: Source, context: FeedContext, closed: () => void) {
    this.source = source;
    this.#context = context;
    this.#closed = closed;
    this.#unlisten = source.listen((event) => {
      this.#hear(event);
    });
  }

  join(stream: Stream): void {
    this.#streams.add(stream);
  }

  leave(stream: Stream): void {
    this.#streams.delete(stream);
    if (this.#streams.size > 0) return;
    this.#unlisten();
    this.#closed();
  }

  /** Notifies all streams, in slices. A stream that joins meanwhile may be notified too. */
  async each(tell: (stream: Stream) => void): Promise<void> {
    for (const stream of this.#streams) {
      tell(stream);
      const rest = this.#context.slices.spend();
      if (rest) await rest;
    }
  }

  wantsPage(stream: Stream): void {
    const sharing = this.#waiting.get(stream.sent);
    if (sharing) sharing.push(stream);
    else this.#waiting.set(stream.sent, [stream]);
    this.#context.pager.serve(this);
  }

  /** Reads one page for all streams that wait for it. True: others wait for another page. */
  async servePage(): Promise<boolean> {
    const [next] = this.#waiting;
    if (next === undefined) return false;
    const [after, waiting] = next;
    this.#waiting.delete(after);
    const streams = waiting.filter((stream) => this.#streams.has(stream));
    if (streams.length > 0) await this.#page(after, streams);
    return this.#waiting.size > 0;
  }

  async #page(after: number, streams: readonly Stream[]): Promise<void> {
    const { newest } = this; // it was announced after its commit, so a page that is read now has it
    try {
      const { entries, hasMore, lastId } = await this.source.page(after);
      const page = { batches: batches(entries), upTo: hasMore ? undefined : Math.max(newest, lastId) };
      for (const stream of streams) {
        if (this.#streams.has(stream)) stream.read(page);
        const rest = this.#context.slices.spend();
        if (rest) await rest;
      }
    } catch (error) {
      this.#context.failed(error);
      for (const stream of streams) stream.end();
    }
  }

  #hear(event: Committed): void {
    if (event.kind === "message") this.#enqueue(this.source.entry(event));
    if (event.kind === "gone") {
      this.#gone = true;
      this.#closed();
    }
    if (this.#telling) return;
    this.#telling = true;
    // a turn later: the publisher gets the answer first, and what was committed together is sent together
    setImmediate(() => void this.#tell());
  }

  #enqueue(entry: Entry): void {
    this.newest = Math.max(this.newest, entry.id);
    const size = entry.message.json.length;
    if (this.#queue.length >= MAX_QUEUED || this.#queuedCharacters + size > MAX_QUEUED_CHARACTERS) this.#empty();
    this.#queue.push(entry);
    this.#queuedCharacters += size;
  }

  #empty(): Entry[] {
    const queue = this.#queue;
    this.#queue = [];
    this.#queuedCharacters = 0;
    return queue;
  }

  async #tell(): Promise<void> {
    while (this.#queue.length > 0) {
      for (const batch of batches(this.#empty())) {
        await this.each((stream) => {
          stream.hear(batch);
        });
      }
    }
    this.#telling = false;
    if (this.#gone) {
      await this.each((stream) => {
        stream.gone();
      });
    }
  }
}
