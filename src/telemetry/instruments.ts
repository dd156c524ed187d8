/** The kinds of metrics, each with its samples in Prometheus' text format. */

export type MetricType = "counter" | "gauge" | "histogram";

export interface Instrument {
  /** The samples as lines of the exposition. */
  lines(name: string): string[];
}

export class Counter implements Instrument {
  value = 0;
  inc(n = 1): void {
    this.value += n;
  }
  lines(name: string): string[] {
    return [`${name} ${this.value}`];
  }
}

/** A value that is read when `/metrics` is asked for; 0 until it is known how to read it. */
export class Reading implements Instrument {
  read: () => number = () => 0;
  lines(name: string): string[] {
    return [`${name} ${this.read()}`];
  }
}

/** Cumulative buckets by upper bound, as Prometheus wants them. */
export class Histogram implements Instrument {
  readonly bounds: readonly number[];
  readonly counts: Float64Array;
  sum = 0;
  count = 0;
  constructor(bounds: readonly number[]) {
    this.bounds = bounds;
    this.counts = new Float64Array(bounds.length);
  }
  observe(value: number): void {
    this.sum += value;
    this.count++;
    const bucket = this.bounds.findIndex((bound) => value <= bound);
    if (bucket >= 0) this.counts[bucket] = (this.counts[bucket] ?? 0) + 1;
  }
  lines(name: string): string[] {
    let below = 0;
    return [
      ...this.bounds.map((bound, i) => `${name}_bucket{le="${bound}"} ${(below += this.counts[i] ?? 0)}`),
      `${name}_bucket{le="+Inf"} ${this.count}`,
      `${name}_sum ${this.sum}`,
      `${name}_count ${this.count}`,
    ];
  }
}

/** One counter for each combination of label values; beyond the cap all further combinations share `other`. */
export class CounterFamily implements Instrument {
  readonly #labels: readonly string[];
  readonly #children = new Map<string, { text: string; counter: Counter }>();
  #latest: { values: readonly string[]; counter: Counter } | undefined;
  constructor(labels: readonly string[]) {
    this.#labels = labels;
  }
  /** Label values in the order of the constructor's names. The latest are compared first: messages come in runs. */
  of(...values: string[]): Counter {
    if (this.#latest !== undefined && isSame(values, this.#latest.values)) return this.#latest.counter;
    const key = values.join("\0");
    const known = this.#children.get(key);
    if (known !== undefined) return (this.#latest = { values, counter: known.counter }).counter;
    if (this.#children.size >= MAX_CHILDREN && values.some((value) => value !== "other"))
      return this.of(...values.map(() => "other"));
    const counter = new Counter();
    this.#children.set(key, { text: labelText(this.#labels, values), counter });
    return counter;
  }
  /** For values that are counted again each time. */
  clear(): void {
    this.#children.clear();
    this.#latest = undefined;
  }
  samples(): [labels: string, value: number][] {
    return [...this.#children.values()].map(({ text, counter }) => [text, counter.value]);
  }
  lines(name: string): string[] {
    return this.samples().map(([labels, value]) => `${name}${labels} ${value}`);
  }
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false;
  return true;
}

/** Labels that come from outside (namespaces) must not make memory grow without bound. */
const MAX_CHILDREN = 5_000;

const labelText = (names: readonly string[], values: readonly string[]): string =>
  `{${names.map((name, i) => `${name}="${escapeLabel(values[i] ?? "")}"`).join(",")}}`;

const escapeLabel = (text: string): string => text.replace(/[\\"\n]/g, (c) => (c === "\n" ? "\\n" : `\\${c}`));
