/** Pushes and verdicts: a provider is a pair of pure functions, to a request and from an answer (DELIVERY.md §4). */
import type { Device } from "../../devices/device.ts";
import type { Action, Level, Priority } from "../../drafts/draft.ts";
import type { Millis } from "../../util/clock.ts";

/** What a device shows. Each platform has its own words for it. */
export interface Notification {
  title: string;
  body: string;
  level: Level;
  priority: Priority;
  /** Absent for a test. */
  topic?: { namespace: string; key: string; name: string };
  /** The id of the message in its topic; absent for a test and for a digest. */
  messageId?: number;
  /** The absolute URL that a tap opens: the message's own, else its card's. Absent if the server's address is not known. */
  url?: string;
  /** The absolute URL of the message's card in the feed. */
  feedUrl?: string;
  image?: string;
  /** The image is a file of the message, which is shown whatever hosts are allowed. */
  isOwnImage?: true;
  actions?: readonly Action[];
  /** Somebody has to acknowledge it. */
  ack: boolean;
  /** When it happened. */
  at: Millis;
  /** The number of messages in a digest; absent for one. */
  count?: number;
}

/** One push, as the providers turn it into a request. */
export interface Push {
  device: Pick<Device, "platform" | "token" | "keys" | "registeredAt" | "wasMoved">;
  /** The same at each try: a UUID in lower case (RFC 9562). */
  id: string;
  /** The same for all pushes that replace each other on the screen: 32 characters of base64url (RFC 8030 §5.4 allows no more). */
  collapseId: string;
  /** Other pushes may replace it: one that waits for the device may be dropped when a newer one comes. */
  isCollapsible?: boolean;
  notification: Notification;
  isUrgent: boolean;
  expiresAt: Millis;
  /** How often the push service found it too large. Each time halves the text. */
  shrunk: number;
}

/** After this many times an eighth of the text is left; if that is too large, the text is not the reason. */
export const MOST_SHRUNK = 3;

export type Verdict =
  /** `warning`: what went wrong all the same, for whoever looks at the device. */
  | { kind: "accepted"; id?: string; warning?: string }
  /** It may be tried again after `afterMs`; if absent the planner decides. Scope `lane`: nothing else is sent there either. */
  | { kind: "retry"; afterMs?: number; scope: "device" | "lane"; reason: string }
  /** The access token has expired: another one is tried, once. */
  | { kind: "reauthorize"; reason: string }
  /** The token belongs to Apple's other environment. */
  | { kind: "move"; reason: string }
  /** The device is gone, by the push service's own word. */
  | { kind: "prune"; proof: string }
  /** It is too large and is tried with less text, up to `MOST_SHRUNK` times. */
  | { kind: "shrink"; reason: string }
  /**
   * Nothing can be sent there until the operator has fixed something. `tell`: what to fix, with the push service's
   * words. `ifOthersAccepted`: the verdict if others were accepted with the same credentials. It is then this device's
   * fault, so that a client that registers a token of another app stops nobody else.
   */
  | { kind: "pause"; reason: string; tell: string; ifOthersAccepted?: "prune" | "retry" }
  | { kind: "fail"; reason: string };
