/**
 * Registers the service worker if the dashboard runs as an installed app: without a connection the worker answers with a page
 * that says so. In a tab the browser says it.
 */
import { startedWorker } from "./subscription.ts";

export function startApp(): void {
  if (!("serviceWorker" in navigator) || !matchMedia("(display-mode: standalone)").matches) return;
  void startedWorker().catch(() => undefined); // the dashboard works without it
}
