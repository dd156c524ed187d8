/** Maps and sets with a cap: they keep the order in which entries were added. */

/** Deletes the oldest entry if there are `most` or more, so that one more has room. */
export function dropOldest<K>(kept: Map<K, unknown> | Set<K>, most: number): void {
  const [oldest] = kept.keys();
  if (kept.size >= most && oldest !== undefined) kept.delete(oldest);
}
