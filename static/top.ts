/** What is on top of a feed (src/pages/feed/open.tsx): put anew in its place, and led on from to its cards. */
import { localize } from "./times.ts";

/** `goTo`: shows the card of a link, here where it is on the page. */
export function startTop(goTo: (link: URL) => void): void {
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[data-card]") : null;
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    goTo(new URL(link.href));
  });
}

/** What is on top, as the server shows it now; a button that has the focus keeps it. */
export function showTop(fresh: HTMLElement | undefined): void {
  const old = document.getElementById("now");
  if (!old || !fresh) return;
  localize(fresh);
  if (old.isEqualNode(fresh)) return;
  const form = document.activeElement?.closest<HTMLElement>("#now [data-acknowledge]");
  old.replaceWith(fresh);
  if (form) fresh.querySelector<HTMLElement>(`[action="${form.getAttribute("action") ?? ""}"] button`)?.focus();
}
