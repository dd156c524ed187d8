/** What a benchmark is given, and what it answers. */
import type { Tools } from "./machine.ts";
import type { Program } from "./servers.ts";

export interface Bench {
  program: Program;
  /** An older release, for the benchmarks that put it beside. */
  older?: Program;
  /** Undefined where there is no C compiler: then there is no anchor either. */
  tools: Tools | undefined;
  /** How long a load lasts, seconds. */
  seconds: number;
  /** How often a case is measured, in turns with what stands beside it: the medians are told. */
  rounds: number;
  /** A short run, to see that everything works: fewer and smaller cases. */
  isQuick: boolean;
}

/** A line of the table. Numbers are in `unit`. */
export interface Row {
  what: string;
  unit: string;
  peal: number;
  /** The same asked of what stands beside it in this run; its first one is what ratios in `target` mean. */
  beside?: { what: string; value: number }[];
  /** What the issue wants of the value, or of its ratio to what stands beside it. */
  target?: string;
}

export type Benchmark = (bench: Bench) => Promise<Row[]>;
