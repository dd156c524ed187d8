/** A server that is slow is waited for; one that does not answer at all may be asked again. */
const PATIENCE_MS = 10_000;

/**
 * A form that is under way is not sent a second time: an impatient click would make a second message, or a key that
 * nobody has seen. Its button says so. Forms that a script sends by itself have their own way (busy.ts).
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
  // back again: the timers of a page that was away stood still
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) for (const release of underWay.values()) release();
  });
}
