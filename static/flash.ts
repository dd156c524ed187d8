/** How long the page offers to undo a deletion. */
const UNDO_MS = 10_000;

/** The message that says what a form did: makes its button close it, and removes the offer to undo when that has expired. */
export function startFlash(): void {
  const flash = document.querySelector<HTMLElement>("[data-flash]");
  flash?.querySelector("[data-close]")?.addEventListener("click", () => {
    flash.remove();
    document.querySelector<HTMLElement>("#main")?.focus({ preventScroll: true });
  });
  const undo = flash?.querySelector("[data-undo]");
  if (undo) setTimeout(() => undo.remove(), UNDO_MS);
}
