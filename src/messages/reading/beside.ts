/** What a request says beside its body, in the query, in headers and in a hook, and which of these counts first. Pure. */
import type { FieldError } from "../../http/problem.ts";
import { type RewriteName, REWRITES } from "../../rewrites/rewrite.ts";
import type { About } from "../../rewrites/tool.ts";
import type { Millis } from "../../util/clock.ts";
import { parameterFields, type HeaderFields } from "./asides.ts";
import type { Hooked } from "./hooked.ts";
import { meaning, type Meant } from "./meaning.ts";
import type { Fields } from "./ntfy.ts";

export interface Beside {
  sent: Headers;
  query: URLSearchParams | undefined;
  headers: HeaderFields;
  now: Millis;
  /** The names of the files that came with it. */
  names: readonly string[];
  hooked: Hooked | undefined;
  /** As `Reading.asNtfy`. */
  asNtfy: string | undefined;
  /** The fields that the hook takes from the body. */
  mapped?: Meant;
}

export const withMap = (beside: Beside, body: unknown): Beside =>
  beside.hooked === undefined
    ? beside
    : { ...beside, mapped: meaning(beside.hooked.mapped(body), (name) => `map/${name}`) };

export const aboutOf = ({ now, sent }: Beside): About => ({ now, header: (name) => sent.get(name) });

export const sourceOf = ({ hooked, asNtfy }: Beside): string => asNtfy ?? (hooked === undefined ? "api" : "hook");

/** A body with fields, and what is said beside it. */
export const inOrder = (body: Meant, beside: Beside): Meant[] =>
  beside.hooked === undefined ? [body, ...besides(beside, beside.headers.fields)] : ofTool(body, beside);

/** Another tool's body, and what overrides it. */
export function ofTool(body: Meant, beside: Beside): Meant[] {
  const { hooked, mapped, headers } = beside;
  const defaults = hooked && { fields: hooked.defaults, ignored: [], isCut: false, isHtml: false };
  return [...besides(beside, headers.ours), ...(mapped ? [mapped] : []), body, ...(defaults ? [defaults] : [])];
}

/** What is said beside the body, headers first. */
function besides({ query }: Beside, headers: Fields): Meant[] {
  const plain = (name: string) => name;
  return [meaning(headers, (name) => `X-${name}`), ...(query ? [meaning(parameterFields(query), plain)] : [])];
}

export interface Asked {
  name?: RewriteName;
  link: Pick<About, "link">;
  ignored: FieldError[];
}

/** What a request without a query asks for. */
export const NOT_ASKED: Asked = { link: {}, ignored: [] };

/** What the query says about the tool that posts. */
export function askedRewrite(query: URLSearchParams): Asked {
  const [asked, url] = [query.get("rewrite") ?? "", query.get("link") ?? ""];
  const link = URL.canParse(url) ? { link: url } : {};
  const name = REWRITES.find((known) => known === asked.toLowerCase());
  if (name !== undefined) return { name, link, ignored: [] };
  const message = `must be one of ${REWRITES.join(", ")}; without it, the shape of the body decides`;
  return { link, ignored: asked === "" ? [] : [{ path: "rewrite", message }] };
}
