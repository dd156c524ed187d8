/** Pings of named runs, by which a repeat is recognized (CHECKINS.md §2). */
import { eq, inArray } from "drizzle-orm";
import type { CheckRow, NamedPing } from "../../../checks/check.ts";
import { MOST_NAMED, NAMED_MS } from "../../checks.ts";
import { execute, type Orm } from "../differences.ts";
import { placeholders, prepared } from "../statements.ts";
import { checkNamed } from "../schema/schema.ts";

const given = placeholders<typeof checkNamed, "check">();

// by hand: a ping runs them
const OF_RUN = "SELECT rid, kind, at FROM check_named WHERE check_row = ? AND rid = ?";
const NEWEST = "SELECT n FROM check_named WHERE check_row = ? ORDER BY n DESC LIMIT 1";
const KEEP = "INSERT INTO check_named (check_row, n, rid, kind, at) VALUES (?, ?, ?, ?, ?)";
/** Deletes two for each new one, so that a backlog shrinks and no sweep is needed. One may be of a time that was set back. */
const PRUNE = `DELETE FROM check_named WHERE check_row = ?1
  AND n IN (SELECT n FROM check_named WHERE check_row = ?1 ORDER BY n LIMIT 2)
  AND (n <= ?2 OR abs(at - ?3) >= ${NAMED_MS})`;
/** How many a slice of 2 ms deletes (measured). */
const SLICE = 1_000;

/** Made once, on the connection that writes, and used only inside jobs. */
export function namedPings(write: Orm) {
  const { $client: db } = write;
  const ofRun = db.prepare<NamedPing, [CheckRow, string]>(OF_RUN);
  const newest = db.prepare<{ n: number }, [CheckRow]>(NEWEST);
  const keep = db.prepare(KEEP);
  const prune = db.prepare(PRUNE);
  const { row, checkRow } = checkNamed;
  const some = write.select({ row }).from(checkNamed).where(eq(checkRow, given.check)).limit(SLICE);
  const forget = prepared(() => write.delete(checkNamed).where(inArray(row, some)));

  return {
    of: (row: CheckRow, rid: string): NamedPing[] => ofRun.all(row, rid),
    keep(row: CheckRow, { rid, kind, at }: NamedPing): void {
      const n = (newest.get(row)?.n ?? 0) + 1;
      keep.run(row, n, rid, kind, at);
      prune.run(row, n - MOST_NAMED, at);
    },
    /** Deletes some of them. False: there may be more. */
    forget: (check: CheckRow): boolean => execute(forget, { check }).changes < SLICE,
  };
}

export type NamedPings = ReturnType<typeof namedPings>;
