/** What a device shows for one message, for many, or for a test, and how a push is identified. */
import { expect, test } from "bun:test";
import { compose } from "../../src/delivery/push/compose.ts";
import type { Pending } from "../../src/delivery/delivery.ts";
import { identityOf } from "../../src/delivery/push/identity.ts";
import type { Topic, TopicId } from "../../src/topics/topic.ts";
import { CORPUS } from "../support/hostile.ts";
import { aDevice, aPending, aTopic, HOUR, MINUTE, NOW, type Other, SECOND } from "./pendings.ts";

const BASE = "https://peal.example";
const shown = (...chosen: [Pending, ...Pending[]]) => compose(chosen, { base: BASE, now: NOW });
const card = (id: number) => `${BASE}/home/nas-0?before=${id + 1}#m${id}`;

const aTest = aPending(1, {}, { kind: "test", message: undefined, topic: undefined });
const otherTopic = (id: number): Topic => ({ ...aTopic, id: id as TopicId, name: `t${id}`, key: `t${id}-0` });

test("a message is shown with the link to its card in the feed", () => {
  expect(shown(aPending(7, { title: "Disk" }))).toEqual({
    ...{ title: "Disk", body: "disk full", level: "info", priority: "normal", ack: false, at: NOW - SECOND },
    ...{ topic: { namespace: "home", key: "nas-0", name: "nas" }, messageId: 7, url: card(7), feedUrl: card(7) },
  });
});

test("its own link is opened, its card is known too, and everything else is passed on", () => {
  const fields = {
    ...{ url: "https://h.example/", image: "https://h.example/i", ack: true },
    actions: [{ label: "Stop", url: "https://h.example/", method: "POST" }],
  };
  expect(shown(aPending(7, { ...fields, level: "error", priority: "urgent" }))).toMatchObject({
    ...{ ...fields, feedUrl: card(7), level: "error", priority: "urgent" },
  });
});

test("without a title, its topic is the heading", () => {
  expect([shown(aPending(1)).title, shown(aPending(1, { title: " " })).title]).toEqual(["nas", "nas"]);
});

test("its time is the publisher's", () => {
  expect(shown(aPending(1, { timestamp: "2026-01-01T00:00:00.000Z" })).at).toBe(Date.UTC(2026, 0, 1));
});

test("without a known server address it has only the links of the message itself", () => {
  const bare = compose([aPending(1)], { base: "", now: NOW });
  expect([bare.url, bare.feedUrl]).toEqual([undefined, undefined]);
  expect(compose([aPending(1, { url: "tel:1" })], { base: "", now: NOW }).url).toBe("tel:1");
  expect(compose([aTest], { base: "", now: NOW }).url).toBeUndefined();
});

test("a test says that it arrived, and is sent at once", () => {
  expect(shown(aTest)).toEqual({
    ...{ title: "Test notification", body: "Notifications reach this device.", url: `${BASE}/` },
    ...{ level: "success", priority: "high", ack: false, at: NOW },
  });
});

test("many messages of one topic are counted, with the newest lines", () => {
  const many = Array.from({ length: 17 }, (_, i) =>
    aPending(17 - i, i === 1 ? { message: "first\nsecond", level: "error" } : { title: `Title ${i}`, priority: "low" }),
  );
  expect(shown(...(many as [Pending, ...Pending[]]))).toEqual({
    title: "17 messages while offline",
    body: "Title 0\nfirst\nTitle 2\nand 14 more",
    ...{ level: "error", priority: "normal", ack: false, at: NOW - SECOND, count: 17 },
    topic: { namespace: "home", key: "nas-0", name: "nas" },
    ...{ url: `${BASE}/home/nas-0`, feedUrl: `${BASE}/home/nas-0` },
  });
});

// prettier-ignore
test.each([
  [[1, 2, 2],             "t2: 2\nt1: 1"],
  [[1, 2, 3, 4],          "t1: 1\nt2: 1\nt3: 1\nand 1 more topic"],
  [[1, 2, 3, 4, 5, 5],    "t5: 2\nt1: 1\nt2: 1\nand 2 more topics"],
])("for several topics the messages in each are counted: %j", (ids, body) => {
  const many = ids.map((id, i) => aPending(9 - i, {}, { topic: otherTopic(id) }));
  const notification = shown(...(many as [Pending, ...Pending[]]));
  expect([notification.title, notification.body, notification.topic]).toEqual([`${ids.length} messages while offline`, body, undefined]);
  expect(notification.url).toBe(`${BASE}/home/t${ids[0] ?? ""}-0`);
});

const day = { ...aDevice, quietHours: { from: "09:00", to: "11:00", timezone: "UTC" } };
const inQuietHours = { createdAt: NOW - 2 * HOUR, dueAt: NOW - HOUR, device: day };
const inOutage = { createdAt: NOW - 2 * HOUR, dueAt: NOW - 2 * HOUR };
const putOff = { createdAt: NOW - 2 * HOUR, dueAt: NOW - MINUTE };

// prettier-ignore
test.each<[string, Other, Other, string]>([
  // what held up                                     the newest    the others                       is told
  ["an outage",                                       inOutage,     inOutage,                        "6 messages while offline"],
  ["tries that failed",                               inOutage,     { ...putOff, attempts: 1 },      "6 messages while offline"],
  ["an outage that outlived quiet hours",             inOutage,     { ...inOutage, device: day },    "6 messages while offline"],
  ["quiet hours",                                     inQuietHours, inQuietHours,                    "6 messages during quiet hours"],
  ["quiet hours, and an outage after them",           inOutage,     inQuietHours,                    "6 messages"],
  ["quiet hours that were taken away",                putOff,       putOff,                          "6 messages"],
  ["quiet hours that are others now",                 putOff,       { ...putOff, device: day },      "6 messages"],
])("pushes delayed by %s are announced as such", (_, newest, others, title) => {
  const many = Array.from({ length: 5 }, (_, i) => aPending(5 - i, {}, others));
  expect(shown(aPending(6, {}, newest), ...many).title).toBe(title);
});

test("hostile text stays plain text, and each line stays short", () => {
  for (const text of CORPUS) {
    expect(shown(aPending(1, { title: text, message: text }))).toMatchObject({ title: text.trim(), body: text });
    const { body } = shown(aPending(2, { message: text.repeat(9) }), aPending(1));
    expect(body.split("\n")[0]?.length).toBeLessThanOrEqual(160);
  }
});

test("a message that was deleted has nothing to show", () => {
  expect(() => shown(aPending(1, {}, { message: undefined }))).toThrow("deleted");
});

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const [plain, alert, acked] = [{}, { dedup_key: "disk" }, { priority: "urgent", ack: true }] as const;
const message = (seq: number, draft = {}, other = {}): [Pending] => [aPending(seq, draft, other)];

test("an identity is a UUID, and a collapse key of 32 characters that every provider accepts", () => {
  for (const chosen of [message(1), message(1, alert), [aTest] as const, [aPending(2), aPending(1)] as const]) {
    const { id, collapseId } = identityOf(chosen);
    expect(id).toMatch(UUID);
    expect(collapseId).toMatch(/^[\w-]{32}$/);
    expect(identityOf(structuredClone(chosen))).toEqual(identityOf(chosen));
  }
});

test("another try, another row, a new name or a rotated key do not change it", () => {
  const again = { row: 99, attempts: 7, topic: { ...aTopic, key: "other-0", name: "other" }, lane: "apns:sandbox" };
  for (const draft of [plain, alert])
    expect(identityOf(message(1, draft, again))).toEqual(identityOf(message(1, draft)));
});

// prettier-ignore
test.each([
  // two pushes                                                                             same id  same place
  ["two messages",               message(1),        message(2),                                        false, false],
  ["two of one alert",           message(1, alert), message(2, alert),                                 false, true],
  ["two alerts",                 message(1, alert), message(2, { dedup_key: "other" }),                false, false],
  ["an alert named like an id",  message(1),        message(2, { dedup_key: "1" }),                    false, false],
  ["two topics",                 message(1, alert), message(2, alert, { topic: otherTopic(2) }),       false, false],
  ["two devices",                message(1, alert), message(1, alert, { device: { ...aDevice, id: "e" } }), false, false],
  ["two tests",                  [aTest],           [{ ...aTest, row: 2 as Pending["row"] }],          false, true],
  ["a message and a digest",     message(2),        [aPending(2), aPending(1)],                        false, false],
  ["a digest and a later one",   [aPending(2), aPending(1)], [aPending(3), aPending(2), aPending(1)],  false, true],
] as [string, [Pending], [Pending], boolean, boolean][])("%s", (_, one, other, sameId, samePlace) => {
  const [a, b] = [identityOf(one), identityOf(other)];
  expect([a.id === b.id, a.collapseId === b.collapseId]).toEqual([sameId, samePlace]);
});

test("a push that newer ones replace may be dropped for them, a separate message may not", () => {
  const told = [message(1), message(1, alert), message(1, acked), [aTest], [aPending(2), aPending(1)]] as [Pending][];
  expect(told.map((chosen) => identityOf(chosen).isCollapsible)).toEqual([false, true, true, true, true]);
});
