/** What tests examine inside the page: compiled for the browser, with its types, and sent there by `look`. */

/** The visible element of a control, which may be the label of a radio button. */
const seenOf = (element: Element): Element =>
  element.matches("[type=radio]") ? (element.nextElementSibling ?? element) : element;

/** The height of a target: a label including its box, or an overlay where the control looks smaller. */
function reachOf(control: Element): number {
  const target = (control.matches("[type=radio], [type=checkbox]") && control.closest("label")) || control;
  const { position, top, bottom } = getComputedStyle(target, "::after");
  // a name in a row can be pressed anywhere in the row
  if (position === "absolute" && getComputedStyle(target).position === "static")
    return target.closest(".row")?.clientHeight ?? 0;
  const beyond = position === "absolute" ? parseFloat(top) + parseFloat(bottom) : 0;
  return beyond < 0 ? target.clientHeight - beyond : target.getBoundingClientRect().height;
}

const CONTROLS = "a[href], button, input:not([type=hidden], [type=radio]), summary";

/** The element with the focus; nothing when the focus has left the page. */
const focused = () => {
  const element = document.activeElement;
  if (!element || element === document.body) return undefined;
  const { outlineStyle, outlineWidth } = getComputedStyle(seenOf(element));
  const box = seenOf(element).getBoundingClientRect();
  return {
    name: element.textContent.trim() || element.id,
    key: `${[...document.querySelectorAll("*")].indexOf(element)} ${element.tagName}`,
    isControl: element.matches(CONTROLS),
    ring: `${outlineStyle} ${outlineWidth}`,
    isInView: box.bottom > 0 && box.top < innerHeight,
  };
};

/** By how many pixels the page is wider than its window. */
const overflow = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;

/** Whether it is a link in a line of text, which WCAG 2.5.5 and 2.5.8 exempt. */
const isInText = (control: Element): boolean =>
  control.matches("a") &&
  getComputedStyle(control).display === "inline" &&
  control.parentElement?.textContent.trim() !== control.textContent.trim();

/** The controls that are visible. */
const seenControls = () =>
  [...document.querySelectorAll(`${CONTROLS}, select, textarea`)].filter(
    (control) => control.checkVisibility({ visibilityProperty: true }) && !control.matches(".sr, .skip"),
  );

/** Controls that a finger would miss, that is below 44 px high, except links in text. */
const small = () =>
  seenControls()
    .filter((control) => !isInText(control))
    .map((control) => ({ at: control.outerHTML.slice(0, 120), height: reachOf(control) }))
    .filter(({ height }) => height < 44);

/** How far an element may extend before a surrounding one cuts it off, and whether that one scrolls. */
function edgeOf(element: Element): number {
  for (let around = element.parentElement; around !== null; around = around.parentElement) {
    const { overflowX } = getComputedStyle(around);
    if (overflowX === "auto" || overflowX === "scroll") return Infinity;
    if (overflowX !== "visible") return around.getBoundingClientRect().right;
  }
  return innerWidth;
}

/** Controls that are cut off by a surrounding element. */
const cutOff = () =>
  seenControls()
    .filter((control) => control.getBoundingClientRect().right > edgeOf(control) + 1)
    .map((control) => control.outerHTML.slice(0, 100));

/** Longer words, and compound ones, may be broken on a short line. */
const SHORT_WORD = /^\p{L}{1,10}\p{P}?$/u;

/** Words that are broken over two lines because their column is too narrow. */
function brokenWords(): string[] {
  const broken: string[] = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    const around = node.parentElement;
    if (around === null || !around.checkVisibility() || around.closest("pre, code, svg, option")) continue;
    if (getComputedStyle(around).clipPath !== "none") continue; // for screen readers only
    for (const { 0: word, index } of (node.nodeValue ?? "").matchAll(/\S+/g)) {
      if (!SHORT_WORD.test(word)) continue;
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1)
        broken.push(`${word} in ${around.outerHTML.slice(0, 80)}`);
    }
  }
  return broken;
}

const inside = {
  /** What large text breaks: the page becomes too wide, a control is cut off, or a short word is broken. */
  cramped: () => ({ wide: overflow(), cut: cutOff(), broken: brokenWords() }),

  /** By how much the page is wider than its window, folded or not, and which controls in it are too small. */
  sizes: () => {
    const folded = [...document.querySelectorAll("details:not([open])")] as HTMLDetailsElement[];
    const before = overflow();
    for (const details of folded) details.open = true;
    const found = { wide: Math.max(before, overflow()), small: small() };
    for (const details of folded) details.open = false;
    return found;
  },

  /** Acts like a browser whose user switches tabs; headless Chromium shows every page. */
  hide: (isHidden: boolean) => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => isHidden });
    document.dispatchEvent(new Event("visibilitychange"));
  },

  cards: () =>
    [...document.querySelectorAll("article")].map((article) => ({
      heading: article.querySelector("h3")?.textContent,
      body: article.querySelector("pre.body")?.textContent,
      tags: [...article.querySelectorAll(".acts .tag")].map((tag) => tag.getAttribute("aria-label") ?? tag.textContent),
      foreign: article.querySelectorAll("script, style, iframe, form, img, base, object, embed, template").length,
      handlers: [article, ...article.querySelectorAll("*")].flatMap((element) =>
        element.getAttributeNames().filter((name) => /^on|^style$/i.test(name)),
      ),
      links: [...article.querySelectorAll("a")]
        .map((link) => link.href)
        .filter((href) => !/^(https?|mailto|tel):/.test(href)),
    })),

  /** Records in `noted` whatever such an element says from now on. */
  note: (selector: string) => {
    const noted: string[] = [];
    new MutationObserver(() => {
      const said = document.querySelector(selector)?.textContent;
      if (said && said !== noted.at(-1)) noted.push(said);
    }).observe(document.body, { childList: true, subtree: true, characterData: true });
    Object.assign(globalThis, { noted });
  },
  noted: () => (globalThis as { noted?: string[] }).noted,

  /** Counts in `changes` how often something below the element changes from now on. */
  countChanges: (selector: string) => {
    const [element] = document.querySelectorAll(selector);
    let changes = 0;
    new MutationObserver(() => {
      Object.assign(globalThis, { changes: ++changes });
    }).observe(element ?? document, { childList: true, subtree: true, attributes: true });
    Object.assign(globalThis, { changes });
  },
  changes: () => (globalThis as { changes?: number }).changes,

  /** The badge on the icon of the app (badge.ts). */
  badge: () => (globalThis as { badge?: number }).badge,

  /** The device id of this browser. */
  device: async () => (await (await caches.open("peal-device")).match("/-/device"))?.text(),

  /** The paths that are stored for use without a connection. */
  kept: async () => (await (await caches.open("peal-feeds")).keys()).map(({ url }) => new URL(url).pathname),
  keptText: async (path: string) => (await (await caches.open("peal-feeds")).match(path))?.text(),
  /** Resolves once the service worker controls the page. */
  controlled: async () => {
    await navigator.serviceWorker.ready;
    if (!navigator.serviceWorker.controller)
      await new Promise((resolve) => {
        navigator.serviceWorker.addEventListener("controllerchange", resolve);
      });
  },

  /** Elements that no page of the server contains and attackers would want; in this page, or in one that was fetched. */
  suspects: (html?: string) => {
    const page = html === undefined ? document : new DOMParser().parseFromString(html, "text/html");
    const alien =
      "script:not([src*='/-/assets/']), iframe, style, base, object, embed, math, img:not([src*='/-/assets/'])";
    const isOurs = (address: string) => /^(?:https?:|mailto:|tel:|\/|\?|#|\.)/.test(address);
    return [...page.querySelectorAll("*")]
      .filter(
        (element) =>
          element.matches(alien) ||
          element.getAttributeNames().some((name) => /^on|^style$/i.test(name)) ||
          ["href", "action", "formaction", "src"].some((name) => !isOurs(element.getAttribute(name) ?? "/")),
      )
      .map(({ outerHTML }) => outerHTML.slice(0, 300));
  },

  /** Dispatches every event that a card might listen to, without following links. */
  provoke: () => {
    for (const element of document.querySelectorAll("article *:not(a):not(a *)"))
      for (const type of ["mouseover", "click", "focus", "error", "load", "toggle", "animationstart"])
        element.dispatchEvent(new Event(type, { bubbles: true }));
  },

  /** An Atom feed as an XML parser reads it. */
  atom: (xml: string) => {
    const { documentElement: feed } = new DOMParser().parseFromString(xml, "application/xml");
    const read = (entry: Element, name: string) => entry.getElementsByTagName(name)[0];
    return {
      root: `${feed.namespaceURI ?? ""} ${feed.localName}`,
      // what RFC 4287 §4.1.1 requires of a feed
      head: ["id", "title", "updated"].map(
        (name) => [...feed.children].filter(({ localName }) => localName === name).length,
      ),
      self: feed.querySelector("link[rel=self]")?.getAttribute("href"),
      entries: [...feed.getElementsByTagName("entry")].map((entry) => ({
        content: read(entry, "content")?.textContent,
        type: read(entry, "content")?.getAttribute("type"),
        terms: [...entry.getElementsByTagName("category")].map((category) => category.getAttribute("term")),
        has: ["id", "title", "updated"].map((name) => entry.getElementsByTagName(name).length),
      })),
    };
  },

  /** How many pixels of a text are cut off at its end. */
  unseen: (selector: string) => {
    const text = document.querySelector(selector);
    return text === null ? undefined : text.scrollHeight - text.clientHeight;
  },

  /**
   * What does not belong on paper: controls except links in text, and coloured backgrounds. `ink` is the text's colour,
   * `paper` the colour scheme.
   */
  printed: () => ({
    controls: seenControls()
      .filter((control) => !control.matches("a, summary"))
      .concat([...document.querySelectorAll("a.btn, nav, .live")].filter((element) => element.checkVisibility()))
      .map((control) => control.outerHTML.slice(0, 100)),
    grounds: [...document.querySelectorAll("*")]
      .filter(
        (element) => getComputedStyle(element).backgroundColor !== "rgba(0, 0, 0, 0)" && element.checkVisibility(),
      )
      .map((element) => element.outerHTML.slice(0, 100)),
    ink: getComputedStyle(document.body).color,
    paper: getComputedStyle(document.documentElement).colorScheme,
  }),

  /** How a browser reads a stylesheet: where each rule applies, and what it sets, sorted by name. */
  rules: (css: string) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    // values with variables are kept as they are written
    const tidy = (text: string) => text.replaceAll(/\s/g, "").replaceAll(/\b0(?=\.)/g, "");
    const read = (rule: CSSRule, within: string): string[] => {
      if (rule instanceof CSSStyleRule)
        return [`${within}${rule.selectorText} ${rule.style.cssText.split(";").map(tidy).sort().join("; ")}`];
      const [head = ""] = rule.cssText.split("{");
      const inner = "cssRules" in rule ? [...(rule.cssRules as CSSRuleList)] : [];
      return inner.length === 0 ? [within + rule.cssText] : inner.flatMap((one) => read(one, `${within}${head}/ `));
    };
    return [...sheet.cssRules].flatMap((rule) => read(rule, ""));
  },

  structure: () => {
    const nameOf = (control: Element) =>
      [control.getAttribute("aria-label"), control.textContent, (control as HTMLInputElement).labels?.[0]?.textContent]
        .join("")
        .trim();
    const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
    const references = [...document.querySelectorAll("[aria-labelledby], [aria-describedby]")].flatMap((element) =>
      ["aria-labelledby", "aria-describedby"].flatMap((name) => element.getAttribute(name)?.split(" ") ?? []),
    );
    return {
      h1: document.querySelectorAll("h1").length,
      main: document.querySelectorAll("main").length,
      lang: document.documentElement.lang,
      nameless: [...document.querySelectorAll("a, button, input:not([type=hidden], [hidden]), summary")]
        .filter((control) => nameOf(control) === "")
        .map((control) => control.outerHTML),
      twice: ids.filter((id, i) => ids.indexOf(id) !== i),
      dangling: references.filter((id) => !ids.includes(id)),
      scripts: document.querySelectorAll("script[src]").length,
      styles: document.querySelectorAll("link[rel=stylesheet]").length,
    };
  },

  /** How many controls are visible. */
  controls: () => [...document.querySelectorAll(CONTROLS)].filter((control) => control.checkVisibility()).length,

  focused,

  /** Records in `walked` where the focus is after each key, as long as it stays in the page. */
  noteWalk: () => {
    const walked: unknown[] = [];
    addEventListener("keyup", () => walked.push(focused() ?? null));
    Object.assign(globalThis, { walked });
  },
  walked: () => (globalThis as { walked?: unknown[] }).walked,
};

Object.assign(globalThis, { inside });
