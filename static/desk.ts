/** Pages of the dashboard. Without this script they are whole. */
import { startCopying } from "./copy.ts";
import { startLive } from "./live.ts";
import { startPage } from "./theme.ts";
import { localize } from "./times.ts";

/** How long a deletion is offered to be taken back. */
const UNDO_MS = 10_000;

/** What a form did: closed by its button, and what can no longer be taken back is not offered. */
function startFlash(): void {
  const flash = document.querySelector<HTMLElement>("[data-flash]");
  flash?.querySelector("[data-close]")?.addEventListener("click", () => {
    flash.remove();
    document.querySelector<HTMLElement>("#main")?.focus({ preventScroll: true });
  });
  const undo = flash?.querySelector("[data-undo]");
  if (undo) setTimeout(() => undo.remove(), UNDO_MS);
}

startPage();
startCopying();
localize(document);
startFlash();
if (document.querySelector("[data-connection]")) startLive(document.documentElement.dataset["base"] ?? "");
