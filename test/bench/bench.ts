/** What a benchmark gets, and what it returns. */
import type { Tools } from "./machine.ts";
import type { Program } from "./servers.ts";

export interface Bench {
  program: Program;
  /** An older release, for the benchmarks that compare with one. */
  older?: Program;
  /** Undefined where there is no C compiler; then there is nothing to compare with either. */
  tools: Tools | undefined;
  /** How long a load lasts, in seconds. */
  seconds: number;
  /** How often each case is measured, in turns with what it is compared with; the medians are reported. */
  rounds: number;
  /** A short run, to see that everything works: fewer and smaller cases. */
  isQuick: boolean;
}

/** A line of the table. Numbers are in `unit`. */
export interface Row {
  what: string;
  unit: string;
  peal: number;
  /** What the comparisons measured in the same run; a ratio in `target` refers to the first of them. */
  beside?: { what: string; value: number }[];
  /** What is required of the value, or of its ratio to the first comparison. */
  target?: string;
}

export type Benchmark = (bench: Bench) => Promise<Row[]>;
