/** The order of the list of checks: the reader's choice, kept in a cookie (`checks`). */

/** By urgency, by name, or by the last success, the oldest first. */
export const SORTS = ["need", "name", "success"] as const;
export type Sort = (typeof SORTS)[number];

export const SORT_COOKIE = "checks";

export const isSort = (word: string | null | undefined): word is Sort => SORTS.some((sort) => sort === word);

/** Absent or unknown: by need. */
export function sortOf({ headers }: Request): Sort {
  const kept = /(?:^|;\s*)checks=(\w+)(?:;|$)/.exec(headers.get("cookie") ?? "")?.[1];
  return isSort(kept) ? kept : "need";
}
