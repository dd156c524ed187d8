/** A server that is slow is waited for; one that does not answer at all may be asked again. */
const PATIENCE_MS = 10_000;

/**
 * A form that is under way is not sent a second time: an impatient click would make a second message, or a key that
 * nobody has seen. Forms that a script sends by itself have their own way (busy.ts).
 */
export function sendOnce(): void {
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented || !(form instanceof HTMLFormElement) || form.method !== "post") return;
    const { dataset } = form;
    if (dataset["sent"] !== undefined) {
      event.preventDefault();
      return;
    }
    dataset["sent"] = "";
    setTimeout(() => {
      delete dataset["sent"];
    }, PATIENCE_MS);
  });
}
