/** Push services by their names. */
import type { Lane } from "../../../delivery/delivery.ts";
import type { Texts } from "../../texts/texts.ts";

/** The owner of the push service, as people know it; the host if it is the operator's. */
export function serviceOf({ deliveries: { service } }: Texts, lane: Lane): string {
  if (lane.startsWith("apns:")) return service.apple;
  if (lane === "fcm") return service.google;
  const host = URL.parse(lane.slice("webpush:".length))?.hostname ?? "";
  const known = Object.entries(HOSTS).find(([below]) => host === below || host.endsWith(`.${below}`));
  return known === undefined ? host : service[known[1]];
}
const HOSTS = {
  "push.apple.com": "apple",
  "googleapis.com": "google",
  "push.services.mozilla.com": "mozilla",
  "notify.windows.com": "microsoft",
} as const;
