/** Tar archives that depend on nothing but their entries: the same names, modes and bytes are the same archive. */

export interface Entry {
  /** Without a slash at its start or end. */
  path: string;
  /** Permissions. Links have 0o777, whatever is given. */
  mode: number;
  /** User and group. Absent: root. */
  owner?: number;
  content: Uint8Array | "folder" | { linkTo: string };
}

const BLOCK = 512;

/**
 * In ustar format (POSIX.1-1988, pax(1)), sorted by path. `at`: the time of every entry, epoch s.
 * @throws RangeError on a name that ustar cannot hold
 */
export function tar(entries: readonly Entry[], at: number): Uint8Array<ArrayBuffer> {
  const sorted = entries.toSorted((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)));
  const blocks = sorted.flatMap((entry) => {
    const bytes = entry.content instanceof Uint8Array ? entry.content : new Uint8Array();
    return [header(entry, bytes.length, at), bytes, new Uint8Array(-bytes.length & (BLOCK - 1))];
  });
  return Buffer.concat([...blocks, new Uint8Array(2 * BLOCK)]);
}

function header({ path, mode, owner = 0, content }: Entry, size: number, at: number): Uint8Array {
  const isFolder = content === "folder";
  const link = content instanceof Uint8Array || isFolder ? undefined : content.linkTo;
  const { name, prefix } = split(isFolder ? `${path}/` : path);
  const block = Buffer.alloc(BLOCK);
  const put = (text: string, offset: number, length: number) => {
    const bytes = Buffer.from(text);
    if (bytes.length > length) throw new RangeError(`too long for a tar archive: ${text}`);
    bytes.copy(block, offset);
  };
  const number = (value: number, offset: number, length: number) => {
    put(value.toString(8).padStart(length - 1, "0"), offset, length);
  };
  put(name, 0, 100);
  number(link === undefined ? mode : 0o777, 100, 8);
  number(owner, 108, 8);
  number(owner, 116, 8);
  number(size, 124, 12);
  number(at, 136, 12);
  put(isFolder ? "5" : link === undefined ? "0" : "2", 156, 1);
  put(link ?? "", 157, 100);
  put("ustar\u000000", 257, 8);
  put(prefix, 345, 155);
  block.fill(" ", 148, 156); // the sum counts its own field as spaces
  put(
    `${block
      .reduce((sum, byte) => sum + byte)
      .toString(8)
      .padStart(6, "0")}\0 `,
    148,
    8,
  );
  return block;
}

/** A long path, cut at a slash in two: 155 bytes before it and 100 behind it. */
function split(path: string): { name: string; prefix: string } {
  if (Buffer.byteLength(path) <= 100) return { name: path, prefix: "" };
  const cuts = [...path.matchAll(/\/(?=.)/g)].map(({ index }) => index);
  const cut = cuts.find((at) => Buffer.byteLength(path.slice(at + 1)) <= 100) ?? 0;
  return { name: path.slice(cut === 0 ? 0 : cut + 1), prefix: path.slice(0, cut) };
}
