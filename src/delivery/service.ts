/** Delivery as the rest of the server sees it. */
import type { DeviceRow } from "../devices/device.ts";
import type { LastTest } from "../devices/push-state.ts";
import type { TopicId } from "../topics/topic.ts";
import type { Millis } from "../util/clock.ts";
import type { Lane } from "./delivery.ts";

/** The state of a lane, for people. */
export type LaneStatus =
  | { kind: "open" }
  /** The push service does not answer, or answers with server errors. It is probed until it recovers. */
  | { kind: "unreachable"; reason: string }
  /** The operator has to fix something. `tell`: what, in a sentence with the push service's own words. */
  | { kind: "paused"; reason: string; tell: string }
  /** The platform has no credentials: its pushes wait until their time runs out. */
  | { kind: "not_configured" };

export interface Delivery {
  /** The key that browsers subscribe with: an uncompressed point in base64url (RFC 8292 §3.2). */
  readonly vapidPublicKey: string;
  lane(lane: Lane): LaneStatus;
  /** Until when the device's push service wants nothing for it, epoch ms; undefined if it did not say so. */
  restsUntil(device: DeviceRow): Millis | undefined;
  /** The name of a lane for people: FCM has its project in it. */
  labelOf(lane: Lane): string;
  /** The name of a lane in metrics, of which there are few. */
  seriesOf(lane: Lane): string;
  /** Sends a test push to the device, instead of one that still waits. False: there is no such device. */
  sendTest(deviceId: string): Promise<boolean>;
  /** The latest test of the device, with what became of it. */
  lastTest(device: DeviceRow): Promise<LastTest | undefined>;
  /** A client of ntfy's polled the topic (NTFY.md §3). */
  ntfyPolled(topicId: TopicId): void;
  /** Pushes are under way, or being started. */
  isAtWork(): boolean;
  /** Updates the metrics that show the present state. */
  measure(): void;
  /** `degraded`: a lane is paused, or no push service can be reached. `problems`: sentences for the operator. */
  health(): { status: "ok" | "degraded"; problems: readonly string[] };
  start(): void;
  /** Resolves when the pushes in flight have ended, or after 8 s. The rest is sent after the next start. */
  stop(): Promise<void>;
}
