/**
 * Buttons that send a request. The page may ask only its own server, so it hands the request to the service worker. Without
 * a worker, the method and the address are shown as text.
 */
import { pressed } from "./busy.ts";
import { script } from "./subscription.ts";
import { words } from "./words.ts";

const SHOWN_MS = 3_000;
/** Longer than the worker waits for an answer (static/worker/request.ts). */
const PATIENCE_MS = 25_000;

export function startRequesting(): void {
  if (!("serviceWorker" in navigator)) return;
  const { serviceWorker } = navigator;
  const own = () => (serviceWorker.controller?.scriptURL === script ? serviceWorker.controller : undefined);
  const mark = () => document.documentElement.classList.toggle("worker", own() !== undefined);
  serviceWorker.addEventListener("controllerchange", mark);
  mark();
  document.addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest<HTMLElement>("button[data-request]") : null;
    const word = button?.querySelector("span");
    if (!button || !word) return;
    void pressed(button, async () => {
      const label = word.textContent;
      const request = JSON.parse(button.dataset["request"] ?? "") as object;
      word.textContent = (await isSentBy(own(), request)) ? words.sent : words.notSent;
      await new Promise((resolve) => setTimeout(resolve, SHOWN_MS));
      word.textContent = label;
    });
  });
}

/** Whether the worker sent the request. False too if it does not answer: the browser may have ended it. */
const isSentBy = async (worker: ServiceWorker | undefined, request: object): Promise<boolean> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }: MessageEvent<boolean>) => {
      resolve(data);
    };
    setTimeout(resolve, worker ? PATIENCE_MS : 0, false);
    worker?.postMessage(request, [port2]);
  });
