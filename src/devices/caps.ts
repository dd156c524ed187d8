/** Answers when there are too many devices: refuses in words, counts, and logs one line a minute at most. */
import { problem, type Problem } from "../http/problem.ts";
import type { DeviceStore } from "../store/devices.ts";
import type { Log } from "../telemetry/log.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import type { Clock } from "../util/clock.ts";
import { seldom } from "../util/seldom.ts";
import { DEVICES_IN_ALL, DEVICES_PER_NAMESPACE, DEVICES_PER_TOPIC, IDLE_DEVICES, TOPICS_PER_DEVICE } from "./device.ts";

type Answered = Awaited<ReturnType<DeviceStore["register"] | DeviceStore["subscribe"]>>["kind"];
export type Cap = Extract<Answered, "topic_full" | "namespace_full" | "server_full" | "too_many_subscriptions">;

export interface DeviceCaps {
  /** The problem to throw: 409 `too_many_devices` or `too_many_subscriptions`. */
  refusal(cap: Cap): Problem;
  /** A device that followed nothing was removed for a new one. */
  madeRoom(): void;
}

const TELL_EVERY_MS = 60_000;

export function createDeviceCaps({ clock, log, metrics }: { clock: Clock; log: Log; metrics: Metrics }): DeviceCaps {
  const mayTell = { refused: seldom(clock, TELL_EVERY_MS), evicted: seldom(clock, TELL_EVERY_MS) };
  return {
    refusal: (cap) => {
      if (cap === "too_many_subscriptions") return problem.tooManySubscriptions(TOPICS_PER_DEVICE);
      const detail = DETAILS[cap];
      metrics.devicesRefused.of(cap).inc();
      if (mayTell.refused()) log.warn("devices are refused: there are too many", { detail });
      return problem.tooManyDevices(detail);
    },
    madeRoom: () => {
      metrics.devicesEvicted.inc();
      if (mayTell.evicted())
        log.warn("new devices replace devices that follow no topic", {
          ...{ most: IDLE_DEVICES, most_in_all: DEVICES_IN_ALL, advice: "PEAL_LIMITS_REGISTER slows strangers" },
        });
    },
  };
}

const REMOVE = "Remove lost or unused devices under Devices in the dashboard";
const DETAILS: Record<Exclude<Cap, "too_many_subscriptions">, string> = {
  topic_full: `At most ${DEVICES_PER_TOPIC} devices can follow a topic. ${REMOVE}, or give the topic a new link, which drops its devices. Nothing was stored.`,
  namespace_full: `At most ${DEVICES_PER_NAMESPACE} devices can follow topics in a namespace. ${REMOVE}, or give a topic a new link, which drops its devices. Nothing was stored.`,
  server_full: `This server can have at most ${DEVICES_IN_ALL} devices, and all of them follow a topic. ${REMOVE}. Nothing was stored.`,
};
