/** Buttons that are at it. */

/** Does what a button is for, unless it is at it already; until it is done the button says so. Rejects as `act` does. */
export async function pressed(button: Element, act: () => Promise<void>): Promise<void> {
  if (button.getAttribute("aria-disabled") === "true") return;
  button.setAttribute("aria-disabled", "true");
  await act().finally(() => {
    button.removeAttribute("aria-disabled");
  });
}
