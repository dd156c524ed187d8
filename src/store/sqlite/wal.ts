/** Reads what SQLite would replay from a write-ahead log, and changes nothing (https://sqlite.org/fileformat2.html §4). */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";

export interface Wal {
  pageSize: number;
  /** The numbers of the pages in it. */
  pages: ReadonlySet<number>;
  /** The size of the database after the last commit in it, in pages. */
  size: number;
}

const HEADER_BYTES = 32;
const FRAME_BYTES = 24;
/** Its last bit gives the byte order of the checksums. */
const MAGIC = 0x377f0682;

/** Undefined if it has no commit that SQLite would replay, for example if it is empty. */
export function readWal(path: string): Wal | undefined {
  const file = openSync(path, "r");
  try {
    return replayed(file, fstatSync(file).size);
  } finally {
    closeSync(file);
  }
}

function replayed(file: number, bytes: number): Wal | undefined {
  const header = Buffer.alloc(HEADER_BYTES);
  if (bytes < HEADER_BYTES || readSync(file, header, 0, HEADER_BYTES, 0) < HEADER_BYTES) return undefined;
  const magic = header.readUInt32BE(0);
  if ((magic & ~1) !== MAGIC) return undefined;
  const isLittle = (magic & 1) === 0;
  const pageSize = header.readUInt32BE(8);
  let sum = checksum([0, 0], header, 0, 24, isLittle);
  if (!isSum(header, 24, sum) || pageSize < 512) return undefined;

  const pages = new Set<number>();
  const uncommitted: number[] = [];
  let size = 0;
  const frame = Buffer.alloc(FRAME_BYTES + pageSize);
  for (let at = HEADER_BYTES; at + frame.length <= bytes; at += frame.length) {
    readSync(file, frame, 0, frame.length, at);
    if (header.compare(frame, 8, 16, 16, 24) !== 0) break; // other salts: the frame is older than the log's last beginning
    sum = checksum(checksum(sum, frame, 0, 8, isLittle), frame, FRAME_BYTES, frame.length, isLittle);
    if (!isSum(frame, 16, sum)) break; // a torn frame
    uncommitted.push(frame.readUInt32BE(0));
    const sizeAfterCommit = frame.readUInt32BE(4);
    if (sizeAfterCommit === 0) continue;
    for (const page of uncommitted.splice(0)) pages.add(page);
    size = sizeAfterCommit;
  }
  return size === 0 ? undefined : { pageSize, pages, size };
}

type Sum = readonly [number, number];

const isSum = (bytes: Buffer, at: number, [a, b]: Sum): boolean =>
  bytes.readUInt32BE(at) === a && bytes.readUInt32BE(at + 4) === b;

/** The checksum of the bytes from `start` to before `end`, continued from `sum`. */
function checksum([a, b]: Sum, bytes: Buffer, start: number, end: number, isLittle: boolean): Sum {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = start; at < end; at += 8) {
    a = (a + view.getUint32(at, isLittle) + b) >>> 0;
    b = (b + view.getUint32(at + 4, isLittle) + a) >>> 0;
  }
  return [a, b];
}
