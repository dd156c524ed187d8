/** The words of people and tools for levels, priorities and states, and which of ours each means (docs/publish.md). Pure. */
import type { Level, Priority, Status } from "./draft.ts";

/** The meanings of words by the word; `words` have a space between them. */
export const table = <T>(rows: readonly [T, words: string][]): ReadonlyMap<string, T> =>
  new Map(rows.flatMap(([meaning, words]) => words.split(" ").map((word): [string, T] => [word, meaning])));

const LEVELS = table<Level>([
  [
    "error",
    "error critical fatal emergency emerg alert crit err failure failed fail down problem severe disaster panic",
  ],
  ["warning", "warning warn"],
  ["success", "success ok okay up resolved recovered recovery pass passed"],
  ["info", "info information informational notice debug trace unknown none"],
]);

/** Our words, ntfy's (docs.ntfy.sh/publish/#message-priority) and Pushover's (pushover.net/api#priority). */
const PRIORITIES = table<Priority>([
  ["low", "low min lowest 1 2 -1 -2"],
  ["normal", "normal default medium 3 0"],
  ["high", "high 4"],
  ["urgent", "urgent max emergency critical 5"],
]);
/** Gotify's priorities go to 10 (https://gotify.net/docs/pushmsg): a number above 5 can only be its own. */
const ABOVE_FIVE = table<Priority>([
  ["normal", "6 7"],
  ["high", "8 9"],
  ["urgent", "10"],
]);

const STATUSES = table<Status>([
  ["firing", "firing problem down alerting triggered critical open active"],
  ["resolved", "resolved ok okay up recovered closed normal inactive"],
]);

const folded = (word: string): string => word.trim().toLowerCase();

export const levelOf = (word: string): Level | undefined => LEVELS.get(folded(word));
export const priorityOf = (word: string): Priority | undefined =>
  PRIORITIES.get(folded(word)) ?? ABOVE_FIVE.get(folded(word));
export const statusOf = (word: string): Status | undefined => STATUSES.get(folded(word));

const BOOLEANS = table<boolean>([
  [true, "1 yes true on"],
  [false, "0 no false off"],
]);
export const booleanOf = (word: string): boolean | undefined => BOOLEANS.get(folded(word));
