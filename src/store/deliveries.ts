/** The part of the port that keeps what is on its way to devices: the outbox (DELIVERY.md §2). */
import type { Delivery, DeliveryRow, DeliveryState, Lane, Outcome, Pending } from "../delivery/delivery.ts";
import type { ApnsEnvironment, Device, DeviceRow } from "../devices/device.ts";
import type { NamespaceId } from "../keys/namespace.ts";
import type { Message } from "../messages/message.ts";
import type { Topic, TopicId } from "../topics/topic.ts";
import type { Millis } from "../util/clock.ts";

/** How a delivery begins. Pure, so that it may run again. */
export type Plan = (to: { message: Message; topic: Topic; device: Device }) => {
  lane: Lane;
  isUrgent: boolean;
  expiresAt: Millis;
};

/** What the answer of its push service says of a device. */
export interface DeviceNews {
  /** As it was when the push was made: what is said of a token that it has registered since is no news. */
  device: Pick<Device, "row" | "registeredAt">;
  /** A push was accepted: the token is good where it was tried. */
  succeeded?: true;
  /** In plain words, for whoever looks at the device. */
  error?: string;
  /** It is gone: nothing more is sent, and what waits for it is cancelled. */
  lost?: string;
  /** Its token is tried in the other environment from now on; what waits for it moves with it. */
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
  /** When the oldest was made. */
  oldestAt: Millis;
}

export interface Expanded {
  made: number;
  lanes: Lane[];
  hasMore: boolean;
  unreadable: { device: DeviceRow; error: unknown }[];
}

/** What is looked for. Absent: any. */
export interface DeliveryFilter {
  /** What was accepted and is only repeated counts as accepted. */
  state?: DeliveryState;
  /** The message. */
  seq?: number;
  device?: DeviceRow;
  topicId?: TopicId;
  /** What is of a message that was deleted is of none. */
  namespaces?: readonly NamespaceId[];
  /** Asked last. Pure. */
  is?: (delivery: Delivery) => boolean;
}

/** Where a page goes on: with message `seq`, behind device `after` of it. */
export interface DeliveryPlace {
  seq: number;
  after: number;
}

/** A delivery with what it is of. `message`: absent when it was deleted; `topic`: also when that was. */
export interface Listed {
  delivery: Delivery;
  seq: number;
  message?: Message;
  topic?: Topic;
  /** Its device: nothing is sent to it. */
  isLost: boolean;
}

/** How deliveries ended. */
export type Endings = Readonly<Record<Exclude<DeliveryState, "pending">, number>>;

export interface DeliveryLists {
  /**
   * Deliveries of messages, the newest message first; tests are none. `next`: there may be more. It looks at so many at
   * most, so that a page may have few, or none, and a `next`.
   */
  list(
    filter: DeliveryFilter,
    options: { from?: DeliveryPlace; limit: number },
  ): Promise<{ listed: Listed[]; next?: DeliveryPlace }>;
  /** How many wait, and how many of them for the end of quiet hours. `isMore`: so many were counted, and no more. */
  waiting(namespaces?: readonly NamespaceId[]): Promise<{ waiting: number; held: number; isMore: boolean }>;
  /** How deliveries ended from a day on, by day since 1970 in UTC; days on which none did are left out. */
  days(since: number, namespaces?: readonly NamespaceId[]): Promise<ReadonlyMap<number, Endings>>;
}

export type KeptName = "vapid" | "apns_token" | "troubles";

export interface DeliveryStore extends DeliveryLists {
  /**
   * Makes up to `limit` deliveries of the messages that wait for their fan-out, oldest message first, in one transaction.
   * Only devices that were subscribed when it was published, and are not lost. `lanes`: that got any. `hasMore`: call again.
   * `unreadable`: devices that were left out, since they could not be read or planned for.
   */
  expand(plan: Plan, limit: number): Promise<Expanded>;
  /** The lanes with something pending. */
  lanes(): Promise<Lane[]>;
  /**
   * What is due in a lane, urgent first, then the longest due, at most `limit`; nothing for `except`. From an index alone, of
   * which it steps over no more than 1,000 rows: what waits for others behind so many of `except`, `dueByDevice` finds.
   */
  due(
    lane: Lane,
    now: Millis,
    limit: number,
    except?: Iterable<DeviceRow>,
  ): Promise<{ row: DeliveryRow; device: DeviceRow; isUrgent: boolean }[]>;
  /** So much is due in a lane that `due` does not see all of it. */
  isCrowded(lane: Lane, now: Millis): Promise<boolean>;
  /**
   * Devices that something is due for in a lane, in their order, behind device `after` and without `except`: of a slice. `last`:
   * where it goes on; absent: nothing waits for any other.
   */
  dueByDevice(
    lane: Lane,
    now: Millis,
    after: number,
    except: ReadonlySet<DeviceRow>,
  ): Promise<{ devices: DeviceRow[]; last?: number }>;
  /** The first of these devices, in their order, that something is due for in a lane. */
  firstDue(lane: Lane, now: Millis, of: Iterable<DeviceRow>): Promise<DeviceRow | undefined>;
  /**
   * Of the devices that something is due for in a lane, the first whose token was accepted before, so that it tells
   * whether the lane works; none of `except`.
   */
  firstProven(lane: Lane, now: Millis, except: Iterable<DeviceRow>): Promise<DeviceRow | undefined>;
  /** The next time after `after` at which something pending of a lane becomes due. */
  nextAt(lane: Lane, after: Millis): Promise<Millis | undefined>;
  /**
   * What is pending for one device in one lane, urgent first, then what is due first: at most `limit`, and of long messages
   * fewer.
   */
  ofDevice(device: DeviceRow, lane: Lane, limit: number): Promise<Pending[]>;
  /** Notes what became of deliveries; those that are no longer pending stay as they are. One transaction. */
  settle(settled: readonly Settled[]): Promise<void>;
  /**
   * Settles up to `limit` whose time has run out as `expired`, or as accepted where they only waited to be repeated. How
   * many expired, by lane; more may be left while `nextExpiry` is not after `now`.
   */
  expire(now: Millis, limit: number): Promise<ReadonlyMap<Lane, number>>;
  /** The next time that one expires. */
  nextExpiry(): Promise<Millis | undefined>;
  /** A test notification for a device; one that waited before is cancelled. Undefined: there is no such device. */
  addTest(deviceId: string, plan: (device: Device) => ReturnType<Plan>): Promise<{ lane: Lane } | undefined>;
  /** The latest test of a device. */
  lastTest(device: DeviceRow): Promise<Delivery | undefined>;
  /**
   * What became of a message, by row; `after`: the last row of the page before. `counts`: of all, also of those that
   * are no longer kept one by one; what was accepted and is repeated is counted as accepted.
   */
  ofMessage(
    seq: number,
    options: { after?: number; limit: number },
  ): Promise<{ deliveries: Delivery[]; hasMore: boolean; counts: Readonly<Record<Delivery["state"], number>> }>;
  /**
   * What failed or came too late of a message waits again, to be sent at once and for as long as `plan` says; `device`: to
   * this one alone. What was cancelled stays so. `left`: that nobody can be sent, since the device is lost or removed or
   * follows the topic no more, or the message was acknowledged or deleted.
   */
  retry(seq: number, plan: Plan, device?: DeviceRow): Promise<{ retried: number; left: number }>;
  /** Somebody has seen it: its repeats end, and whoever has not got it gets it no more. `by`: their name, where it is known. False: it was acknowledged already. */
  acknowledge(topicId: TopicId, message: Message, by?: string): Promise<boolean>;
  /**
   * Takes an acknowledgement back that is not older than two minutes: what it cancelled or no longer repeated is due at once.
   * False: there is none, or it is older.
   */
  unacknowledge(topicId: TopicId, message: Message): Promise<boolean>;
  /** When somebody acknowledged it. */
  acknowledgedAt(seq: number): Promise<Millis | undefined>;
  /** A device tells that it showed a message; the first time counts. */
  shown(device: DeviceRow, seq: number): Promise<void>;
  /** Texts that have to outlive a restart: the VAPID key pair, the latest token for Apple, the troubles that were told. */
  kept(name: KeptName): Promise<string | undefined>;
  keep(name: KeptName, text: string): Promise<void>;
  /** For metrics. */
  backlog(): Promise<Backlog[]>;
  /**
   * Takes what was settled before `settledBefore`, leaving counts, devices that were lost before `lostBefore`, and those
   * that have no subscription and gave their last sign of life before `idleBefore`: at most `limit` rows. True: there may
   * be more.
   */
  purge(before: { settledBefore: Millis; lostBefore: Millis; idleBefore: Millis }, limit: number): Promise<boolean>;
}
