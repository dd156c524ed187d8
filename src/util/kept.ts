/** What took long to make, kept by the text that it was made of: what was used last stays, up to a number of bytes. */
export interface Kept {
  /** What `make` makes of `text`, now or before. */
  of(text: string, make: (text: string) => string): string;
}

/** `maxBytes`: of what is kept, its keys included, at most. What is short is not kept: it is made as fast as it is found. */
export function createKept(maxBytes: number, minCharacters: number): Kept {
  const made = new Map<string, string>();
  let bytes = 0;
  /** A string takes a byte or two for a character. */
  const size = (text: string, value: string) => 2 * (text.length + value.length);
  return {
    of: (text, make) => {
      if (text.length < minCharacters) return make(text);
      const known = made.get(text);
      const value = known ?? make(text);
      if (known !== undefined)
        made.delete(text); // and in again: the first of a Map is the one that was not used for longest
      else bytes += size(text, value);
      made.set(text, value);
      for (const [oldest, its] of made) {
        if (bytes <= maxBytes) break;
        made.delete(oldest);
        bytes -= size(oldest, its);
      }
      return value;
    },
  };
}
