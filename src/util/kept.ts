/** Keeps results that took long to make, by the text that they were made of, and drops the least recently used ones. */
export interface Kept {
  /** What `make` makes of `text`, now or earlier. */
  of(text: string, make: (text: string) => string): string;
}

/** `maxBytes`: of all that is kept, keys included. Shorter texts are not kept: making them is as fast as finding them. */
export function createKept(maxBytes: number, minCharacters: number): Kept {
  const made = new Map<string, string>();
  let bytes = 0;
  /** A string takes one or two bytes a character. */
  const size = (text: string, value: string) => 2 * (text.length + value.length);
  return {
    of: (text, make) => {
      if (text.length < minCharacters) return make(text);
      const known = made.get(text);
      const value = known ?? make(text);
      if (known !== undefined)
        made.delete(text); // and in again: the first entry of a Map is then the least recently used
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
