/** Apple's push service: turns a push into a request and its answer into a verdict (DELIVERY.md §4). Pure. */
import type { ApnsEnvironment } from "../../devices/device.ts";
import type { Priority } from "../../drafts/draft.ts";
import { defined } from "../../util/defined.ts";
import { jsonOf, type ProviderRequest, type ProviderResponse, retryAfterMs, stringOf } from "../transport/answer.ts";
import { fit } from "../push/fit.ts";
import { masked } from "../credentials/masked.ts";
import { MOST_SHRUNK, type Notification, type Push, type Verdict } from "../push/push.ts";

export const APNS_ORIGINS: Readonly<Record<ApnsEnvironment, string>> = {
  production: "https://api.push.apple.com",
  sandbox: "https://api.sandbox.push.apple.com",
};

export interface ApnsAuth {
  /** The origin of the environment, or the setting PEAL_APNS_URL, without a trailing slash. */
  origin: string;
  /** The bundle id of the app. */
  topic: string;
  /** The JWT of apns-token.ts. */
  token: string;
  /** Apple granted critical alerts to the app, and the operator has switched them on. */
  isCritical: boolean;
}

/** The most that an uncompressed payload may have (Apple, "Generating a remote notification"). */
const MAX_BYTES = 4_096;

/** Source: Apple, "Sending notification requests to APNs". */
export const request = (push: Push, auth: ApnsAuth): ProviderRequest => ({
  url: `${auth.origin}/3/device/${encodeURIComponent(push.device.token)}`,
  headers: {
    authorization: `bearer ${auth.token}`,
    "apns-topic": auth.topic,
    "apns-push-type": "alert",
    "apns-priority": isImmediate(push.notification) ? "10" : "5",
    "apns-id": push.id,
    "apns-collapse-id": push.collapseId,
    "apns-expiration": String(Math.max(1, Math.floor(push.expiresAt / 1000))), // 0 would mean "try once"
    "content-type": "application/json",
  },
  body: fit(push, MAX_BYTES, (notification) => payloadOf(notification, auth)),
});

const isImmediate = ({ level, priority }: Notification): boolean =>
  priority === "urgent" || priority === "high" || (priority === "normal" && (level === "warning" || level === "error"));

const RELEVANCE: Readonly<Record<Priority, number>> = { low: 0.25, normal: 0.5, high: 0.75, urgent: 1 };

/** Source: Apple, "Generating a remote notification". */
function payloadOf(shown: Notification, { isCritical }: Pick<ApnsAuth, "isCritical">): object {
  const { title, body, topic, messageId, url, image, priority } = shown;
  const interruption = interruptionOf(shown, isCritical);
  const aps = defined({
    alert: { title, body },
    sound: soundOf(priority, interruption),
    "thread-id": topic?.key,
    "interruption-level": interruption,
    "relevance-score": RELEVANCE[priority],
    "mutable-content": image === undefined ? undefined : 1, // without it the app could not load the image
  });
  return { aps, ...defined({ ns: topic?.namespace, topic: topic?.key, id: messageId, url, image }) };
}

type Interruption = "passive" | "active" | "time-sensitive" | "critical";

function interruptionOf({ level, priority }: Notification, isCritical: boolean): Interruption {
  if (priority === "urgent") return isCritical ? "critical" : "time-sensitive";
  if (priority === "low") return "passive"; // API.md §3: no sound, whatever the message is about
  return level === "error" ? "time-sensitive" : "active";
}

function soundOf(priority: Priority, interruption: Interruption): string | object | undefined {
  if (interruption === "critical") return { critical: 1, name: "default", volume: 1 };
  return priority === "low" ? undefined : "default";
}

/** Source: Apple, "Handling notification responses from APNs". */
export function verdict(response: ProviderResponse, push: Push): Verdict {
  const { status, headers } = response;
  if (status === 200) return defined<Verdict>({ kind: "accepted", id: headers["apns-id"] });
  const answer = jsonOf(response);
  const reason = masked(stringOf(answer["reason"]), push) || `status ${status}`;
  if (status === 410) return ofGone(reason, answer["timestamp"], push);
  if (reason === "BadDeviceToken")
    return push.device.wasMoved ? { kind: "prune", proof: reason } : { kind: "move", reason };
  if (reason === "ExpiredProviderToken") return { kind: "reauthorize", reason };
  if (status === 413) return push.shrunk < MOST_SHRUNK ? { kind: "shrink", reason } : { kind: "fail", reason };
  const afterMs = retryAfterMs(response);
  const wait = WAITS.get(reason);
  if (wait !== undefined) return { kind: "retry", reason, ...wait, ...(afterMs !== undefined && { afterMs }) };
  const mend = TO_MEND.get(reason) ?? (status === 401 || status === 403 ? UNKNOWN_REFUSAL : undefined);
  if (mend !== undefined) return { kind: "pause", reason, ...mend, tell: `${mend.tell} Apple says ${reason}.` };
  // where Apple names no time the planner knows its rules; an answer that is not Apple's proves nothing
  if (status >= 500 || status === 429 || status === 408 || status < 400)
    return defined<Verdict>({ kind: "retry", scope: "device", afterMs, reason });
  return { kind: "fail", reason };
}

/** If the token was registered after Apple's proof, the app is back. */
function ofGone(reason: string, timestamp: unknown, { device }: Push): Verdict {
  if (typeof timestamp !== "number") return { kind: "fail", reason };
  if (device.registeredAt < timestamp) return { kind: "prune", proof: reason };
  return { kind: "retry", afterMs: 60_000, scope: "device", reason };
}

const WAITS: ReadonlyMap<string, { scope: "device" | "lane"; afterMs: number }> = new Map([
  ["IdleTimeout", { scope: "device", afterMs: 1_000 }],
  ["Shutdown", { scope: "lane", afterMs: 2_000 }],
  // the token in use stays good; only the connection takes nothing for a while
  ["TooManyProviderTokenUpdates", { scope: "lane", afterMs: 60_000 }],
]);

type Mend = Omit<Extract<Verdict, { kind: "pause" }>, "kind" | "reason">;

const KEY: Mend = { tell: "Check PEAL_APNS_KEY, PEAL_APNS_KEY_ID and PEAL_APNS_TEAM_ID." };
const ENVIRONMENT: Mend = { tell: "The key of PEAL_APNS_KEY is for Apple's other environment, or for another app." };
const TOPIC: Mend = {
  tell: "Check PEAL_APNS_TOPIC: it has to be the bundle id of the app, and the key has to be allowed to use it.",
};
const UNKNOWN_REFUSAL: Mend = { ...KEY, ifOthersAccepted: "retry" };

const TO_MEND: ReadonlyMap<string, Mend> = new Map([
  ["InvalidProviderToken", KEY],
  ["MissingProviderToken", KEY],
  ["Forbidden", KEY],
  ["BadCertificate", KEY],
  ["BadCertificateEnvironment", KEY],
  ["UnrelatedKeyIdInToken", ENVIRONMENT],
  ["BadEnvironmentKeyIdInToken", ENVIRONMENT],
  ["BadEnvironmentKeyInToken", ENVIRONMENT],
  ["TopicDisallowed", TOPIC],
  ["DeviceTokenNotForTopic", { ...TOPIC, ifOthersAccepted: "prune" }],
]);
