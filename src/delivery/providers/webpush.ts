/** Web Push (RFC 8030, 8291): a push becomes a request, an answer a verdict (DELIVERY.md §4). Pure but for the salt. */
import webpush from "web-push";
import { pushedImage } from "../../messages/image.ts";
import type { Millis } from "../../util/clock.ts";
import { defined } from "../../util/defined.ts";
import { jsonOf, type ProviderRequest, type ProviderResponse, retryAfterMs, stringOf } from "../transport/answer.ts";
import { isOfBrowsers } from "../transport/endpoint.ts";
import { fit } from "../push/fit.ts";
import { masked } from "../credentials/masked.ts";
import { MOST_SHRUNK, type Notification, type Push, type Verdict } from "../push/push.ts";

export interface WebPushAuth {
  /** The header that vapid.ts makes for the endpoint's origin. */
  authorization: string;
  /** The hosts whose images are shown: the browser would load one from anywhere. */
  imageHosts: readonly string[];
}

/** The most bytes of plaintext. A body of 4,096 takes 3,993 (RFC 8291 §4), but some services and distributors take less. */
const MAX_BYTES = 3_000;
/** Four weeks: no service keeps a push longer, and some refuse a longer time. */
const MAX_TTL_SECONDS = 2_419_200;

/** `now`: the time that the push has left is counted from it. @throws Error if the device has no keys */
export function request(push: Push, { authorization, imageHosts }: WebPushAuth, now: Millis): ProviderRequest {
  const { token, keys } = push.device;
  if (keys === undefined) throw new Error("a push subscription has keys");
  const plaintext = fit(push, MAX_BYTES, (shown, more) => declarativeOf(shown, push, { more, imageHosts }));
  // only the origin: for paths of old services web-push prints warnings
  const { body, headers } = webpush.generateRequestDetails(
    { endpoint: new URL(token).origin, keys },
    Buffer.from(plaintext),
    {
      TTL: Math.min(MAX_TTL_SECONDS, Math.max(0, Math.floor((push.expiresAt - now) / 1000))),
      // nothing less wakes a sleeping phone
      urgency: push.notification.priority === "low" ? "normal" : "high",
      topic: push.collapseId,
    },
  );
  const named = Object.entries<string | number>(headers).map(
    ([name, value]) => [name.toLowerCase(), String(value)] as const,
  );
  const sent = Object.fromEntries(named.filter(([name]) => name !== "content-length")); // fetch counts for itself
  return { url: token, headers: { ...sent, authorization }, body };
}

/**
 * Declarative Web Push (W3C Push API, "declarative push message"): Safari shows it without help, elsewhere our service
 * worker does. If something was left out, `data.more` says so, and the rest is in the feed.
 */
function declarativeOf(
  shown: Notification,
  { collapseId }: Push,
  { more, imageHosts }: { more: boolean } & Pick<WebPushAuth, "imageHosts">,
): object {
  const { title, body, topic, messageId, url, feedUrl, actions, level, priority, ack, at, count } = shown;
  const names = { ns: topic?.namespace, topic: topic?.key, id: messageId };
  const navigate = isPage(url) ? url : feedUrl;
  const notification = {
    ...{ title, body, navigate, dir: "auto", tag: collapseId, image: pushedImage(shown, imageHosts) },
    silent: priority === "low" || undefined,
    // an action that sends a request needs our service worker: a tap opens the message, which has the buttons too
    actions: actions?.map(({ label, url: link, method }, i) =>
      defined({ action: String(i), title: label, navigate: method === undefined ? link : feedUrl }),
    ),
    data: defined({
      ...names,
      url: url === navigate ? undefined : url, // mail and telephone links, which no browser navigates to
      level,
      priority,
      ack: ack || undefined,
      actions,
      feedUrl,
      at,
      count,
      more: more || undefined,
    }),
  };
  return { web_push: 8030, notification: defined(notification) };
}

const isPage = (url: string | undefined): boolean => url !== undefined && /^https?:/i.test(url);

/** Sources: RFC 8030 §5–8; Apple, "Sending web push notifications in web apps and browsers"; Mozilla, "Autopush error codes". */
export function verdict(response: ProviderResponse, push: Push): Verdict {
  const { status, headers } = response;
  if (ACCEPTED.has(status)) return defined<Verdict>({ kind: "accepted", id: idOf(headers, push) });
  const { words, errno } = errorOf(response, push);
  const reason = masked(words, push) || `status ${status}`;
  switch (status) {
    case 404:
    case 410:
      return { kind: "prune", proof: reason };
    case 400:
      return BAD_KEYS.has(errno) ? { kind: "prune", proof: reason } : { kind: "fail", reason };
    case 401:
    case 403:
      return refusalOf(reason);
    case 413:
      return push.shrunk < MOST_SHRUNK ? { kind: "shrink", reason } : { kind: "fail", reason };
  }
  if (status >= 500 || status === 429 || status === 408 || status < 400) {
    // Chrome's limit holds for the whole server, that of other browsers for one endpoint
    const scope = status === 429 && new URL(push.device.token).hostname.endsWith(".googleapis.com") ? "lane" : "device";
    return defined<Verdict>({ kind: "retry", scope, reason, afterMs: retryAfterMs(response) });
  }
  return { kind: "fail", reason };
}

const ACCEPTED: ReadonlySet<number> = new Set([200, 201, 202, 204]);
/** Mozilla's error numbers for subscription keys that are missing or invalid. */
const BAD_KEYS: ReadonlySet<unknown> = new Set([101, 110]);
/** The subscription was made with another VAPID key, so the browser has to subscribe again. */
const OTHER_KEY = /mismatch|do(es)? not (match|correspond)/i;
/** Apple's reasons that concern our own signature, whatever device the push is for. */
const OURS: ReadonlySet<string> = new Set([
  "BadJwtToken",
  "BadAuthorizationHeader",
  "BadVapidPublicKey",
  "ExpiredJwtToken",
]);

function refusalOf(reason: string): Verdict {
  if (OTHER_KEY.test(reason)) return { kind: "prune", proof: reason };
  const mend = "The push service refuses this server's signature: check the clock and PEAL_VAPID_SUBJECT.";
  const pause = { kind: "pause", reason, tell: `${mend} It says: ${reason}` } as const;
  return OURS.has(reason) ? pause : { ...pause, ifOthersAccepted: "retry" };
}

/** The last part of `Location`, which names the push (RFC 8030 §5), unless it names the device. */
function idOf({ "apns-id": apple, location }: Readonly<Record<string, string>>, { device }: Push): string | undefined {
  const id = apple ?? /[^/?#]+$/.exec(location ?? "")?.[0];
  return id === undefined || id.length > 256 || device.token.includes(id) ? undefined : id;
}

function errorOf(response: ProviderResponse, { device }: Push): { words: string; errno: unknown } {
  const { reason, message, error, errno } = jsonOf(response);
  const words = [reason, message, error].map(stringOf).find((text) => text !== "");
  // a host that the operator named may be private: a stranger who registers an address there must not learn what answers
  // at it
  const line = isOfBrowsers(new URL(device.token).hostname) ? response.body.trim().split("\n", 1)[0] : "";
  return { words: words ?? line ?? "", errno };
}
