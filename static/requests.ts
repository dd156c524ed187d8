/**
 * Buttons that send a request. The page may ask only its own server, so they are handed to the service worker; where there
 * is none, method and address stay a text.
 */
import { script } from "./subscription.ts";
import { words } from "./words.ts";

const SHOWN_MS = 3_000;

export function startRequesting(): void {
  if (!("serviceWorker" in navigator)) return;
  const { serviceWorker } = navigator;
  const own = () => (serviceWorker.controller?.scriptURL === script ? serviceWorker.controller : undefined);
  const mark = () => document.documentElement.classList.toggle("worker", own() !== undefined);
  serviceWorker.addEventListener("controllerchange", mark);
  mark();
  document.addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest<HTMLElement>("button[data-method]") : null;
    const word = button?.querySelector("span");
    if (!button || !word || button.ariaDisabled === "true") return;
    const label = word.textContent;
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data: isSent }: MessageEvent<boolean>) => {
      word.textContent = isSent ? words.sent : words.notSent;
      setTimeout(() => {
        word.textContent = label;
        button.ariaDisabled = null;
      }, SHOWN_MS);
    };
    button.ariaDisabled = "true";
    const { url, method } = button.dataset;
    own()?.postMessage({ url, method }, [port2]);
  });
}
