/** The JSON of devices and their subscriptions (API.md §5), which never has a token in it. */
import type { Principal } from "../keys/auth.ts";
import { topicUrl } from "../http/urls.ts";
import type { Registered } from "../store/devices.ts";
import { optionalRfc3339, rfc3339 } from "../util/clock.ts";
import { defined } from "../util/defined.ts";
import type { Device, Subscription } from "./device.ts";
import { deviceRef } from "../util/ids.ts";
import type { LastTest } from "./push-state.ts";
import { namedTo } from "./ref.ts";
import type { DeviceRecord, DeviceState, SubscriberRecord, SubscriptionRecord } from "./schema.ts";

/** What the record of a device needs besides the device. */
export interface Shown {
  /** The server's address, as this request reached it: absolute URLs begin with it. */
  base: string;
  lastTest: LastTest | undefined;
}

export function deviceJson({ device, subscriptions }: Registered, shown: Shown): DeviceRecord {
  return defined<DeviceRecord>({
    ...{ id: device.id, ref: deviceRef(device.id), ...stateJson(device) },
    topics: subscriptions.map((subscription) => subscriptionJson(subscription, shown.base)),
    locale: device.locale,
    quiet_hours: device.quietHours,
    min_priority: device.minPriority,
    last_test: shown.lastTest,
  });
}

/** The device as it is shown to those who ask for the devices of one of its topics. */
export const subscriberJson = (asking: Principal, device: Device): SubscriberRecord => ({
  ...namedTo(asking, device),
  ...stateJson(device),
});

function stateJson({ platform, name, createdAt, lastSuccessAt, lastError, lost }: Device): DeviceState {
  return defined<DeviceState>({
    ...{ platform, name },
    status: lost === undefined ? "active" : "expired",
    created_at: rfc3339(createdAt),
    last_success_at: optionalRfc3339(lastSuccessAt),
    last_error_at: optionalRfc3339(lastError?.at),
    last_error: lastError?.text,
    expired: lost && { at: rfc3339(lost.at), reason: lost.reason },
  });
}

export function subscriptionJson(subscription: Subscription, base: string): SubscriptionRecord {
  const { topic, subscribedAt, mutedUntil, minPriority } = subscription;
  return defined<SubscriptionRecord>({
    ...{ namespace: topic.namespace, topic: topic.key, name: topic.name, url: topicUrl(base, topic) },
    subscribed_at: rfc3339(subscribedAt),
    muted_until: optionalRfc3339(mutedUntil),
    min_priority: minPriority,
  });
}
