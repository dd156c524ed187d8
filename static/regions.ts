/** Regions of a page that are put anew in the place of the old, as the reader has left them: open, typed, focused, scrolled. */
import { documentAt } from "./cards.ts";
import { localize } from "./times.ts";

/** Somebody ended the session: the page leads to the login. */
export class SignedOut extends Error {}

/** Asks for this page again and takes over the regions that show one of `what`; `*`: all of them. */
export async function refresh(what: ReadonlySet<string>): Promise<void> {
  const regions = [...document.querySelectorAll<HTMLElement>("[data-live]")].filter(
    ({ dataset }) => what.has("*") || dataset["live"]?.split(" ").some((one) => what.has(one)),
  );
  if (regions.length === 0) return;
  for (const region of regions) region.ariaBusy = "true";
  try {
    const address = new URL(location.href);
    address.hash = "";
    const body = await documentAt(address, { "peal-again": "1" });
    if (!body.querySelector("[data-live]")) throw new SignedOut();
    const fresh = body.ownerDocument;
    document.title = fresh.title;
    takeSign(fresh);
    for (const region of regions) {
      region.ariaBusy = null;
      const now = fresh.getElementById(region.id);
      if (now && !isSelectedIn(region)) swap(region, now);
    }
  } finally {
    for (const region of regions) region.ariaBusy = null;
  }
}

/** The window's: another when a check is down. */
function takeSign(fresh: Document): void {
  const icon = document.querySelector("link[rel=icon]");
  const href = fresh.querySelector("link[rel=icon]")?.getAttribute("href");
  if (icon && href && icon.getAttribute("href") !== href) icon.setAttribute("href", href);
}

function swap(old: HTMLElement, now: HTMLElement): void {
  const region = document.adoptNode(now);
  localize(region);
  if (region.isEqualNode(old)) return;
  const counterpart = counterparts(old, region);
  for (const element of old.querySelectorAll("details, input, textarea, select")) keep(element, counterpart(element));
  const focused = document.activeElement;
  const goesOn = focused && old.contains(focused) ? counterpart(focused) : undefined;
  const anchor = anchorIn(old);
  const top = anchor?.getBoundingClientRect().top ?? 0;
  const held = anchor && counterpart(anchor);
  old.replaceWith(region);
  if (goesOn instanceof HTMLElement) goesOn.focus({ preventScroll: true });
  if (held) scrollBy({ top: held.getBoundingClientRect().top - top, behavior: "instant" });
}

/** What the reader did to it. */
function keep(old: Element, now: Element | undefined): void {
  if (old instanceof HTMLDetailsElement && now instanceof HTMLDetailsElement) now.open = old.open;
  else if (old instanceof HTMLInputElement && now instanceof HTMLInputElement) {
    if (old.value !== old.defaultValue) now.value = old.value;
    if (old.checked !== old.defaultChecked) now.checked = old.checked;
  } else if (old instanceof HTMLTextAreaElement && now instanceof HTMLTextAreaElement) {
    if (old.value !== old.defaultValue) now.value = old.value;
  } else if (old instanceof HTMLSelectElement && now instanceof HTMLSelectElement) now.value = old.value;
}

/** Finds what an element of `old` is in `now`: rows may have come and gone around it. */
function counterparts(old: Element, now: Element): (element: Element) => Element | undefined {
  const marksOf = (root: Element) => {
    const seen = new Map<string, number>();
    return [...root.querySelectorAll("*")].map((element) => {
      const mark = markOf(element);
      const n = seen.get(mark) ?? 0;
      seen.set(mark, n + 1);
      return [element, `${mark} ${n}`] as const;
    });
  };
  const marks = new Map(marksOf(old));
  const found = new Map(marksOf(now).map(([element, mark]) => [mark, element]));
  return (element) => {
    const mark = marks.get(element);
    return mark === undefined ? undefined : found.get(mark);
  };
}

function markOf(element: Element): string {
  const row = element.closest("li, tr, article");
  const of = row?.id || row?.querySelector("a")?.getAttribute("href");
  const own = ["id", "name", "value", "href", "action", "class"].map((name) => element.getAttribute(name));
  return [element.tagName, of, ...own].join(" ");
}

/** The first row in sight, where the region begins above it: it stays where it is on the screen. */
function anchorIn(region: HTMLElement): Element | undefined {
  if (region.getBoundingClientRect().top >= 0) return undefined;
  return [...region.querySelectorAll("li, tr, article")].find((row) => row.getBoundingClientRect().top >= 0);
}

function isSelectedIn(region: HTMLElement): boolean {
  const selection = getSelection();
  return selection?.isCollapsed === false && region.contains(selection.anchorNode);
}
