/** **Acknowledge** without leaving the page. Without this script its form is posted, and leads back here. */

import { pressed } from "./busy.ts";

/** `done`: with the id of the card that is to be shown anew. `path`: of the feed. */
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

/** The same path below `/v1/` says whether it worked. */
async function acknowledge(path: string, id: number): Promise<void> {
  const base = document.documentElement.dataset["base"] ?? "";
  const { ok } = await fetch(`${base}/v1${path.slice(base.length)}/messages/${id}/ack`, { method: "POST" });
  if (!ok) throw new Error("refused");
}
