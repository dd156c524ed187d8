/** The list of all messages as its reader sees it, to which its forms lead back. */
import { queryOf, readQuery, word } from "../../../http/query.ts";
import { type Asked, query } from "../../feed/asked.tsx";
import { askedBy } from "../../feed/asking.ts";
import type { View } from "../../view.ts";

/** Below the base path. */
export const LIST = "/-/messages";

/** What the address of the list asks to see. @throws Problem 400 */
export function askedOfList(request: Request): Asked {
  const isOpen = readQuery(request, { open: word(["true"]) }).open !== undefined;
  return isOpen ? { open: true } : askedBy(request);
}

/** Pages with buttons that other pages have too, by what `from` calls them in a form. */
export const BACK: ReadonlyMap<string | null, string> = new Map([
  ["overview", "/-/"],
  ["messages", LIST],
]);

type Where = Pick<View, "here" | "base">;

export const isAtMessages = ({ here = "", base }: Where): boolean => here.split("?", 1)[0] === base + LIST;

/** The query of a form's address: from the list, and what the reader sees of it; empty on other pages. */
export function backHere(view: Where): string {
  if (!isAtMessages(view)) return "";
  const params = new URLSearchParams(view.here?.split("?").slice(1).join("?"));
  params.set("from", "messages");
  return `?${params.toString()}`;
}

/** Where a form with such a query leads back; undefined if it is another page's. @throws Problem 400 */
export const backFrom = (request: Request): string | undefined =>
  queryOf(request).get("from") === "messages" ? LIST + query(askedOfList(request)) : undefined;
