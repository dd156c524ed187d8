/** @jsxImportSource #jsx */
/** Why a push was not taken: in plain words if we know the reason, else in the push service's own. */
import type { Delivery, Lane } from "../../../delivery/delivery.ts";
import type { Child, Safe } from "../../jsx/jsx-runtime.ts";
import type { Texts } from "../../texts/texts.ts";
import { serviceOf } from "./service.ts";

type Meaning = keyof Texts["deliveries"]["meanings"];

/**
 * Push services' own words. Sources: Apple, "Handling notification responses from APNs" and "Sending web push
 * notifications in web apps and browsers"; Google, "FCM error codes", and what its Web Push answers.
 */
const SAID: Record<Meaning, readonly string[]> = {
  gone: ["Unregistered", "UNREGISTERED", "ExpiredToken", "push subscription has unsubscribed or expired."],
  noToken: ["BadDeviceToken", "INVALID_ARGUMENT"],
  otherApp: ["DeviceTokenNotForTopic", "SENDER_ID_MISMATCH", "VapidPkHashMismatch"],
  tooMany: ["TooManyRequests", "QUOTA_EXCEEDED", "RESOURCE_EXHAUSTED"],
  tooLarge: ["PayloadTooLarge"],
  refused: [
    ...["InvalidProviderToken", "ExpiredProviderToken", "MissingProviderToken", "Forbidden", "TopicDisallowed"],
    ...["BadJwtToken", "ExpiredJwtToken", "UNAUTHENTICATED", "PERMISSION_DENIED", "THIRD_PARTY_AUTH_ERROR"],
  ],
  broken: ["InternalServerError", "ServiceUnavailable", "Shutdown", "INTERNAL", "UNAVAILABLE"],
};
const MEANINGS = new Map(
  Object.entries(SAID).flatMap(([meaning, all]) => all.map((words) => [words, meaning as Meaning])),
);
/** If there are no words, or unknown ones. */
const BY_STATUS = new Map<number, Meaning>([
  [401, "refused"],
  [403, "refused"],
  [410, "gone"],
  [413, "tooLarge"],
  [429, "tooMany"],
  [500, "broken"],
  [502, "broken"],
  [503, "broken"],
  [504, "broken"],
]);

/** Nothing but the status. */
const BARE = /^status (\d{3})$/;

/** Of a forward they are about what its owner entered, not about a device or this server. */
const OF_OWNER: ReadonlySet<number> = new Set([401, 403, 404, 410]);

/** Google answers 404 also for a project that it does not know. */
function meaningOf(reason: string, status = Number(BARE.exec(reason)?.[1]), lane: Lane | "" = ""): Meaning | undefined {
  if (lane.startsWith("forward:") && OF_OWNER.has(status)) return undefined;
  return MEANINGS.get(reason) ?? (status === 404 && lane !== "fcm" ? "gone" : BY_STATUS.get(status));
}

/** Whether the push service says that the device is no longer registered with it. */
export const isGone = (reason: string): boolean => meaningOf(reason) === "gone";

/** Words of others, which are English as a rule. They end as they end: the sentence around them has its own full stop. */
export const Foreign = ({ words }: { words: string }): Safe => (
  <span lang="en" dir="auto">
    {words.replace(/\.$/, "")}
  </span>
);

type Reported = Pick<Delivery, "lane" | "lastStatus" | "lastReason" | "attempts">;

/** In our words if the reason is ours or its meaning is known; undefined if nothing has gone wrong. */
export function reasonOf(texts: Texts, { lane, lastStatus, lastReason = "", attempts }: Reported): Child {
  const { say, reasons } = texts.deliveries;
  const own = reasons.get(lastReason);
  if (own !== undefined) return own;
  const service = serviceOf(texts, lane);
  if (lastStatus !== undefined) {
    const meaning = meaningOf(lastReason, lastStatus, lane);
    return [say.answered(service, lastStatus), toldAs(meaning && texts.deliveries.meanings[meaning], lastReason)];
  }
  if (lastReason === "") return attempts === 0 ? undefined : [say.unreached(service), "."];
  return [say.unreached(service), ": ", unreachedOf(texts, lastReason), "."];
}

/** The same as part of a sentence, after a comma; none for our own reasons, which are whole sentences. */
export function briefReasonOf(texts: Texts, { lane, lastStatus, lastReason = "" }: Reported): Child {
  if (texts.deliveries.reasons.has(lastReason)) return undefined;
  if (lastStatus === undefined) return lastReason === "" ? undefined : unreachedOf(texts, lastReason);
  const meaning = meaningOf(lastReason, lastStatus, lane);
  return meaning === undefined ? <Foreign words={lastReason} /> : texts.deliveries.meanings[meaning];
}

/** Why no push service could be asked: the reasons of delivery/transport/reason.ts. */
export const unreachedOf = ({ deliveries: { unreached } }: Texts, reason: string): Child =>
  unreached.get(reason) ?? <Foreign words={reason} />;

/** `: it does not know the device any more (Unregistered).` */
function toldAs(meaning: string | undefined, words: string): Child {
  const foreign = words !== "" && !BARE.test(words) && <Foreign words={words} />;
  if (meaning === undefined) return [foreign !== false && [": ", foreign], "."];
  return [": ", meaning, foreign !== false && [" (", foreign, ")"], "."];
}
