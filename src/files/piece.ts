/** Files that come in pieces, each in a request of its own, as an import sends them (docs/moving.md). */
import { mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { pathOf } from "../util/hashpath.ts";
import { INCOMING, OURS, placeFile, sizeOf, writeAll } from "./disk.ts";
import type { Holds } from "./holds.ts";

export interface Piece {
  /** Of the whole file, hexadecimal. */
  sha256: string;
  /** Bytes of the whole file. */
  size: number;
  /** Where this piece begins. */
  at: number;
  bytes: Uint8Array;
}

interface Place {
  root: string;
  holds: Holds;
}

/**
 * Adds a piece to those that came before it. The last one puts the file in place, if it is the one that its hash says.
 * @throws the system's error (full disk: `ENOSPC`)
 */
export async function addPiece({ root, holds }: Place, piece: Piece): Promise<"part" | "whole" | "known" | "damaged"> {
  const { sha256, size } = piece;
  await holds.hold(sha256); // nobody deletes it while it is put in place
  try {
    return (await sizeOf(pathOf(root, sha256))) === size ? "known" : await add(root, piece);
  } finally {
    holds.release(sha256);
  }
}

async function add(root: string, { sha256, size, at, bytes }: Piece): Promise<"part" | "whole" | "damaged"> {
  await mkdir(join(root, INCOMING), { recursive: true, ...OURS });
  const path = join(root, INCOMING, `piece-${sha256}`);
  // from the start again, or behind what is there
  const handle = await open(path, at === 0 ? "w" : "a", 0o600);
  try {
    if ((await handle.stat()).size !== at || at + bytes.length > size) return "damaged";
    await writeAll(handle, bytes);
    if (at + bytes.length < size) return "part";
    await handle.sync();
  } finally {
    await handle.close();
  }
  if ((await hashOf(path)) === sha256) {
    await placeFile(root, path, sha256);
    return "whole";
  }
  await rm(path);
  return "damaged";
}

async function hashOf(path: string): Promise<string> {
  const hasher = new Bun.CryptoHasher("sha256");
  for await (const chunk of Bun.file(path).stream()) hasher.update(chunk);
  return hasher.digest("hex");
}
