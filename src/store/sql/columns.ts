/** Columns of tables: for statements by hand, and as records have them. */
import { getTableColumns, type Table } from "drizzle-orm";

/** All columns under drizzle's names. `of`: the table's name in the statement. */
export const columnsOf = (table: Table, of: string): string =>
  Object.entries(getTableColumns(table))
    .map(([field, { name }]) => `${of}.${name} AS ${field}`)
    .join(", ");

/** The fields of a row; those that may be null become fields that may be absent. */
type WithoutNulls<T> = { [Key in keyof T as null extends T[Key] ? never : Key]: T[Key] } & {
  [Key in keyof T as null extends T[Key] ? Key : never]?: Exclude<T[Key], null>;
};

/** A row as a record has it: a field that is null in the table is absent. */
export function withoutNulls<T extends object>(row: T): WithoutNulls<T> {
  const kept: Partial<T> = {};
  for (const key in row) if (row[key] !== null) kept[key] = row[key];
  return kept as unknown as WithoutNulls<T>;
}
