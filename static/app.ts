/** The dashboard as an app: then its worker says in words that there is no connection. In a tab the browser does. */
import { startedWorker } from "./subscription.ts";

export function startApp(): void {
  if (!("serviceWorker" in navigator) || !matchMedia("(display-mode: standalone)").matches) return;
  void startedWorker().catch(() => undefined); // it is as good without
}
