/** `/` leads to the search of a page of the dashboard, as on a feed. Whoever switched keys off there has switched off this one. */
import { isOff, isTyping } from "./shortcuts.ts";

export function startFind(): void {
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || isOff())
      return;
    const search = document.querySelector<HTMLElement>("#q");
    if (!search || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    search.focus();
  });
}
