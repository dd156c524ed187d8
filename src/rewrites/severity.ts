/** The words that people write for how bad it is (REWRITES.md §3). */
import { table } from "../drafts/words.ts";
import { WARNING, QUIET, TROUBLE, type Look } from "./looks.ts";

export interface Severity extends Look {
  /** 5 is the worst. */
  rank: 2 | 3 | 4 | 5;
}

const UNKNOWN: Severity = { ...WARNING, rank: 3 };

// prettier-ignore
const BY_WORD = table<Severity>([
  [{ ...TROUBLE, priority: "urgent", rank: 5 }, "page emergency emerg disaster fatal panic p0 sev0"],
  [{ ...TROUBLE, rank: 4 }, "critical crit error err high major severe alert p1 sev1 1"],
  [UNKNOWN, "warning warn medium moderate minor average p2 sev2 2"],
  [{ ...QUIET, rank: 2 }, "info informational information notice low debug ok none p3 p4 p5 sev3 sev4 3 4 5"],
]);

/** The severity of a word in lower case; no word, or an unknown one, is a warning. */
export const severityOf = (word: string | undefined): Severity => BY_WORD.get(word ?? "") ?? UNKNOWN;
