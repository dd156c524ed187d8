/** Looks at the beginning of a stream before it is decided who reads it. */

export interface Ahead {
  /** More than `most` bytes, unless the stream is shorter. */
  head: Uint8Array;
  /** The stream ended within the head. */
  isWhole: boolean;
  /** The whole stream, from its beginning. */
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
    pieces.push(Buffer.from(next.value)); // a piece is ours only until the next is asked for
    size += next.value.length;
  }
  const head = Buffer.concat(pieces, size);
  const all = async function* () {
    if (head.length > 0) yield head;
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
  };
  return { head, isWhole, all: all() };
}
