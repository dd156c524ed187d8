/** What happens, for those who do not see it happen: one region that waits its turn, and one for what is urgent. */

export function say(text: string, isUrgent = false): void {
  document.querySelector(isUrgent ? "[data-said-urgent]" : "[data-said]")?.replaceChildren(text);
}
