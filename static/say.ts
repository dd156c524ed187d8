/** Tells screen readers what happens, in one of two live regions: one waits its turn, the other, for what is urgent, interrupts. */

export function say(text: string, isUrgent = false): void {
  document.querySelector(isUrgent ? "[data-said-urgent]" : "[data-said]")?.replaceChildren(text);
}
