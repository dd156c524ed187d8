/** Looks at the beginning of what is streamed, before it is decided who reads it. */

export interface Ahead {
  /** More than `most` bytes, unless it is whole. */
  head: Uint8Array;
  /** It ended there. */
  isWhole: boolean;
  /** All of it, from the beginning. */
  all: AsyncIterable<Uint8Array>;
}

export async function ahead(chunks: AsyncIterable<Uint8Array>, most: number): Promise<Ahead> {
  const iterator = chunks[Symbol.asyncIterator]();
  const pieces: Uint8Array[] = [];
  let size = 0;
  let isWhole = false;
  while (size <= most && !isWhole) {
    const next = await iterator.next();
    isWhole = next.done === true;
    if (next.done === true) break;
    pieces.push(Buffer.from(next.value)); // it is ours only until the next is asked for
    size += next.value.length;
  }
  const head = Buffer.concat(pieces, size);
  const all = async function* () {
    if (head.length > 0) yield head;
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
  };
  return { head, isWhole, all: all() };
}
