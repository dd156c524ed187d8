/** One reader's way through a feed: the rule by which nothing is lost, repeated or swapped (ARCHITECTURE.md §5). */
import type { Millis } from "../../util/clock.ts";
import type { Batch, Entry } from "./batch.ts";
import type { Beginning, Format, Frame } from "./format.ts";
import type { Sink } from "./sink.ts";

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
  format: Format;
  /** The feed, as the reader named it. */
  asked: string;
  /** It ends as soon as the reader has everything: an answer to a poll. */
  isPoll?: boolean | undefined;
  /** Frames that have no place in the feed: sent as soon as the reader has everything. */
  beside?: readonly Frame[] | undefined;
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
  readonly #wanted: Wanted;
  /** How many of the frames beside the feed are sent. */
  #beside = 0;

  constructor(feed: StreamFeed, sink: Sink, wanted: Wanted) {
    this.#feed = feed;
    this.#sink = sink;
    this.#wanted = wanted;
  }

  /** Says what the reader is told first. */
  open(beginning: Beginning, now: Millis): void {
    const { format, asked, isPoll } = this.#wanted;
    const frame = isPoll === true ? undefined : format.opening(beginning, { now, asked });
    if (frame !== undefined) this.#sink.send(frame);
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

  /** `count`: of the heartbeats, every 15 s. */
  beat(count: number, now: Millis): void {
    const { format, asked, isPoll } = this.#wanted;
    const frame = isPoll === true ? undefined : format.heartbeat(count, { now, asked });
    if (frame !== undefined) this.#sink.send(frame);
  }

  /** Ends it: the topic's key no longer works. */
  gone(): void {
    this.#endWith(this.#wanted.format.gone);
  }

  /** Ends it before a shutdown: the reader is to connect again after so many milliseconds. */
  retry(ms: number): void {
    this.#endWith(this.#wanted.format.retry?.(ms));
  }

  end(): void {
    this.#sink.end();
  }

  #endWith(lastWords: Frame | undefined): void {
    if (lastWords !== undefined) this.#sink.send(lastWords);
    this.#sink.end();
  }

  #take(batch: Batch): void {
    const { matches, format, base } = this.#wanted;
    const whole = matches === undefined && batch.first.id > this.sent;
    if (whole) for (const frame of batch.frames(format, base)) this.#sink.send(frame);
    else
      for (const entry of batch.entries)
        if (entry.id > this.sent && (matches === undefined || matches(entry)))
          this.#sink.send(entry.frame(format, base));
    this.sent = Math.max(this.sent, batch.last.id);
  }

  /** `upTo`: nothing up to it is left to page; undefined: there is more. */
  #settle(upTo: number | undefined): void {
    this.sent = Math.max(this.sent, upTo ?? 0);
    this.#live = upTo !== undefined && this.#feed.newest <= this.sent;
    if (!this.#live) this.#fallBehind();
    else this.#caughtUp();
  }

  #caughtUp(): void {
    const { beside = [], isPoll = false } = this.#wanted;
    while (this.#beside < beside.length && this.#sink.unsent === 0) this.#sink.send(beside[this.#beside++] ?? "");
    if (this.#beside < beside.length) this.#fallBehind();
    else if (isPoll && this.#sink.unsent > 0) this.#fallBehind(); // an end drops what the socket has not taken
    else if (isPoll) this.#sink.end();
  }

  #fallBehind(): void {
    this.#live = false;
    if (this.#sink.unsent > 0) this.#waitsForSocket = true;
    else this.#feed.wantsPage(this);
  }
}
