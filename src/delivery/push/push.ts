/** What is asked of a push service, and what its answer means. Providers are pairs of pure functions (docs/design/DELIVERY.md §4). */
import type { Device } from "../../devices/device.ts";
import type { Action, Level, Priority } from "../../drafts/draft.ts";
import type { Millis } from "../../util/clock.ts";

/** What a device shows; each platform has its own words for it. */
export interface Notification {
  title: string;
  body: string;
  level: Level;
  priority: Priority;
  /** Absent: a test. */
  topic?: { namespace: string; key: string; name: string };
  /** Of the message in its topic; absent: a test, or a digest of several. */
  messageId?: number;
  /** Opened by a tap, absolute: the message's own, else its card in the feed; absent where the server's address is not known. */
  url?: string;
  /** The message's card in the feed, absolute. */
  feedUrl?: string;
  image?: string;
  /** It is a file of the message: shown whatever hosts are. */
  isOwnImage?: true;
  actions?: readonly Action[];
  /** Somebody has to acknowledge it. */
  ack: boolean;
  /** When it happened. */
  at: Millis;
  /** So many messages are told by it; absent: one. */
  count?: number;
}

/** One push, as the providers turn it into a request. */
export interface Push {
  device: Pick<Device, "platform" | "token" | "keys" | "registeredAt" | "wasMoved">;
  /** The same at each try: a UUID, lower case (RFC 9562). */
  id: string;
  /** The same for all that takes each other's place on the screen: 32 characters of base64url (RFC 8030 §5.4 allows no more). */
  collapseId: string;
  /** Others may take its place: one that waits for the device may go when a newer one comes. */
  isCollapsible?: boolean;
  notification: Notification;
  isUrgent: boolean;
  expiresAt: Millis;
  /** Times that the push service found it too large: each halves the text. */
  shrunk: number;
}

/** After so many times an eighth of the text is left: what is too large then is not its text. */
export const MOST_SHRUNK = 3;

export type Verdict =
  | { kind: "accepted"; id?: string }
  /** Not before `afterMs`; absent: as the planner finds. `lane`: nothing else there either. */
  | { kind: "retry"; afterMs?: number; scope: "device" | "lane"; reason: string }
  /** The access token is old: another one, once. */
  | { kind: "reauthorize"; reason: string }
  /** The token belongs to Apple's other environment. */
  | { kind: "move"; reason: string }
  /** The device is gone: the push service's own word. */
  | { kind: "prune"; proof: string }
  /** Too large: shorter, `MOST_SHRUNK` times. */
  | { kind: "shrink"; reason: string }
  /**
   * Nothing can be sent there until the operator has mended it. `tell`: what to mend, with the push service's words.
   * `ifOthersAccepted`: what it is where others were accepted with the same credentials. Then it is this device's fault, and
   * whoever registers a token of another app stops nobody else.
   */
  | { kind: "pause"; reason: string; tell: string; ifOthersAccepted?: "prune" | "retry" }
  | { kind: "fail"; reason: string };
