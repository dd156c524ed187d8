/** What was acknowledged and what was heard: at the end both must be the same. */

export interface Book {
  /** The text of the next message, by which it is known again; it says when it was sent. */
  next(): string;
  /** Answered 2xx as message `id` of `topic`. */
  acknowledged(topic: string, id: number, text: string): void;
  /** A reader was sent it. */
  heard(topic: string, id: number, text: string): void;
  /** The history has it. */
  stored(topic: string, id: number, text: string): void;
  /** A promise was broken. */
  broken(what: string): void;
  /** The server ended a stream. */
  cut(): void;
  /** What broke so far. */
  readonly faults: readonly string[];
  readonly cuts: number;
  readonly count: number;
  /** Milliseconds from sending to hearing since it was last asked. */
  takeLatencies(): number[];
  /** Acknowledged messages that no reader has heard. */
  missing(): number;
}

const MOST_FAULTS = 20;
const MARK = /ZQ(\d+)Q([\d.]+)Q/;
/** More than a topic keeps. Older messages that were heard are forgotten: a book of all of them would slow what measures. */
const REMEMBERED = 5_000;

/** Of one message. */
interface Entry {
  /** Of its text, as whoever came first gave it. */
  hash: number | bigint;
  acknowledged: boolean;
  heard: boolean;
}

/** The entries of a topic by id, the oldest first. */
type Page = Map<number, Entry>;

export function createBook(): Book {
  const pages = new Map<string, Page>();
  /** Of our numbers of messages: under which id each was heard. */
  const ids = new Map<number, string>();
  const faults: string[] = [];
  let latencies: number[] = [];
  let [count, cuts, made] = [0, 0, 0];

  const broken = (what: string) => {
    if (faults.length < MOST_FAULTS) faults.push(what);
  };
  const pageOf = (topic: string): Page => {
    const page = pages.get(topic) ?? new Map<number, Entry>();
    pages.set(topic, page);
    return page;
  };
  const entryOf = (topic: string, id: number, text: string): Entry => {
    const hash = Bun.hash(text);
    const page = pageOf(topic);
    const entry = page.get(id) ?? { hash, acknowledged: false, heard: false };
    if (entry.hash !== hash) broken(`${topic} ${id}: another text than before`);
    page.set(id, entry);
    for (const [oldest, { heard }] of page) {
      if (oldest > id - REMEMBERED) break;
      if (heard) page.delete(oldest);
    }
    return entry;
  };
  return {
    next: () => `ZQ${made++}Q${performance.now().toFixed(2)}Q backup of the database finished`,
    acknowledged: (topic, id, text) => {
      const entry = entryOf(topic, id, text);
      if (entry.acknowledged) broken(`${topic} ${id}: acknowledged twice`);
      entry.acknowledged = true;
      count++;
    },
    heard: (topic, id, text) => {
      const [, n, sentAt] = MARK.exec(text) ?? [];
      if (sentAt !== undefined) latencies.push(performance.now() - Number(sentAt));
      const entry = entryOf(topic, id, text);
      if (entry.heard) return; // the order of each reader is its own to check
      entry.heard = true;
      if (n === undefined) return;
      const here = `${topic} ${id}`;
      const there = ids.get(Number(n));
      if (there !== undefined) broken(`message ${n} is ${here} and ${there}`);
      ids.set(Number(n), here);
      ids.delete(Number(n) - REMEMBERED * pages.size);
    },
    stored: (topic, id, text) => {
      entryOf(topic, id, text);
    },
    ...{ broken, faults },
    cut: () => cuts++,
    get cuts() {
      return cuts;
    },
    get count() {
      return count;
    },
    takeLatencies: () => {
      const taken = latencies;
      latencies = [];
      return taken;
    },
    missing: () => {
      const entries = [...pages.values()].flatMap((page) => [...page.values()]);
      return entries.filter(({ acknowledged, heard }) => acknowledged && !heard).length;
    },
  };
}
