/** @jsxImportSource #jsx */
/**
 * Markdown of a message as HTML: an allow-list of elements of our own; raw HTML comes through as text, images become
 * links (WEB.md §1). Never `Bun.markdown.html`: it passes scripts (measured).
 */
import { createKept, type Kept } from "../../util/kept.ts";
import { Fragment, type Safe, trusted } from "../jsx/jsx-runtime.ts";
import type { Texts } from "../texts/texts.ts";

/** By language. The text itself is the key: nothing that happens to a message or its topic makes it wrong. */
const kept = new Map<Texts, Kept>();
const KEPT_BYTES = 8 * 1_048_576;
const KEPT_FROM = 1_024;

/** `text` is what a publisher sent; 32 KB take up to 20 ms. `texts`: for an image without a name. */
export function markdown(text: string, texts: Texts): Safe {
  let rendered = kept.get(texts);
  if (rendered === undefined) kept.set(texts, (rendered = createKept(KEPT_BYTES, KEPT_FROM)));
  return trusted(rendered.of(text, (foreign) => render(foreign, texts).html));
}

function render(text: string, texts: Texts): Safe {
  let left = COPIES * text.length + MIN_CHARACTERS;
  const within = ([name, make]: [string, Callback]) => [
    name,
    (inner: string, meta: never) => {
      left -= inner.length;
      if (left < 0) throw new TooDeep();
      return make(inner, meta);
    },
  ];
  const callbacks = Object.fromEntries(Object.entries(elementsIn(texts)).map(within)) as ReturnType<typeof elementsIn>;
  try {
    return trusted(Bun.markdown.render(text, callbacks, { autolinks: { url: true }, noIndentedCodeBlocks: true }));
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error;
    return <pre tabindex="0">{text}</pre>;
  }
}

/**
 * Every element is made of all that it contains, so nesting costs its square: 32 KB of `>` took 2.7 s, 32 KB of `*` 0.13 s. What
 * people write passes each character through a few elements.
 */
const COPIES = 32;
const MIN_CHARACTERS = 16_384;
class TooDeep extends Error {}

type Callback = (inner: string, meta: never) => string;

/** Arguments named `inner` are HTML that these callbacks made; everything else is foreign and goes through JSX. */
const elementsIn = (texts: Texts) =>
  ({
    text: (foreign) => (<Fragment>{foreign}</Fragment>).html,
    html: (inner) => inner,
    paragraph: (inner) => `<p>${inner}</p>`,
    heading: (inner, { level }) => (level < 3 ? `<h4>${inner}</h4>` : `<h5>${inner}</h5>`),
    blockquote: (inner) => `<blockquote>${inner}</blockquote>`,
    code: (inner) => `<pre tabindex="0"><code>${inner}</code></pre>`,
    codespan: (inner) => `<code>${inner}</code>`,
    strong: (inner) => `<strong>${inner}</strong>`,
    emphasis: (inner) => `<em>${inner}</em>`,
    strikethrough: (inner) => `<s>${inner}</s>`,
    hr: () => "<hr>",
    list: (inner, { ordered, start }) =>
      (ordered ? <ol start={start}>{trusted(inner)}</ol> : <ul>{trusted(inner)}</ul>).html,
    listItem: (inner, { checked }) => `<li>${checked === undefined ? "" : checked ? "☑ " : "☐ "}${inner}</li>`,
    table: (inner) => `<div class="scroll" tabindex="0"><table>${inner}</table></div>`,
    thead: (inner) => `<thead>${inner}</thead>`,
    tbody: (inner) => `<tbody>${inner}</tbody>`,
    tr: (inner) => `<tr>${inner}</tr>`,
    th: (inner) => `<th>${inner}</th>`,
    td: (inner) => `<td>${inner}</td>`,
    link: (inner, { href, title }) => link(href, inner, title),
    // no link inside a link: what is in the brackets counts as plain words
    image: (inner, { src, title }) => link(src, inner.replace(/<[^>]*>/g, "") || texts.card.image(hostOf(src)), title),
  }) satisfies Bun.markdown.RenderCallbacks;

/**
 * Only absolute addresses lead anywhere: a relative one would point at this server. None leads to ntfy's app, which by a tap would
 * follow a topic of somebody else's server.
 */
function link(href: string, inner: string, title: string | undefined): string {
  if ((URL.parse(href)?.protocol ?? "ntfy:") === "ntfy:") return inner;
  return (
    <a href={href} title={title} rel="noreferrer">
      {trusted(inner)}
    </a>
  ).html;
}

const hostOf = (url: string): string => URL.parse(url)?.host ?? "";
