/** The words that people write for how bad it is (REWRITES.md §3). */
import type { Level, Priority } from "../drafts/draft.ts";

export interface Severity {
  /** 5 is the worst. */
  rank: 2 | 3 | 4 | 5;
  level: Level;
  priority: Priority;
}

const UNKNOWN: Severity = { rank: 3, level: "warning", priority: "normal" };

// prettier-ignore
const RANKS: [Severity, words: string][] = [
  [{ rank: 5, level: "error", priority: "urgent" }, "page emergency emerg disaster fatal panic p0 sev0"],
  [{ rank: 4, level: "error", priority: "high" }, "critical crit error err high major severe alert p1 sev1 1"],
  [UNKNOWN, "warning warn medium moderate minor average p2 sev2 2"],
  [{ rank: 2, level: "info", priority: "low" }, "info informational information notice low debug ok none p3 p4 p5 sev3 sev4 3 4 5"],
];

const byWord = new Map(RANKS.flatMap(([severity, words]) => words.split(" ").map((word) => [word, severity])));

/** The severity of a word in lower case; no word, or an unknown one, is a warning. */
export const severityOf = (word: string | undefined): Severity => byWord.get(word ?? "") ?? UNKNOWN;
