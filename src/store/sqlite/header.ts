/** The first 100 bytes of a SQLite file, read without opening a database (https://sqlite.org/fileformat2.html §1.3). */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";

export interface Header {
  pageSize: number;
  /** How many whole pages the file has. */
  pages: number;
  /**
   * It is a copy: SQLite writes the result of `VACUUM INTO` in rollback mode, and a start of peal sets WAL mode. So every copy
   * has the mark, even of older versions, and loses it when a peal starts on it.
   */
  isCopy: boolean;
}

const MAGIC = "SQLite format 3\0";
const BYTES = 100;
/** The smallest and the largest page of SQLite; the latter is written as 1. */
const [LEAST_PAGE, GREATEST_PAGE] = [512, 65_536];

/**
 * `empty`: it has no byte; `foreign`: it is not an SQLite file. Only for files that this process has not opened as a database,
 * because closing a descriptor of theirs drops their locks (https://sqlite.org/howtocorrupt.html §2.2).
 */
export function readHeader(path: string): Header | "empty" | "foreign" {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    if (size === 0) return "empty";
    const bytes = Buffer.alloc(BYTES);
    readSync(file, bytes, 0, BYTES, 0);
    const stored = bytes.readUInt16BE(16);
    const pageSize = stored === 1 ? GREATEST_PAGE : stored;
    if (bytes.toString("latin1", 0, MAGIC.length) !== MAGIC || pageSize < LEAST_PAGE) return "foreign";
    return { pageSize, pages: Math.floor(size / pageSize), isCopy: bytes[18] === 1 };
  } finally {
    closeSync(file);
  }
}
