/**
 * Messages on their way to readers, in the order of a feed, each encoded once for all of them. A message with files has their
 * URLs, which begin with the address that a reader came by (`base`): it is encoded again if the next reader came by another.
 */
import { draftOf, hasFiles, messageJson, type Message } from "../message.ts";
import type { Draft } from "../../drafts/draft.ts";
import type { TopicOfMessage } from "../../topics/topic.ts";
import { messageFrame } from "./frame.ts";
import type { Position } from "./resume.ts";

/** A batch is one write: a larger one would make a reader that keeps up look like one that does not. */
const BATCH_BYTES = 64 * 1024;

/** One message in a feed. */
export class Entry {
  /** There is nothing in the feed between this id and `id`. */
  readonly after: number;
  readonly id: number;
  readonly message: Message;
  readonly #epoch: string;
  readonly #topic: TopicOfMessage;
  #frame: Uint8Array | undefined;
  #base: string | undefined;
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
    this.#topic = topic;
  }

  /** The frame, made when the first reader wants it. */
  frame(base: string): Uint8Array {
    if (this.#frame !== undefined && (this.#base === base || !this.isOfBase)) return this.#frame;
    this.#base = base;
    return (this.#frame = messageFrame(
      { id: this.id, at: this.message.createdAt, epoch: this.#epoch },
      messageJson(this.#topic, this.message, base),
    ));
  }

  /** Its frame differs from base to base. */
  get isOfBase(): boolean {
    return hasFiles(this.message);
  }

  /** The draft, parsed when the filter of a reader first asks for it. */
  get draft(): Draft {
    return (this.#draft ??= draftOf(this.message));
  }
}

/** Entries that follow one another without a gap; never empty. */
export class Batch {
  readonly entries: readonly Entry[];
  readonly first: Entry;
  readonly last: Entry;
  #bytes: Uint8Array | undefined;
  #base: string | undefined;

  constructor(entries: readonly [Entry, ...Entry[]]) {
    this.entries = entries;
    this.first = entries[0];
    this.last = entries.at(-1) ?? entries[0];
  }

  /** All frames in one piece: 1,000 messages a second to 10,000 readers are a few writes a second each, not a thousand. */
  bytes(base: string): Uint8Array {
    if (this.entries.length === 1) return this.first.frame(base);
    if (this.#bytes !== undefined && (this.#base === base || !this.entries.some(({ isOfBase }) => isOfBase)))
      return this.#bytes;
    this.#base = base;
    return (this.#bytes = Buffer.concat(this.entries.map((entry) => entry.frame(base))));
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
