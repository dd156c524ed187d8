/** The levels and priorities that messages have by their meaning, and words that many tools share. */
import type { Level, Priority, Status } from "../drafts/draft.ts";
import { line } from "./text.ts";
import type { Told } from "./told.ts";

export interface Look {
  level: Level;
  priority: Priority;
  status?: Status;
}

/** Someone should look now. */
export const TROUBLE: Look = { level: "error", priority: "high" };
/** Something went wrong that can wait until the morning. */
export const FAILED: Look = { level: "error", priority: "normal" };
export const WARNING: Look = { level: "warning", priority: "normal" };
export const GOOD: Look = { level: "success", priority: "normal" };
export const DONE: Look = { level: "success", priority: "low" };
export const NOTICE: Look = { level: "info", priority: "normal" };
export const QUIET: Look = { level: "info", priority: "low" };

export const firing = (look: Look): Look => ({ ...look, status: "firing" });
export const resolved = (look: Look): Look => ({ ...look, status: "resolved" });

export const BROKEN = firing(TROUBLE);
export const DOUBTFUL = firing(WARNING);
export const WELL = resolved(GOOD);

/** What a state is called in a title, and how it looks. */
export interface State extends Look {
  says: string;
}

/** The message of a tool's test button. `from`: what the tool calls itself, or the target. */
export const testNotice = (source: string, title: string, from?: string): Told => ({
  ...NOTICE,
  title: `${title} test`,
  lines: [from === undefined ? "This notification works." : `${from}: this notification works.`],
  tags: [source, "test"],
  data: { kind: "test" },
});

/** `1 episode`, `2 episodes`. */
export const counted = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`;

/** The parts that are not undefined, on one line. */
export const joined = (parts: readonly (string | undefined)[], between = " · "): string | undefined =>
  parts.filter((part) => part !== undefined && part !== "").join(between) || undefined;

/** `DownloadFailure` and `update_available` as `Download failure`, `Update available`. */
export function inWords(name: string): string {
  const words = line(name)
    .replace(/[_-]+/g, " ")
    .replace(/([a-z])(?=[A-Z])/g, "$1 ")
    .trim()
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const UNITS = ["B", "KiB", "MiB", "GiB", "TiB"];

/** `2.4 GiB`; undefined if it is not a number of bytes. */
export function bytes(value: unknown): string | undefined {
  if (typeof value !== "number" || !(value > 0) || value >= 1024 ** UNITS.length) return undefined;
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log2(value) / 10));
  return `${Math.round((value / 1024 ** power) * 10) / 10} ${UNITS[power] ?? ""}`;
}

/** The first `max` of a list as items, and how many more there are. */
export function items(all: readonly unknown[], max: number, told: (each: unknown) => string | undefined): string[] {
  const shown = all.slice(0, max).map((each) => told(each) ?? "");
  const lines = shown.filter((each) => each !== "").map((each) => `• ${each}`);
  return all.length > max ? [...lines, `… and ${all.length - max} more`] : lines;
}
