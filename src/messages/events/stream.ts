/** One reader's way through a feed: the rule by which nothing is lost, repeated or swapped (ARCHITECTURE.md §5). */
import type { Batch, Entry } from "./batch.ts";
import type { Sink } from "./reader.ts";

/** The store's entries after an id. */
export interface FeedPage {
  /** In the order of the feed; may be empty. */
  batches: readonly Batch[];
  /** There is nothing else up to this id, so anything missing was deleted; undefined: there is more to page. */
  upTo: number | undefined;
}

/** What a stream asks its feed for. */
export interface StreamFeed {
  /** The highest id that was announced since the stream joined. */
  readonly newest: number;
  /** Sooner or later calls `stream.read(page)` with the page behind `stream.sent`. */
  wantsPage(stream: Stream): void;
}

export type Matches = (entry: Entry) => boolean;

/** What a reader asked for. */
export interface Wanted {
  /** Absent: everything. */
  matches: Matches | undefined;
  /** The address of the server that the reader uses, for URLs. */
  base: string;
}

/**
 * The ids of a feed are its clock. `sent` is the last id that the reader was given, and a stream is either
 *
 *   live    `sent` is the newest there is. It takes what is announced: an entry it has (`id ≤ sent`) is dropped, one that
 *           follows `sent` (`after ≤ sent`) is sent; anything else tells that announcements were lost or swapped, and
 *           puts it behind.
 *   behind  it hears nothing, and pages the store from `sent` until that has no more. It is live again only when nothing
 *           newer than what it has was announced meanwhile; `newest` is raised before anyone learns of the message, and
 *           a message is announced after its commit, so that the next page is sure to have it.
 *
 * No announcement is kept for a stream that is behind and no page for one whose socket is full: what it did not take it
 * pages again. So a lost, late, doubled or swapped announcement heals with the next, and so do ids that retention took.
 */
export class Stream {
  sent = 0;
  #live = false;
  #waitsForSocket = false;
  readonly #feed: StreamFeed;
  readonly #sink: Sink;
  readonly #matches: Matches | undefined;
  readonly #base: string;

  constructor(feed: StreamFeed, sink: Sink, { matches, base }: Wanted) {
    this.#feed = feed;
    this.#sink = sink;
    this.#matches = matches;
    this.#base = base;
  }

  /** Begins behind `sent`, when the feed's newest was `last` at some time after the stream joined it. */
  start(sent: number, last: number): void {
    this.sent = sent;
    this.#settle(sent < last ? undefined : sent);
  }

  /** Takes entries that were announced. */
  hear(batch: Batch): void {
    if (!this.#live || batch.last.id <= this.sent) return;
    if (batch.first.after <= this.sent) this.#take(batch);
    else this.#fallBehind();
  }

  /** Takes the store's entries after `sent`. */
  read(page: FeedPage): void {
    for (const batch of page.batches) {
      if (this.#sink.unsent > 0) {
        this.#fallBehind();
        return;
      }
      this.#take(batch);
    }
    this.#settle(page.upTo);
  }

  /** The socket has taken everything. */
  drained(): void {
    if (!this.#waitsForSocket) return;
    this.#waitsForSocket = false;
    this.#feed.wantsPage(this);
  }

  /** Sends bytes out of the feed's order: a heartbeat. */
  say(bytes: Uint8Array): void {
    this.#sink.send(bytes);
  }

  end(lastWords?: Uint8Array): void {
    if (lastWords) this.#sink.send(lastWords);
    this.#sink.end();
  }

  #take(batch: Batch): void {
    const whole = this.#matches === undefined && batch.first.id > this.sent;
    if (whole) this.#sink.send(batch.bytes(this.#base));
    else
      for (const entry of batch.entries)
        if (entry.id > this.sent && this.#wants(entry)) this.#sink.send(entry.frame(this.#base));
    this.sent = Math.max(this.sent, batch.last.id);
  }

  #wants(entry: Entry): boolean {
    return this.#matches === undefined || this.#matches(entry);
  }

  /** `upTo`: nothing up to it is left to page; undefined: there is more. */
  #settle(upTo: number | undefined): void {
    this.sent = Math.max(this.sent, upTo ?? 0);
    this.#live = upTo !== undefined && this.#feed.newest <= this.sent;
    if (!this.#live) this.#fallBehind();
  }

  #fallBehind(): void {
    this.#live = false;
    if (this.#sink.unsent > 0) this.#waitsForSocket = true;
    else this.#feed.wantsPage(this);
  }
}
