/** @jsxImportSource #jsx */
/** Markdown of a message as HTML of a page (WEB.md §1). */
import { createKept, type Kept } from "../../util/kept.ts";
import { ELEMENTS, isLink, namedImage, rendered } from "../../util/text/markdown.ts";
import { Fragment, type Safe, trusted } from "../jsx/jsx-runtime.ts";
import type { Texts } from "../texts/texts.ts";

/** By language. The text itself is the key: nothing that happens to a message or its topic makes it wrong. */
const kept = new Map<Texts, Kept>();
const KEPT_BYTES = 8 * 1_048_576;
const KEPT_FROM = 1_024;

/** `text` is what a publisher sent; 32 KB take up to 20 ms. `texts`: for an image without a name. */
export function markdown(text: string, texts: Texts): Safe {
  let made = kept.get(texts);
  if (made === undefined) kept.set(texts, (made = createKept(KEPT_BYTES, KEPT_FROM)));
  return trusted(made.of(text, (foreign) => render(foreign, texts).html));
}

function render(text: string, texts: Texts): Safe {
  const html = rendered(text, elementsIn(texts));
  return html === undefined ? <pre tabindex="0">{text}</pre> : trusted(html);
}

/** Those that differ in a page: what is wide can be scrolled by keyboard, and foreign text goes through JSX. */
const elementsIn = (texts: Texts) =>
  ({
    ...ELEMENTS,
    text: (foreign) => (<Fragment>{foreign}</Fragment>).html,
    code: (inner) => `<pre tabindex="0"><code>${inner}</code></pre>`,
    list: (inner, { ordered, start }) =>
      (ordered ? <ol start={start}>{trusted(inner)}</ol> : <ul>{trusted(inner)}</ul>).html,
    table: (inner) => `<div class="scroll" tabindex="0"><table>${inner}</table></div>`,
    link: (inner, { href, title }) => link(href, inner, title),
    image: (inner, { src, title }) => link(src, namedImage(inner) || texts.card.image(hostOf(src)), title),
  }) satisfies Bun.markdown.RenderCallbacks;

/**
 * Only absolute addresses lead anywhere: a relative one would point at this server. None leads to ntfy's app, which by a tap would
 * follow a topic of somebody else's server.
 */
function link(href: string, inner: string, title: string | undefined): string {
  if (!isLink(href)) return inner;
  return (
    <a href={href} title={title} rel="noreferrer">
      {trusted(inner)}
    </a>
  ).html;
}

const hostOf = (url: string): string => URL.parse(url)?.host ?? "";
