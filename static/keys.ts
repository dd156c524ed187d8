/** Keyboard shortcuts of the feed. People who type by voice or with other aids can switch them off (WCAG 2.1.4). */
import { say } from "./say.ts";
import { isOff, isTyping, OFF } from "./shortcuts.ts";
import { words } from "./words.ts";

export function startKeys(): void {
  const dialog = document.querySelector<HTMLDialogElement>("[data-keys]");
  if (!dialog) return;
  const show = () => {
    dialog.showModal();
  };
  const keys = new Map<string, () => void>([
    ["j", () => step(1)],
    ["k", () => step(-1)],
    ["/", () => document.querySelector<HTMLElement>("#q")?.focus()],
    ["m", mute],
    ["c", copy],
    ["?", show],
  ]);
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || dialog.open || isTyping(event.target) || isOff()) return;
    const act = keys.get(event.key);
    if (!act) return;
    event.preventDefault();
    act();
  });
  document.querySelector("[data-show-keys]")?.addEventListener("click", show);

  const toggle = dialog.querySelector<HTMLInputElement>("[data-keys-on]");
  if (!toggle) return;
  toggle.checked = !isOff();
  toggle.addEventListener("change", () => {
    try {
      if (toggle.checked) localStorage.removeItem(OFF);
      else localStorage.setItem(OFF, "1");
    } catch {
      // no storage in this browser's mode
    }
  });
}

const current = (): HTMLElement | undefined => document.activeElement?.closest<HTMLElement>("article") ?? undefined;

function step(by: 1 | -1): void {
  const cards = [...document.querySelectorAll<HTMLElement>("article")].filter(
    (card) => card.getClientRects().length > 0,
  );
  const at = cards.findIndex((card) => card === current());
  const to = cards[at === -1 ? 0 : at + by];
  (to?.querySelector<HTMLElement>(":scope > details > summary[id]") ?? to)?.focus();
}

function copy(): void {
  const menu = current()?.querySelector<HTMLDetailsElement>(".menu");
  if (!menu) return;
  menu.open = true; // the button confirms the copy, and closes the menu
  menu.querySelector<HTMLElement>("[data-copy-text]")?.click();
}

/** Mutes for an hour, or unmutes: whichever the panel offers first now. */
function mute(): void {
  const button = document.querySelector<HTMLElement>("[data-quiet] button:not([hidden] *)");
  if (button) button.click();
  else say(words.muteNeeds);
}
