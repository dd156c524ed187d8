/** The bytes of files in an export (docs/moving.md): in pieces, so that none is in memory whole. */
import { closeSync, openSync, readSync } from "node:fs";
import type { FilePiece, MoveRecord } from "../moves/record.ts";
import { pathOf } from "../util/hashpath.ts";

/** Bytes of a piece, a multiple of 3: base64 without padding. */
const PIECE = 196_608;

/** What an export has of files. */
export interface FileCount {
  files: number;
  bytes: number;
  /** Without bytes on disk, as after a restore without files. */
  missing: number;
}

/** Counts each file that messages name, and, if `root` is given, puts its bytes before the first of them. */
export function* withFiles(
  records: Iterable<MoveRecord>,
  root: string | undefined,
  count: FileCount,
): Generator<MoveRecord> {
  const known = new Set<string>();
  for (const record of records) {
    const named = record.kind === "message" || record.kind === "scheduled" ? (record.draft.attachments ?? []) : [];
    for (const { sha256, size } of named) {
      if (sha256 === undefined || known.has(sha256)) continue;
      known.add(sha256);
      count.files++;
      count.bytes += size;
      if (root !== undefined && !(yield* pieces(root, sha256, size))) count.missing++;
    }
    yield record;
  }
}

/** Returns whether the bytes are there. */
function* pieces(root: string, sha256: string, size: number): Generator<FilePiece, boolean> {
  const file = opened(pathOf(root, sha256));
  if (file === undefined) return false;
  try {
    const buffer = Buffer.alloc(Math.min(size, PIECE));
    let at = 0;
    do {
      const read = readSync(file, buffer, 0, buffer.length, at);
      yield { kind: "file", sha256, size, at, data: buffer.toString("base64", 0, read) };
      if (read === 0) break;
      at += read;
    } while (at < size);
    return at === size;
  } finally {
    closeSync(file);
  }
}

function opened(path: string): number | undefined {
  try {
    return openSync(path, "r");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined; // expired while this reads
    throw error;
  }
}
