/** Parameters of a subscription, by any of their names, as ntfy reads them: in headers, else in the query (ntfy 2.27, server/util.go). */
import { queryOf } from "../../http/query.ts";
import { decodeWords, isOfProxies, utf8 } from "../../messages/reading/ntfy.ts";

/** The first value that is not empty, without blanks around it; else an empty text. */
export type Param = (...names: readonly string[]) => string;

export function paramsOf(request: Request): Param {
  const query = queryOf(request);
  const inHeader = (name: string): string => {
    const value = request.headers.get(name) ?? "";
    return isOfProxies(name, value) ? "" : decodeWords(utf8(value)).trim();
  };
  const inQuery = (name: string): string => (query.get(name) ?? "").trim();
  const first = (names: readonly string[], read: (name: string) => string): string =>
    names.map(read).find((value) => value !== "") ?? "";
  return (...names) => first(names, inHeader) || first(names, inQuery);
}

export const isYes = (value: string): boolean => ["1", "yes", "true"].includes(value.toLowerCase());
