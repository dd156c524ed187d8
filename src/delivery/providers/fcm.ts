/** Firebase Cloud Messaging, HTTP v1: turns a push into a request and its answer into a verdict (DELIVERY.md §4). Pure. */
import { pushedImage } from "../../messages/image.ts";
import type { Priority } from "../../drafts/draft.ts";
import { type Millis, rfc3339 } from "../../util/clock.ts";
import { defined } from "../../util/defined.ts";
import {
  jsonOf,
  recordOf,
  type ProviderRequest,
  type ProviderResponse,
  retryAfterMs,
  stringOf,
} from "../transport/answer.ts";
import { fit } from "../push/fit.ts";
import { masked } from "../credentials/masked.ts";
import { MOST_SHRUNK, type Notification, type Push, type Verdict } from "../push/push.ts";

export const FCM_ORIGIN = "https://fcm.googleapis.com";

export interface FcmAuth {
  /** Google's origin, or the setting PEAL_FCM_URL, without a trailing slash. */
  origin: string;
  /** The id of the project in the service account. */
  project: string;
  /** The access token of the OAuth exchange (fcm-token.ts). */
  token: string;
  /** `data`: the app shows the push. `notification`: Android shows it, for an app that knows nothing of peal. */
  style: "data" | "notification";
  /** The hosts whose images Android itself shows. An app that shows the data decides for itself. */
  imageHosts: readonly string[];
}

/** The most bytes of keys and values (Google, "FCM message types"). We count everything but the token, which is more. */
const MAX_BYTES = 4_096;
/** Four weeks. */
const MAX_TTL_SECONDS = 2_419_200;

/** Source: Google, "REST Resource: projects.messages". `now`: the time that the push has left is counted from it. */
export function request(push: Push, auth: FcmAuth, now: Millis): ProviderRequest {
  const write = auth.style === "data" ? dataOf : notificationOf(auth.imageHosts);
  const seconds = Math.min(MAX_TTL_SECONDS, Math.max(0, Math.floor((push.expiresAt - now) / 1000)));
  const message = fit(push, MAX_BYTES, (shown, more) => {
    const { android, ...rest } = write(shown, push, more);
    const priority = shown.priority === "low" ? "NORMAL" : "HIGH";
    // Google keeps four collapse keys for a device, and slows down what has one
    const collapseKey = push.isCollapsible === true ? push.collapseId : undefined;
    return {
      ...rest,
      android: defined({ priority, ttl: `${seconds}s`, collapse_key: collapseKey, notification: android }),
    };
  });
  return {
    url: `${auth.origin}/v1/projects/${encodeURIComponent(auth.project)}/messages:send`,
    headers: { authorization: `Bearer ${auth.token}`, "content-type": "application/json" },
    body: `{"message":{"token":${JSON.stringify(push.device.token)},${message.slice(1)}}`,
  };
}

interface Written {
  data: Record<string, string>;
  notification?: object;
  android?: object;
}

/** The data that the app needs to show the push. */
const dataOf = (shown: Notification, push: Push, more: boolean): Written => ({
  data: strings({
    title: shown.title,
    body: shown.body,
    ...commonOf(shown, push),
    topic_name: shown.topic?.name,
    feed_url: shown.feedUrl,
    image: shown.image,
    actions: shown.actions === undefined ? undefined : JSON.stringify(shown.actions),
    ack: shown.ack || undefined,
    count: shown.count,
    more: more || undefined,
  }),
});

const NOTIFICATION_PRIORITY: Readonly<Record<Priority, string>> = {
  low: "PRIORITY_LOW",
  normal: "PRIORITY_DEFAULT",
  high: "PRIORITY_HIGH",
  urgent: "PRIORITY_MAX",
};

const notificationOf =
  (imageHosts: readonly string[]) =>
  (shown: Notification, push: Push): Written => ({
    notification: defined({ title: shown.title, body: shown.body, image: pushedImage(shown, imageHosts) }),
    data: strings(commonOf(shown, push)),
    android: {
      tag: push.collapseId,
      notification_priority: NOTIFICATION_PRIORITY[shown.priority],
      default_sound: shown.priority !== "low",
      event_time: rfc3339(shown.at),
    },
  });

/** Google reserves `from`, `message_type` and keys that begin with `google` or `gcm`. */
const commonOf = ({ level, priority, topic, messageId, url, at }: Notification, { collapseId }: Push) => ({
  ...{ level, priority, ns: topic?.namespace, topic: topic?.key, id: messageId, url, tag: collapseId },
  at: rfc3339(at),
});

const strings = (fields: Record<string, string | number | boolean | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]])),
  );

const FLOOR_MS = 10_000;
const QUOTA_FLOOR_MS = 60_000;

/** Source: Google, "FCM error codes" and "Best practices when sending FCM messages at scale". */
export function verdict(response: ProviderResponse, push: Push): Verdict {
  const { status } = response;
  const answer = jsonOf(response);
  if (status === 200) return defined<Verdict>({ kind: "accepted", id: stringOf(answer["name"]) || undefined });
  const { code, words, isOfToken, isOfDevice } = errorOf(answer);
  const said = masked(words, push);
  const reason = masked(code, push) || `status ${status}`;
  const pause = (mend: string, ifOthersAccepted?: "prune" | "retry"): Verdict => {
    const tell = `${mend} Google says ${reason}${said === "" ? "" : `: ${said}`}`;
    return { kind: "pause", reason, tell, ...(ifOthersAccepted !== undefined && { ifOthersAccepted }) };
  };
  const retry = (scope: "device" | "lane", floor: number): Verdict => {
    const asked = retryAfterMs(response); // the planner knows what to do without it
    return defined<Verdict>({
      kind: "retry",
      scope,
      reason,
      afterMs: asked === undefined ? undefined : Math.max(floor, asked),
    });
  };
  switch (code) {
    case "UNREGISTERED":
      return { kind: "prune", proof: code };
    case "SENDER_ID_MISMATCH":
      return pause("The device belongs to another Firebase project than PEAL_FCM_CREDENTIALS.", "prune");
    case "THIRD_PARTY_AUTH_ERROR":
      return pause("The Firebase project has no valid key for Apple or for web push.", "retry");
    case "QUOTA_EXCEEDED":
    case "RESOURCE_EXHAUSTED":
      return retry(isOfDevice ? "device" : "lane", QUOTA_FLOOR_MS);
    case "INVALID_ARGUMENT":
      if (isOfToken) return { kind: "prune", proof: code };
  }
  const isTooLarge = status === 413 || (status === 400 && /too (big|large)/i.test(words));
  if (isTooLarge && push.shrunk < MOST_SHRUNK) return { kind: "shrink", reason };
  if (status === 401) return { kind: "reauthorize", reason };
  if (status === 403)
    return pause("Check that the Firebase Cloud Messaging API is on, and that the service account may use it.");
  if (status === 404) return pause("Check the project of PEAL_FCM_CREDENTIALS: Google does not know it.");
  if (status === 429) return retry("lane", QUOTA_FLOOR_MS);
  if (status >= 500 || status === 408 || status < 400) return retry("device", FLOOR_MS);
  return { kind: "fail", reason: said === "" ? reason : `${reason}: ${said}` };
}

interface FcmError {
  /** FCM's own code, else the one that all of Google's services share. */
  code: string;
  words: string;
  /** The device's token is not valid. */
  isOfToken: boolean;
  /** One device got too much, not the whole project. */
  isOfDevice: boolean;
}

function errorOf(answer: Readonly<Record<string, unknown>>): FcmError {
  const error = recordOf(answer["error"]);
  const details = (Array.isArray(error["details"]) ? error["details"] : []).map(recordOf);
  const fcm = details.find((detail) => stringOf(detail["@type"]).endsWith("fcm.v1.FcmError"));
  const words = stringOf(error["message"]);
  const violations = (key: string, field: string) =>
    details.flatMap((detail) =>
      (Array.isArray(detail[key]) ? detail[key] : []).map((one) => stringOf(recordOf(one)[field])),
    );
  return {
    code: codeOf(fcm?.["errorCode"]) || codeOf(error["status"]),
    words,
    isOfToken:
      violations("fieldViolations", "field").includes("message.token") ||
      /not a valid FCM registration token/i.test(words),
    isOfDevice: violations("violations", "subject").some((subject) => /^(device|token)\b/i.test(subject)),
  };
}

/** Codes have this form; anything else is foreign text. */
const codeOf = (value: unknown): string => (/^[A-Z_]{1,64}$/.test(stringOf(value)) ? stringOf(value) : "");
