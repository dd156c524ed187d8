/** Reads all that an export has, in one read transaction of its own, beside a server or without one (docs/moving.md). */
import { Database } from "bun:sqlite";
import { asc } from "drizzle-orm";
import { drizzle } from "drizzle-orm/bun-sqlite";
import type { MoveRecord } from "../../moves/record.ts";
import { rfc3339 } from "../../util/clock.ts";
import { StoreError } from "../store.ts";
import { recordsOfChecks } from "../sql/moves/read-checks.ts";
import { recordsOf, type Reading } from "../sql/moves/read.ts";
import { namespace } from "../sql/schema/schema.ts";
import { migrations } from "./migrations.ts";
import { schemaVersion } from "./migrate.ts";

export interface ExportOptions {
  /** The only namespace that is read. Absent: all, and what belongs to none. */
  namespace?: string;
  withSecrets: boolean;
}

/** @throws StoreError if the database is of another version, or has no such namespace */
export function* exportRecords(path: string, { namespace: only, withSecrets }: ExportOptions): Generator<MoveRecord> {
  const db = new Database(path, { readonly: true });
  try {
    db.run("PRAGMA busy_timeout = 10000");
    db.run("PRAGMA temp_store = MEMORY");
    db.run("BEGIN");
    requireSchema(db);
    const orm = drizzle({ client: db });
    const rows = orm.select().from(namespace).orderBy(asc(namespace.row)).all();
    const chosen = rows.filter(({ name }) => !name.startsWith("-") && (only === undefined || name === only));
    if (only !== undefined && chosen.length === 0)
      throw new StoreError("unusable", `There is no namespace ${only}; see \`peal namespaces list\`.`);
    const reading: Reading = {
      orm,
      names: new Map(chosen.map(({ row, name }) => [row, name])),
      isWhole: only === undefined,
      withSecrets,
    };
    for (const { name, createdAt, mutedUntil, pingKeyHash, pingKeyGeneration } of chosen)
      yield {
        ...{ kind: "namespace", name, created_at: rfc3339(createdAt) },
        ...(mutedUntil !== null && { muted_until: rfc3339(mutedUntil) }),
        ...(withSecrets && pingKeyHash !== null && { ping_key: { hash: pingKeyHash, generation: pingKeyGeneration } }),
      };
    yield* recordsOf(reading);
    yield* recordsOfChecks(reading);
  } finally {
    db.close();
  }
}

function requireSchema(db: Database): void {
  const [found, newest] = [schemaVersion(db), migrations.at(-1)?.version ?? 0];
  if (found === newest) return;
  const other =
    found < newest ? "an older peal. Start this version once, which upgrades it" : "a newer peal. Use that one";
  throw new StoreError("newer_schema", `The database was last used by ${other}, and export again.`);
}
