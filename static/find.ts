/** `/` focuses the search of a dashboard page, as it does on a feed. If the reader switched keys off there, it is off here too. */
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
