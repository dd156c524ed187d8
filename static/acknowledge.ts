/** **Acknowledge** without leaving the page. Without this script the browser posts the form, and the answer leads back here. */

import { pressed } from "./busy.ts";

/** `path`: the path of the feed. `done` is called with the id of an acknowledged message, whose card is out of date now. */
export function startAcknowledging(path: string, done: (id: number) => Promise<void>): void {
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || form.dataset["acknowledge"] === undefined) return;
    event.preventDefault();
    const button = form.querySelector("button");
    if (!button) return;
    const id = Number(form.dataset["acknowledge"]);
    void pressed(button, async () => {
      await acknowledge(path, id);
      await done(id);
    }).catch(() => form.querySelector("[role=alert]")?.removeAttribute("hidden"));
  });
}

/** Uses the path below `/v1/`, whose status says whether it worked. Rejects if it did not. */
async function acknowledge(path: string, id: number): Promise<void> {
  const base = document.documentElement.dataset["base"] ?? "";
  const { ok } = await fetch(`${base}/v1${path.slice(base.length)}/messages/${id}/ack`, { method: "POST" });
  if (!ok) throw new Error("refused");
}
