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

export function createBook(): Book {
  /** By topic and id the hash of the text: first acknowledged or heard, whichever came first. */
  const texts = new Map<string, Map<number, number | bigint>>();
  const acks = new Map<string, Set<number>>();
  const heards = new Map<string, Set<number>>();
  /** Of our numbers of messages: under which id each was heard. */
  const ids = new Map<number, string>();
  const faults: string[] = [];
  let latencies: number[] = [];
  let [count, cuts, made] = [0, 0, 0];

  const broken = (what: string) => {
    if (faults.length < MOST_FAULTS) faults.push(what);
  };
  const within = <T>(all: Map<string, T>, topic: string, fresh: () => T): T => {
    const found = all.get(topic) ?? fresh();
    all.set(topic, found);
    return found;
  };
  const compare = (topic: string, id: number, text: string) => {
    const known = within(texts, topic, () => new Map<number, number | bigint>());
    const hash = Bun.hash(text);
    if ((known.get(id) ?? hash) !== hash) broken(`${topic} ${id}: another text than before`);
    known.set(id, hash);
  };
  return {
    next: () => `ZQ${made++}Q${performance.now().toFixed(2)}Q backup of the database finished`,
    acknowledged: (topic, id, text) => {
      compare(topic, id, text);
      const own = within(acks, topic, () => new Set<number>());
      if (own.has(id)) broken(`${topic} ${id}: acknowledged twice`);
      own.add(id);
      count++;
    },
    heard: (topic, id, text) => {
      const [, n, sentAt] = MARK.exec(text) ?? [];
      if (sentAt !== undefined) latencies.push(performance.now() - Number(sentAt));
      const own = within(heards, topic, () => new Set<number>());
      if (own.has(id)) return; // the order of each reader is its own to check
      own.add(id);
      compare(topic, id, text);
      if (n === undefined) return;
      if (ids.has(Number(n))) broken(`message ${n} is ${topic} ${id} and ${ids.get(Number(n)) ?? ""}`);
      ids.set(Number(n), `${topic} ${id}`);
    },
    ...{ stored: compare, broken, faults },
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
    missing: () =>
      [...acks].reduce((sum, [topic, own]) => sum + own.difference(heards.get(topic) ?? new Set<number>()).size, 0),
  };
}
