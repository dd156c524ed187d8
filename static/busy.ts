/** Buttons whose action takes a while. */

/** Runs the action of a button, which is marked as disabled meanwhile; a press during that time does nothing. Rejects as `act` does. */
export async function pressed(button: Element, act: () => Promise<void>): Promise<void> {
  if (button.getAttribute("aria-disabled") === "true") return;
  button.setAttribute("aria-disabled", "true");
  await act().finally(() => {
    button.removeAttribute("aria-disabled");
  });
}
