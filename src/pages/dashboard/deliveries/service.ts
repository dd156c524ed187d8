/** Push services, and those that forwards send to, by their names. */
import type { Lane } from "../../../delivery/delivery.ts";
import { kindNamed } from "../../../delivery/forwards/kinds.ts";
import { said } from "../../../rewrites/tool-setup.ts";
import type { Texts } from "../../texts/texts.ts";

/** The owner of the push service, as people know it; the host if it is the operator's. */
export function serviceOf(texts: Texts, lane: Lane): string {
  const { service } = texts.deliveries;
  if (lane.startsWith("apns:")) return service.apple;
  if (lane === "fcm") return service.google;
  const [, kind, to = ""] = FORWARD.exec(lane) ?? [];
  if (kind !== undefined) return titleOf(texts, kind) ?? to;
  const host = URL.parse(lane.slice("webpush:".length))?.hostname ?? "";
  const known = Object.entries(HOSTS).find(([below]) => host === below || host.endsWith(`.${below}`));
  return known === undefined ? host : service[known[1]];
}

/** Its kind and its host; behind `#` is whose it is. */
const FORWARD = /^forward:([^:]+):([^#]+)/;

/** A kind of forward as people know it. */
export function titleOf({ locale }: Texts, name: string): string | undefined {
  const kind = kindNamed(name);
  return kind && said(kind.title, locale.slice(0, 2));
}

const HOSTS = {
  "push.apple.com": "apple",
  "googleapis.com": "google",
  "push.services.mozilla.com": "mozilla",
  "notify.windows.com": "microsoft",
} as const;
