/**
 * Messages on their way to readers, in the order of a feed, each encoded once for all readers of a format. Some have URLs in
 * them, which begin with the address that a reader came by (`base`): they are encoded again if the next reader came by another.
 */
import type { Draft } from "../../drafts/draft.ts";
import type { TopicOfMessage } from "../../topics/topic.ts";
import { draftOf, type Message } from "../message.ts";
import type { Format, Frame, Told } from "./format.ts";
import type { Position } from "./resume.ts";

/** A batch is one write: a larger one would make a reader that keeps up look like one that does not. */
const BATCH_BYTES = 64 * 1024;

/** What depends on the address that a reader came by, in some formats. */
interface OfBase {
  isOfBase(format: Format): boolean;
}

/** What was made for readers, by their format. */
class Made<T> {
  readonly #made = new Map<Format, { base: string; it: T }>();

  /** Undefined: not yet, or for another address alone. */
  of(format: Format, base: string, whole: OfBase): T | undefined {
    const found = this.#made.get(format);
    return found !== undefined && (found.base === base || !whole.isOfBase(format)) ? found.it : undefined;
  }

  keep(format: Format, base: string, it: T): T {
    this.#made.set(format, { base, it });
    return it;
  }
}

/** One message in a feed. */
export class Entry implements Told, OfBase {
  /** There is nothing in the feed between this id and `id`. */
  readonly after: number;
  readonly id: number;
  readonly message: Message;
  readonly topic: TopicOfMessage;
  readonly #epoch: string;
  readonly #frames = new Made<Frame>();
  #draft: Draft | undefined;

  constructor(
    after: number,
    { id, epoch }: Pick<Required<Position>, "id" | "epoch">,
    topic: TopicOfMessage,
    message: Message,
  ) {
    this.after = after;
    this.id = id;
    this.#epoch = epoch;
    this.message = message;
    this.topic = topic;
  }

  get place(): Required<Position> {
    return { id: this.id, at: this.message.createdAt, epoch: this.#epoch };
  }

  get draft(): Draft {
    return (this.#draft ??= draftOf(this.message));
  }

  /** The frame, made when the first reader wants it. */
  frame(format: Format, base: string): Frame {
    return this.#frames.of(format, base, this) ?? this.#frames.keep(format, base, format.message(this, base));
  }

  isOfBase(format: Format): boolean {
    return format.isOfBase(this.message);
  }
}

/** Entries that follow one another without a gap; never empty. */
export class Batch implements OfBase {
  readonly entries: readonly Entry[];
  readonly first: Entry;
  readonly last: Entry;
  readonly #frames = new Made<readonly Frame[]>();

  constructor(entries: readonly [Entry, ...Entry[]]) {
    this.entries = entries;
    this.first = entries[0];
    this.last = entries.at(-1) ?? entries[0];
  }

  /**
   * All frames. For a stream they are one piece: 1,000 messages a second to 10,000 readers are a few writes a second each, not a
   * thousand.
   */
  frames(format: Format, base: string): readonly Frame[] {
    return this.#frames.of(format, base, this) ?? this.#frames.keep(format, base, this.#make(format, base));
  }

  isOfBase(format: Format): boolean {
    return this.entries.some((entry) => entry.isOfBase(format));
  }

  #make(format: Format, base: string): readonly Frame[] {
    const frames = this.entries.map((entry) => entry.frame(format, base));
    const pieces = frames.filter((frame) => typeof frame !== "string");
    return pieces.length === frames.length && pieces.length > 1 ? [Buffer.concat(pieces)] : frames;
  }
}

/** Cuts entries into batches: wherever one does not follow the one before, or a write would grow too large. */
export function batches(entries: readonly Entry[]): Batch[] {
  const result: Batch[] = [];
  let run: [Entry, ...Entry[]] | undefined;
  let bytes = 0;
  for (const entry of entries) {
    const size = entry.message.json.length;
    if (run !== undefined && entry.after === run.at(-1)?.id && bytes + size <= BATCH_BYTES) {
      run.push(entry);
      bytes += size;
      continue;
    }
    if (run !== undefined) result.push(new Batch(run));
    run = [entry];
    bytes = size;
  }
  if (run !== undefined) result.push(new Batch(run));
  return result;
}
