/** Drizzle's tables in statements by hand. */
import { getTableColumns, type Table } from "drizzle-orm";

/** All columns, named as drizzle names them. `of`: what the statement calls the table. */
export const columnsOf = (table: Table, of: string): string =>
  Object.entries(getTableColumns(table))
    .map(([field, { name }]) => `${of}.${name} AS ${field}`)
    .join(", ");
