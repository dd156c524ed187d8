/** How long a deletion is offered to be taken back. */
const UNDO_MS = 10_000;

/** What a form did: closed by its button, and what can no longer be taken back is not offered. */
export function startFlash(): void {
  const flash = document.querySelector<HTMLElement>("[data-flash]");
  flash?.querySelector("[data-close]")?.addEventListener("click", () => {
    flash.remove();
    document.querySelector<HTMLElement>("#main")?.focus({ preventScroll: true });
  });
  const undo = flash?.querySelector("[data-undo]");
  if (undo) setTimeout(() => undo.remove(), UNDO_MS);
}
