/**
 * JSX that escapes: an element is the `Safe` text of its HTML, and everything that is not `Safe` is escaped (WEB.md §1). Refused:
 * `on*`, `style` and `srcdoc` (by type and at run time) and URLs of other schemes.
 */

/** HTML that may be used as it is. Made by elements, and by `trusted` of text that is known to be HTML. */
export class Safe {
  readonly html: string;
  constructor(html: string) {
    this.html = html;
  }
  toString(): string {
    return this.html;
  }
}

/** Marks a text as HTML that we made. Nothing that came from outside may be in it unescaped. */
export const trusted = (html: string): Safe => new Safe(html);

export type Child = Safe | string | number | boolean | null | undefined | readonly Child[];
type Value = string | number | boolean | null | undefined;

/** Attributes that pages use; others are refused by type. */
interface Attributes {
  children?: Child;
  [aria: `aria-${string}`]: Value;
  [data: `data-${string}`]: Value;
  [handler: `on${string}`]: never;
  "accept-charset"?: Value;
  action?: Value;
  alt?: Value;
  autocomplete?: Value;
  autofocus?: Value;
  charset?: Value;
  checked?: Value;
  class?: Value;
  colspan?: Value;
  content?: Value;
  crossorigin?: Value;
  d?: Value;
  datetime?: Value;
  dir?: Value;
  enctype?: Value;
  for?: Value;
  form?: Value;
  height?: Value;
  hidden?: Value;
  href?: Value;
  "http-equiv"?: Value;
  id?: Value;
  inputmode?: Value;
  lang?: Value;
  loading?: Value;
  maxlength?: Value;
  media?: Value;
  method?: Value;
  name?: Value;
  novalidate?: Value;
  open?: Value;
  pattern?: Value;
  placeholder?: Value;
  preserveAspectRatio?: Value;
  property?: Value;
  rel?: Value;
  required?: Value;
  role?: Value;
  rows?: Value;
  rx?: Value;
  scope?: Value;
  selected?: Value;
  spellcheck?: Value;
  src?: Value;
  start?: Value;
  stroke?: Value;
  tabindex?: Value;
  target?: Value;
  title?: Value;
  type?: Value;
  value?: Value;
  viewBox?: Value;
  width?: Value;
  x?: Value;
  y?: Value;
}

// eslint-disable-next-line @typescript-eslint/no-namespace -- the compiler looks for the types of JSX here
export declare namespace JSX {
  type Element = Safe;
  interface ElementChildrenAttribute {
    children: unknown;
  }
  interface IntrinsicElements {
    [tag: string]: Attributes;
  }
}

type Component = (props: Record<string, unknown>) => Safe;

const VOID = new Set(["br", "hr", "img", "input", "link", "meta", "source", "wbr"]);
const URLS = new Set(["href", "src", "action", "formaction", "cite", "poster", "data", "xlink:href"]);
/** `ntfy:` is for our own links: what a message says may not lead there (elements/markdown.tsx). */
const SCHEMES = new Set(["http:", "https:", "mailto:", "tel:", "ntfy:"]);
/** The parser drops a line break right after these tags, so one of ours is added. */
const EATS_FIRST_LINE_BREAK = new Set(["pre", "textarea"]);

export function jsx(type: string | Component, props: Record<string, unknown>): Safe {
  if (typeof type === "function") return type(props);
  const attributes = Object.entries(props).map(attribute).join("");
  if (VOID.has(type)) return new Safe(`<${type}${attributes}>`);
  const first = EATS_FIRST_LINE_BREAK.has(type) ? "\n" : "";
  return new Safe(`<${type}${attributes}>${first}${render(props.children)}</${type}>`);
}

export const jsxs = jsx;
export const Fragment = ({ children }: { children?: Child }): Safe => new Safe(render(children));

/** Text as HTML. The parser would drop NUL and turn CR into LF: NUL becomes U+FFFD, CR a reference. */
const escapeText = (text: string): string => Bun.escapeHTML(text).replaceAll("\0", "\uFFFD").replaceAll("\r", "&#13;");

function render(child: unknown): string {
  if (child instanceof Safe) return child.html;
  // added, not joined: join copies the text, at every level of a page of 7 MB (50 ms)
  if (Array.isArray(child)) return child.reduce<string>((html, part) => html + render(part), "");
  if (typeof child === "string") return escapeText(child);
  if (typeof child === "number") return String(child);
  if (child === null || child === undefined || typeof child === "boolean") return "";
  throw new TypeError(`no child of an element: ${typeof child}`);
}

function attribute([name, value]: [string, unknown]): string {
  if (name === "children" || value === null || value === undefined || value === false) return "";
  if (!/^[a-z][a-z0-9:-]*$/i.test(name) || /^(on|style$|srcdoc$)/i.test(name)) {
    throw new TypeError(`attribute refused: ${name}`);
  }
  if (value === true) return ` ${name}`;
  if (typeof value !== "string" && typeof value !== "number") throw new TypeError(`no value of an attribute: ${name}`);
  if (URLS.has(name) && !SCHEMES.has(URL.parse(String(value), "http://base")?.protocol ?? "")) return "";
  return ` ${name}="${escapeText(String(value))}"`;
}
