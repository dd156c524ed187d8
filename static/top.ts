/** The top of a feed (src/pages/feed/open.tsx): refreshes it, and makes its links lead to the cards. */
import { localize } from "./times.ts";

/** `goTo` shows the card that a link leads to, without a new page if it is on this one. */
export function startTop(goTo: (link: URL) => void): void {
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[data-card]") : null;
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    goTo(new URL(link.href));
  });
}

/** Replaces the top of the page by what the server shows now. A button that has the focus keeps it. */
export function showTop(fresh: HTMLElement | undefined): void {
  const old = document.getElementById("now");
  if (!old || !fresh) return;
  localize(fresh);
  if (old.isEqualNode(fresh)) return;
  const form = document.activeElement?.closest<HTMLElement>("#now [data-acknowledge]");
  old.replaceWith(fresh);
  if (form) fresh.querySelector<HTMLElement>(`[action="${form.getAttribute("action") ?? ""}"] button`)?.focus();
}
