/** The tables of devices and of deliveries to them (DELIVERY.md §2). */
import { isNotNull, isNull, sql, type SQL } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { DeliveryRow, DeliveryState, Lane } from "../../../delivery/delivery.ts";
import type { ApnsEnvironment, DeviceRow, Platform } from "../../../devices/device.ts";
import type { NamespaceId } from "../../../keys/namespace.ts";
import type { Priority } from "../../../drafts/draft.ts";
import { messageRow, topicId } from "./schema.ts";

export const device = sqliteTable(
  "device",
  {
    /** AUTOINCREMENT: a delivery outlives its device, and must not become another's. */
    row: integer().$type<DeviceRow>().primaryKey({ autoIncrement: true }),
    id: text().notNull().unique(),
    /** Made from the id; null for devices that are older than refs, until the store opens. */
    ref: text().unique(),
    platform: text().$type<Platform>().notNull(),
    token: text().notNull(),
    p256dh: text(),
    auth: text(),
    name: text(),
    locale: text(),
    /** `QuietHours`. */
    quietHours: text("quiet_hours"),
    minPriority: text("min_priority").$type<Priority>(),
    base: text().notNull(),
    createdAt: integer("created_at").notNull(),
    registeredAt: integer("registered_at").notNull(),
    environment: text().$type<ApnsEnvironment>().notNull().default("production"),
    wasMoved: integer("was_moved").notNull().default(0),
    lastSuccessAt: integer("last_success_at"),
    lastErrorAt: integer("last_error_at"),
    lastError: text("last_error"),
    lostAt: integer("lost_at"),
    lostReason: text("lost_reason"),
    /** When its last subscription or its later last sign of life was; null: it has a subscription, or is a forward. */
    idleSince: integer("idle_since"),
    /** Of a forward: whose it is. No foreign key: it is deleted with the namespace's topics, before the namespace. */
    namespaceId: integer("namespace_id").$type<NamespaceId>(),
    /** Of a forward: `kind`, `host`, `account`, `settings` and `secrets` of `Forwarding`. */
    forward: text(),
    sealed: text(),
  },
  (t) => [
    uniqueIndex("device_token").on(t.platform, t.token),
    index("device_active").on(t.platform).where(isNull(t.lostAt)),
    index("device_lost").on(t.lostAt, t.platform).where(isNotNull(t.lostAt)),
    index("device_idle").on(t.idleSince).where(isNotNull(t.idleSince)),
    index("device_forward").on(t.namespaceId).where(isNotNull(t.namespaceId)),
  ],
);

const deviceRow = () =>
  integer("device_row")
    .$type<DeviceRow>()
    .notNull()
    .references(() => device.row);

export const subscription = sqliteTable(
  "subscription",
  {
    /** AUTOINCREMENT: a subscription after a publish has a higher number than `fanout.upto`. */
    row: integer().primaryKey({ autoIncrement: true }),
    topicId: topicId(),
    deviceRow: deviceRow(),
    subscribedAt: integer("subscribed_at").notNull(),
    mutedUntil: integer("muted_until"),
    minPriority: text("min_priority").$type<Priority>(),
  },
  (t) => [
    uniqueIndex("subscription_topic").on(t.topicId, t.deviceRow),
    // the row number follows, so this is in the order of subscribing
    index("subscription_device").on(t.deviceRow),
  ],
);

/** How many topics of a namespace a device follows; no row if it follows none. */
export const deviceNamespace = sqliteTable(
  "device_namespace",
  {
    deviceRow: deviceRow(),
    /** No foreign key: it is deleted with the subscriptions, before the namespace. */
    namespaceId: integer("namespace_id").$type<NamespaceId>().notNull(),
    topics: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.deviceRow, t.namespaceId] })],
);

/** One row, none before the first device: the caps read these numbers and never count rows. */
export const deviceTotal = sqliteTable("device_total", {
  row: integer().primaryKey(),
  devices: integer().notNull(),
  /** How many of these follow nothing. */
  idle: integer().notNull(),
});

/** A message whose deliveries are not all made yet. */
export const fanout = sqliteTable("fanout", {
  row: messageRow(),
  /** The last device that was reached. */
  cursor: integer().$type<DeviceRow>().notNull(),
  /** The highest subscription at the time of the publish. */
  upto: integer().notNull(),
});

export const delivery = sqliteTable(
  "delivery",
  {
    row: integer().$type<DeliveryRow>().primaryKey({ autoIncrement: true }),
    /** Null: a test. No foreign keys: a delivery tells its outcome even if the message or device is gone. */
    messageRow: integer("message_row"),
    deviceRow: integer("device_row").$type<DeviceRow>().notNull(),
    lane: text().$type<Lane>().notNull(),
    state: text().$type<DeliveryState>().notNull().default("pending"),
    urgent: integer().notNull(),
    attempts: integer().notNull().default(0),
    createdAt: integer("created_at").notNull(),
    dueAt: integer("due_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
    acceptedAt: integer("accepted_at"),
    settledAt: integer("settled_at"),
    shownAt: integer("shown_at"),
    providerId: text("provider_id"),
    lastStatus: integer("last_status"),
    lastReason: text("last_reason"),
  },
  (t) => {
    const pending = sql`${t.state} = 'pending'`;
    return [
      // deliveries of a message are made in the order of device rows, so this is also the order of rows
      uniqueIndex("delivery_message").on(t.messageRow, t.deviceRow),
      // all of a device, newest message first; tests have none
      index("delivery_of").on(t.deviceRow, t.messageRow),
      // what people look for if a phone stayed silent: everything but successes
      index("delivery_state")
        .on(t.state, t.messageRow, t.deviceRow)
        .where(sql`${t.state} <> 'accepted'`),
      // the last column spares the lane a look at each row
      index("delivery_due").on(t.lane, t.urgent, t.dueAt, t.deviceRow).where(pending),
      // the oldest due first for one device, however much waits for it
      index("delivery_device").on(t.deviceRow, t.lane, t.urgent, t.dueAt).where(pending),
      index("delivery_expiry").on(t.expiresAt).where(pending),
      index("delivery_settled").on(t.settledAt).where(isNotNull(t.settledAt)),
    ];
  },
);

/** With a literal word: a partial index serves no query that binds it. */
export const isPending: SQL = sql`${delivery.state} = 'pending'`;

const endings = () => ({
  accepted: integer().notNull().default(0),
  failed: integer().notNull().default(0),
  expired: integer().notNull().default(0),
  cancelled: integer().notNull().default(0),
});

/** The outcomes of a message's deliveries, counted as they end: the rows are too many to count, and are deleted after a week. */
export const deliveryCount = sqliteTable("delivery_count", {
  row: messageRow(),
  pending: integer().notNull().default(0),
  ...endings(),
});

/** The outcomes of deliveries by day and namespace, counted as they end, so that a chart reads few rows. */
export const deliveryDay = sqliteTable(
  "delivery_day",
  {
    /** Since 1970, in UTC. */
    day: integer().notNull(),
    /** No foreign key: a day is deleted by its age. */
    namespaceId: integer("namespace_id").$type<NamespaceId>().notNull(),
    ...endings(),
  },
  (t) => [primaryKey({ columns: [t.day, t.namespaceId] })],
);

/** Somebody has acknowledged a message. */
export const acknowledgement = sqliteTable("acknowledgement", {
  row: messageRow(),
  at: integer().notNull(),
  /** The person's name at that time; null: anybody with the link. */
  by: text(),
  /** Where the fan-out was when it was stopped; null: it was over. */
  fanoutCursor: integer("fanout_cursor").$type<DeviceRow>(),
  fanoutUpto: integer("fanout_upto"),
});
