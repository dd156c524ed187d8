/** Opens another program's SQLite file for reading. */
import { Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { CommandFailed, UsageError } from "./command.ts";

/** `tables`: those that it must have. */
export function openForeign(file: string, of: string, tables: readonly string[]): Database {
  const path = resolve(file);
  if (!existsSync(path)) throw new UsageError(`there is no file ${path}`);
  try {
    const db = new Database(path, { readonly: true });
    db.run("PRAGMA busy_timeout = 10000");
    const found = db.query<{ name: string }, []>("SELECT name FROM sqlite_master WHERE type = 'table'").all();
    const missing = tables.find((name) => !found.some((one) => one.name === name));
    if (missing !== undefined) throw new CommandFailed(`${path} has no table \`${missing}\`: it is no ${of}`);
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
