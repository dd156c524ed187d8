/** After this time a form may be sent again: the server is probably not slow but away. */
const PATIENCE_MS = 10_000;

/**
 * Keeps forms that are under way from being sent twice: an impatient click would make a second message, or a key that
 * nobody has seen. The button is marked as disabled meanwhile. Forms that a script sends are handled in busy.ts.
 */
export function sendOnce(): void {
  const underWay = new Map<HTMLFormElement, () => void>();
  document.addEventListener("submit", (event) => {
    const { target: form, submitter } = event;
    if (event.defaultPrevented || !(form instanceof HTMLFormElement) || form.method !== "post") return;
    if (underWay.has(form)) {
      event.preventDefault();
      return;
    }
    submitter?.setAttribute("aria-disabled", "true");
    const release = () => {
      submitter?.removeAttribute("aria-disabled");
      underWay.delete(form);
    };
    underWay.set(form, release);
    setTimeout(release, PATIENCE_MS);
  });
  // the timers of a page stand still while it is in the browser's history
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) for (const release of underWay.values()) release();
  });
}
