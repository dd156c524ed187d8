/**
 * Renders markdown of strangers with elements of our own: an allow-list, in which raw HTML comes through as text and images
 * become links (WEB.md §1). Never `Bun.markdown.html`: it passes scripts (measured).
 */

/** Arguments named `inner` are what these callbacks made; all other text is foreign and has to be escaped. */
type Elements = Bun.markdown.RenderCallbacks;
type Callback = (inner: string, meta: never) => string;

/**
 * Every element is made of all that it contains, so nesting costs its square: 32 KB of `>` took 2.7 s, 32 KB of `*` 0.13 s. What
 * people write passes each character through a few elements.
 */
const COPIES = 32;
const MIN_CHARACTERS = 16_384;
class TooDeep extends Error {}

/** Undefined if the text is nested so deep that nobody wrote it by hand. 32 KB take up to 20 ms. */
export function rendered(text: string, elements: Elements): string | undefined {
  let left = COPIES * text.length + MIN_CHARACTERS;
  const within = ([name, make]: [string, Callback]) => [
    name,
    (inner: string, meta: never) => {
      left -= inner.length;
      if (left < 0) throw new TooDeep();
      return make(inner, meta);
    },
  ];
  const entries = Object.entries<Callback>(elements as Record<string, Callback>).map(within);
  const callbacks = Object.fromEntries(entries) as Elements;
  try {
    return Bun.markdown.render(text, callbacks, { autolinks: { url: true }, noIndentedCodeBlocks: true });
  } catch (error) {
    if (error instanceof TooDeep) return undefined;
    throw error;
  }
}

/** Elements that every reader of HTML knows: mail programs and chats as well as browsers. */
export const ELEMENTS = {
  text: (foreign) => Bun.escapeHTML(foreign),
  html: (inner) => inner,
  paragraph: (inner) => `<p>${inner}</p>`,
  heading: (inner, { level }) => (level < 3 ? `<h4>${inner}</h4>` : `<h5>${inner}</h5>`),
  blockquote: (inner) => `<blockquote>${inner}</blockquote>`,
  code: (inner) => `<pre><code>${inner}</code></pre>`,
  codespan: (inner) => `<code>${inner}</code>`,
  strong: (inner) => `<strong>${inner}</strong>`,
  emphasis: (inner) => `<em>${inner}</em>`,
  strikethrough: (inner) => `<s>${inner}</s>`,
  hr: () => "<hr>",
  list: (inner, { ordered, start = 1 }) =>
    !ordered ? `<ul>${inner}</ul>` : start === 1 ? `<ol>${inner}</ol>` : `<ol start="${start}">${inner}</ol>`,
  listItem: (inner, { checked }) => `<li>${boxOf(checked)}${inner}</li>`,
  table: (inner) => `<table>${inner}</table>`,
  thead: (inner) => `<thead>${inner}</thead>`,
  tbody: (inner) => `<tbody>${inner}</tbody>`,
  tr: (inner) => `<tr>${inner}</tr>`,
  th: (inner) => `<th>${inner}</th>`,
  td: (inner) => `<td>${inner}</td>`,
  link: (inner, { href }) => linked(inner, href),
  image: (inner, { src }) => linked(namedImage(inner) || Bun.escapeHTML(src), src),
} satisfies Elements;

/** The box of a task in a list; empty for any other item. */
export const boxOf = (checked: boolean | undefined): string => (checked === undefined ? "" : checked ? "☑ " : "☐ ");

/** What an image is called: no link inside a link, so what is in the brackets counts as plain words. */
export const namedImage = (inner: string): string => inner.replace(/<[^>]*>/g, "");

/** A link, if it leads anywhere and runs nothing: a relative one would point at whoever shows the text. `inner`: HTML. */
export const linked = (inner: string, href: string): string =>
  isLink(href) ? `<a href="${Bun.escapeHTML(href)}">${inner}</a>` : inner;

/** An absolute address that people open. */
export const isLink = (href: string): boolean => /^(?:https?|mailto|tel):/i.test(href) && URL.canParse(href);
