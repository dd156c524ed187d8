/** "Did you mean": finds the nearest of a few known words. */

/** Edits (insert, delete, replace a character) between two words: Levenshtein's distance, one row at a time. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let line = 0; line < a.length; line++) {
    const next = [line + 1];
    for (let column = 0; column < b.length; column++) {
      const replaced = (row[column] ?? 0) + (a[line] === b[column] ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

/** The known word that is nearest to `word`; undefined if none is near: more than a third of it would change. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const most = Math.max(2, Math.floor(word.length / 3));
  const [best] = known
    // each character that one of the words has more is an edit
    .filter((candidate) => Math.abs(candidate.length - word.length) <= most)
    .map((candidate) => ({ candidate, edits: distance(word.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits);
  return best !== undefined && best.edits <= most ? best.candidate : undefined;
}
