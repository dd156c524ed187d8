/** Replaces regions of a page, and keeps what the reader did in them: opened, typed, focused, scrolled. */
import { documentAt, Ended } from "./document.ts";
import { localize } from "./times.ts";

/**
 * Fetches this page again and replaces the regions that show one of `what`, or all of them for `*`. Rejects as `documentAt`
 * does, and with `Ended` if the session is over, since the address then leads to the login.
 */
export async function refresh(what: ReadonlySet<string>): Promise<void> {
  const regions = [...document.querySelectorAll<HTMLElement>("[data-live]")].filter(
    ({ dataset }) => what.has("*") || dataset["live"]?.split(" ").some((one) => what.has(one)),
  );
  if (regions.length === 0) return;
  for (const region of regions) region.setAttribute("aria-busy", "true");
  try {
    const address = new URL(location.href);
    address.hash = "";
    const body = await documentAt(address, { "peal-again": "1" });
    if (!body.querySelector("[data-live]")) throw new Ended("signedOut");
    const fresh = body.ownerDocument;
    takeHead(fresh);
    for (const region of regions) {
      region.removeAttribute("aria-busy");
      const now = fresh.getElementById(region.id);
      if (now && !isSelectedIn(region) && !isRefusedIn(region)) swap(region, now);
    }
  } finally {
    for (const region of regions) region.removeAttribute("aria-busy");
  }
}

/** Takes over the title and the icon, which change when a check is down, and the time at which the page was made. */
function takeHead(fresh: Document): void {
  document.title = fresh.title;
  document.documentElement.dataset["at"] = fresh.documentElement.dataset["at"] ?? "";
  const icon = document.querySelector("link[rel=icon]");
  const href = fresh.querySelector("link[rel=icon]")?.getAttribute("href");
  if (icon && href && icon.getAttribute("href") !== href) icon.setAttribute("href", href);
}

/** Replaces `old` by `now`, which is from another document, and keeps what the reader did in `old`. */
export function swap(old: HTMLElement, now: HTMLElement): void {
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

/** Copies to `now` what the reader did to `old`: opened, typed, checked or selected. */
function keep(old: Element, now: Element | undefined): void {
  if (old instanceof HTMLDetailsElement && now instanceof HTMLDetailsElement) now.open = old.open;
  else if (old instanceof HTMLInputElement && now instanceof HTMLInputElement) {
    if (old.value !== old.defaultValue) now.value = old.value;
    if (old.checked !== old.defaultChecked) now.checked = old.checked;
  } else if (old instanceof HTMLTextAreaElement && now instanceof HTMLTextAreaElement) {
    if (old.value !== old.defaultValue) now.value = old.value;
  } else if (old instanceof HTMLSelectElement && now instanceof HTMLSelectElement) {
    const isThere = [...now.options].some(({ value }) => value === old.value);
    if (old.value !== defaultOf(old) && isThere) now.value = old.value;
  }
}

/** The value of a select that nobody touched. */
const defaultOf = ({ options }: HTMLSelectElement): string | undefined =>
  ([...options].find((option) => option.defaultSelected) ?? options[0])?.value;

/** Returns a function that finds the counterpart in `now` of an element of `old`, even if rows came and went around it. */
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

/** The row that must not move on the screen: the first one in sight, if the region begins above the window. */
function anchorIn(region: HTMLElement): Element | undefined {
  if (region.getBoundingClientRect().top >= 0) return undefined;
  return [...region.querySelectorAll("li, tr, article")].find((row) => row.getBoundingClientRect().top >= 0);
}

function isSelectedIn(region: HTMLElement): boolean {
  const selection = getSelection();
  return selection?.isCollapsed === false && region.contains(selection.anchorNode);
}

/** Whether a form in the region shows what was wrong. It is left alone until it is sent again: the fetched page lacks that. */
const isRefusedIn = (region: HTMLElement): boolean => region.querySelector("[aria-invalid=true]") !== null;
