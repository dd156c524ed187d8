/** Lists that the API answers in pages. */
import type { Local } from "./local.ts";

interface Paged {
  /** Where the next page begins; absent: this is the last. */
  next_after?: string | number;
}

/** All pages of a list, one at least. `asked`: what else stands in the query. */
export async function pagesOf<Page extends Paged>(
  local: Local,
  path: string,
  asked: Record<string, string> = {},
): Promise<[Page, ...Page[]]> {
  const query = new URLSearchParams(asked);
  const ask = async (): Promise<Page> => local.ask<Page>("GET", `${path}?${query.toString()}`);
  const pages: [Page, ...Page[]] = [await ask()];
  for (let next = pages[0].next_after; next !== undefined; next = pages.at(-1)?.next_after) {
    query.set("after", String(next));
    pages.push(await ask());
  }
  return pages;
}
