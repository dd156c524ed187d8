/** Opens another program's SQLite file for reading. */
import { Database } from "bun:sqlite";
import { CommandFailed } from "./command.ts";
import { readable } from "./import-file.ts";

/** `needs`: the columns, by table, without which it is another file, or one of a version that is too old. */
export function openForeign(file: string, of: string, needs: Readonly<Record<string, readonly string[]>>): Database {
  const path = readable(file);
  try {
    const db = new Database(path, { readonly: true });
    db.run("PRAGMA busy_timeout = 10000");
    for (const [table, columns] of Object.entries(needs)) {
      const found = columnsOf(db, table);
      if (found.size === 0) throw new CommandFailed(`${path} has no table \`${table}\`: it is no ${of}`);
      const missing = columns.find((name) => !found.has(name));
      if (missing !== undefined)
        throw new CommandFailed(
          `${path} has no column \`${table}.${missing}\`: upgrade that program first, or it is no ${of}`,
        );
    }
    return db;
  } catch (cause) {
    if (cause instanceof CommandFailed) throw cause;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new CommandFailed(
      `${path} can't be read as ${of}: ${why}. Copy it together with its -wal file, or stop its program first.`,
      { cause },
    );
  }
}

/** None if there is no such table. */
export const columnsOf = (db: Database, table: string): Set<string> =>
  new Set(
    db
      .query<{ name: string }, [string]>("SELECT name FROM pragma_table_info(?)")
      .all(table)
      .map(({ name }) => name),
  );
