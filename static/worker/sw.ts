/**
 * The service worker (WEB.md §5): shows every push, answers taps on notifications, and shows stored feeds when there is no
 * connection.
 */
import { answerClick } from "./click.ts";
import { answerFor } from "./offline.ts";
import { renew } from "./renew.ts";
import { sendFor } from "./request.ts";
import { showPush } from "./show.ts";

declare const self: ServiceWorkerGlobalScope;

self.addEventListener("install", () => void self.skipWaiting());
self.addEventListener("activate", (event) => {
  event.waitUntil(self.clients.claim());
});
self.addEventListener("fetch", (event) => {
  const answer = answerFor(event, new URL(self.registration.scope));
  if (answer) event.respondWith(answer);
});
self.addEventListener("push", (event) => {
  event.waitUntil(showPush(self, event.data));
});
self.addEventListener("notificationclick", (event) => {
  event.waitUntil(answerClick(self, event));
});
self.addEventListener("message", (event) => {
  event.waitUntil(sendFor(event));
});
// no type library has this event yet (https://w3c.github.io/push-api/#the-pushsubscriptionchange-event)
self.addEventListener("pushsubscriptionchange", (event) => {
  (event as ExtendableEvent).waitUntil(renew(self, event));
});
