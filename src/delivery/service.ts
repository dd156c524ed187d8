/** What the rest of the server sees of the delivery. */
import type { DeviceRow } from "../devices/device.ts";
import type { LastTest } from "../devices/push-state.ts";
import type { Millis } from "../util/clock.ts";
import type { Lane } from "./delivery.ts";

/** What a lane does now, for people. */
export type LaneStatus =
  | { kind: "open" }
  /** The push service does not answer, or with errors of its own: it is asked again by itself. */
  | { kind: "unreachable"; reason: string }
  /** The operator has to mend something. `tell`: what, in a sentence with the push service's own words. */
  | { kind: "paused"; reason: string; tell: string }
  /** There are no credentials for the platform: what is to be sent waits until its time runs out. */
  | { kind: "not_configured" };

export interface Delivery {
  /** What browsers subscribe with: base64url of an uncompressed point (RFC 8292 §3.2). */
  readonly vapidPublicKey: string;
  lane(lane: Lane): LaneStatus;
  /** Until when its push service wants nothing for the device (epoch ms), as it said; undefined: it said no such thing. */
  restsUntil(device: DeviceRow): Millis | undefined;
  /** As people know it: of FCM with the project. */
  labelOf(lane: Lane): string;
  /** As it is counted: there are few. */
  seriesOf(lane: Lane): string;
  /** Sends a test push to the device, in place of one that still waits. False: there is no such device. */
  sendTest(deviceId: string): Promise<boolean>;
  /** The latest test of the device, with what became of it. */
  lastTest(device: DeviceRow): Promise<LastTest | undefined>;
  /** Pushes are under way, or being started. */
  isAtWork(): boolean;
  /** Sets the figures that are as of now. */
  measure(): void;
  /** `degraded`: a lane is paused, or nothing can be reached. `problems`: sentences for the operator. */
  health(): { status: "ok" | "degraded"; problems: readonly string[] };
  start(): void;
  /** Resolves when what was in flight has ended, or 8 s are over: the rest is sent after the next start. */
  stop(): Promise<void>;
}
