/** The part of the port for deliveries: the outbox (DELIVERY.md §2). */
import type { Delivery, DeliveryRow, DeliveryState, Lane, Outcome, Pending } from "../delivery/delivery.ts";
import type { ApnsEnvironment, Device, DeviceRow } from "../devices/device.ts";
import type { NamespaceId } from "../keys/namespace.ts";
import type { Message } from "../messages/message.ts";
import type { Topic, TopicId } from "../topics/topic.ts";
import { MINUTE, type Millis } from "../util/clock.ts";

/** How long an acknowledgement can be undone. Cards offer it, and texts name it. */
export const ACK_UNDO_MS = 2 * MINUTE;

/** Decides how a delivery begins. Pure, so that it may run again. */
export type Plan = (to: { message: Message; topic: Topic; device: Device }) => {
  lane: Lane;
  isUrgent: boolean;
  expiresAt: Millis;
};

/** What the answer of a push service says about a device. */
export interface DeviceNews {
  /** The device as it was when the push was made: news of an older token counts no more once it has registered another. */
  device: Pick<Device, "row" | "registeredAt">;
  /** A push was accepted: the token is good in the environment where it was tried. */
  succeeded?: true;
  /** In plain words, for people who look at the device. */
  error?: string;
  /** The device is gone: nothing more is sent to it, and its pending deliveries are cancelled. */
  lost?: string;
  /** From now on its token is tried in the other environment, and its pending deliveries move along. */
  movedTo?: { environment: ApnsEnvironment; lane: Lane };
}

export interface Settled {
  rows: readonly DeliveryRow[];
  outcome: Outcome;
  news?: DeviceNews;
}

/** Pending deliveries of a lane. */
export interface Backlog {
  lane: Lane;
  count: number;
  /** When the oldest of them was made. */
  oldestAt: Millis;
}

export interface Expanded {
  made: number;
  lanes: Lane[];
  hasMore: boolean;
  unreadable: { device: DeviceRow; error: unknown }[];
}

/** Which deliveries to list. Absent: any. */
export interface DeliveryFilter {
  /** One that was accepted and is only repeated counts as accepted. */
  state?: DeliveryState;
  /** The `seq` of the message. */
  seq?: number;
  device?: DeviceRow;
  topicId?: TopicId;
  /** Deliveries of deleted messages are in none. */
  namespaces?: readonly NamespaceId[];
  /** Called last. Pure. */
  is?: (delivery: Delivery) => boolean;
}

/** Where a page continues: with message `seq`, behind its device `after`. */
export interface DeliveryPlace {
  seq: number;
  after: number;
}

/** A delivery with its message and topic. `message` is absent if it was deleted, `topic` if that was. */
export interface Listed {
  delivery: Delivery;
  seq: number;
  message?: Message;
  topic?: Topic;
  /** Its device is lost: nothing is sent to it. */
  isLost: boolean;
}

/** How deliveries ended. */
export type Endings = Readonly<Record<Exclude<DeliveryState, "pending">, number>>;

export interface DeliveryLists {
  /**
   * Deliveries of messages, the newest message first, without tests. `next`: there may be more. It looks at a limited number, so
   * a page may have few, or none, and still a `next`.
   */
  list(
    filter: DeliveryFilter,
    options: { from?: DeliveryPlace; limit: number },
  ): Promise<{ listed: Listed[]; next?: DeliveryPlace }>;
  /** How many wait, and how many of them for the end of quiet hours. `isMore`: there are more than were counted. */
  waiting(namespaces?: readonly NamespaceId[]): Promise<{ waiting: number; held: number; isMore: boolean }>;
  /** How deliveries ended from a day on, by the day since 1970 in UTC; days on which none ended are left out. */
  days(since: number, namespaces?: readonly NamespaceId[]): Promise<ReadonlyMap<number, Endings>>;
}

export type KeptName = "vapid" | "apns_token" | "troubles" | "notices";

export interface DeliveryStore extends DeliveryLists {
  /**
   * Makes up to `limit` deliveries of the messages that wait for their fan-out, oldest message first, in one transaction: only
   * for devices that were subscribed when it was published, and are not lost. `lanes`: those that got any. `hasMore`: call again.
   * `unreadable`: devices that were left out because they could not be read or planned for.
   */
  expand(plan: Plan, limit: number): Promise<Expanded>;
  /** The lanes with pending deliveries. */
  lanes(): Promise<Lane[]>;
  /**
   * Deliveries that are due in a lane, urgent ones first, then the longest due, at most `limit`, and none of `except`. It reads
   * one index and steps over at most 1,000 rows: `dueByDevice` finds those that wait behind that many of `except`.
   */
  due(
    lane: Lane,
    now: Millis,
    limit: number,
    except?: Iterable<DeviceRow>,
  ): Promise<{ row: DeliveryRow; device: DeviceRow; isUrgent: boolean }[]>;
  /** Whether more deliveries are due in a lane than `due` can see. */
  isCrowded(lane: Lane, now: Millis): Promise<boolean>;
  /**
   * A slice of the devices that have something due in a lane, in their order, behind device `after` and without `except`. `last`:
   * where to continue; absent: no other device has anything due.
   */
  dueByDevice(
    lane: Lane,
    now: Millis,
    after: number,
    except: ReadonlySet<DeviceRow>,
  ): Promise<{ devices: DeviceRow[]; last?: number }>;
  /** The first of these devices, in their order, that has something due in a lane. */
  firstDue(lane: Lane, now: Millis, of: Iterable<DeviceRow>): Promise<DeviceRow | undefined>;
  /**
   * The first device with something due in a lane whose token was accepted before, so that it shows whether the lane works; none
   * of `except`.
   */
  firstProven(lane: Lane, now: Millis, except: Iterable<DeviceRow>): Promise<DeviceRow | undefined>;
  /** The next time after `after` at which a pending delivery of a lane becomes due. */
  nextAt(lane: Lane, after: Millis): Promise<Millis | undefined>;
  /**
   * Pending deliveries of one device in one lane, urgent ones first, then the first due: at most `limit`, and fewer if messages
   * are long.
   */
  ofDevice(device: DeviceRow, lane: Lane, limit: number): Promise<Pending[]>;
  /** Notes what became of deliveries; those that are no longer pending stay. One transaction. */
  settle(settled: readonly Settled[]): Promise<void>;
  /**
   * Settles up to `limit` whose time has run out as `expired`, or as accepted if they only waited to be repeated. Resolves to how
   * many expired, by lane; more may be left while `nextExpiry` is not after `now`.
   */
  expire(now: Millis, limit: number): Promise<ReadonlyMap<Lane, number>>;
  /** The next time at which one expires. */
  nextExpiry(): Promise<Millis | undefined>;
  /** Makes a test notification for a device, and cancels one that waits. Undefined: there is no such device. */
  addTest(deviceId: string, plan: (device: Device) => ReturnType<Plan>): Promise<{ lane: Lane } | undefined>;
  /** The latest test of a device. */
  lastTest(device: DeviceRow): Promise<Delivery | undefined>;
  /**
   * Deliveries of a message, by row; `after`: the last row of the page before. `counts`: of all, including those that are no
   * longer kept one by one; one that was accepted and is repeated counts as accepted.
   */
  ofMessage(
    seq: number,
    options: { after?: number; limit: number },
  ): Promise<{ deliveries: Delivery[]; hasMore: boolean; counts: Readonly<Record<Delivery["state"], number>> }>;
  /**
   * Lets deliveries of a message that failed or expired wait again, to be sent at once and for as long as `plan` says; `device`:
   * only to this one. Cancelled ones stay. `left`: how many cannot be sent, because the device is lost, removed or no longer
   * follows the topic, or the message was acknowledged or deleted.
   */
  retry(seq: number, plan: Plan, device?: DeviceRow): Promise<{ retried: number; left: number }>;
  /** Ends a message's repeats and cancels what is not sent. `by`: the person's name, if known. False: it was acknowledged. */
  acknowledge(topicId: TopicId, message: Message, by?: string): Promise<boolean>;
  /**
   * Undoes an acknowledgement that is not older than `ACK_UNDO_MS`: what it cancelled or no longer repeated is due at once. False:
   * there is none, or it is older.
   */
  unacknowledge(topicId: TopicId, message: Message): Promise<boolean>;
  /** When somebody acknowledged it. */
  acknowledgedAt(seq: number): Promise<Millis | undefined>;
  /** Notes that a device showed a message; the first time counts. */
  shown(device: DeviceRow, seq: number): Promise<void>;
  /** Texts that outlive a restart: the VAPID key pair, the latest token for Apple, the troubles and notices that operators know of. */
  kept(name: KeptName): Promise<string | undefined>;
  keep(name: KeptName, text: string): Promise<void>;
  /** For metrics. */
  backlog(): Promise<Backlog[]>;
  /**
   * Deletes what was settled before `settledBefore`, except counts, devices that were lost before `lostBefore`, and devices
   * without a subscription whose last sign of life is before `idleBefore`: at most `limit` rows. True: there may be more.
   */
  purge(before: { settledBefore: Millis; lostBefore: Millis; idleBefore: Millis }, limit: number): Promise<boolean>;
}
