/** What is sent next to one device (docs/design/DELIVERY.md §2). */
import { expect, test } from "bun:test";
import { choose } from "../../src/delivery/choose.ts";
import type { Pending } from "../../src/delivery/delivery.ts";
import type { TopicId } from "../../src/topics/topic.ts";
import { aPending, aTopic, HOUR, MINUTE, NOW } from "./pendings.ts";

const old = { createdAt: NOW - MINUTE };
const later = { dueAt: NOW + 1 };
const many = (n: number, other: Partial<Pending> = old) =>
  Array.from({ length: n }, (_, i) => aPending(n - i, {}, other));
const urgent = (seq: number) => aPending(seq, { priority: "urgent" }, old);
const alert = (seq: number, other: Partial<Pending> = {}) => aPending(seq, { dedup_key: "disk" }, other);
const looksSo = (seq: number) => aPending(seq, { data: { dedup_key: "disk" } });
const aTest = (seq: number) => aPending(seq, {}, { kind: "test", message: undefined, topic: undefined });
const elsewhere = { topic: { ...aTopic, id: 2 as TopicId } };

// prettier-ignore
test.each<[string, Pending[], number[] | undefined, number[]?]>([
  ["nothing of nothing",                             [],                                                undefined],
  ["nothing that is not due",                        [aPending(1, {}, later)],                          undefined],
  ["what is due this moment",                        [aPending(1, {}, { dueAt: NOW })],                 [1]],
  ["the newest first",                               many(3),                                           [3]],
  ["the newest that is due",                         [aPending(4, {}, later), ...many(3)],              [3]],
  ["the urgent one before newer ones",               [aPending(4), urgent(3), aPending(2), urgent(1)],  [3]],
  ["five of an outage one by one",                   many(5),                                           [5]],
  ["six as a digest",                                many(6),                                           [6, 5, 4, 3, 2, 1]],
  ["not those that are to be tried later",           [aPending(7, {}, { ...old, ...later }), ...many(5)], [5]],
  ["six of a burst one by one",                      many(6, { createdAt: NOW - MINUTE + 1 }),          [6]],
  ["the urgent ones before the digest",              [...many(17), urgent(0)],                          [0]],
  ["an old one before its retry",                    [alert(3), alert(2, later), aPending(1)],          [3], [2]],
  ["of an alert the newest alone",                   [alert(3), aPending(2), alert(1)],                 [3], [1]],
  ["not instead of newer ones that wait",            [alert(3, later), alert(2)],                       [2], []],
  ["nor of messages that only look like alerts",     [looksSo(3), looksSo(2)],                          [3], []],
  ["nor of tests",                                   [aTest(3), aTest(2)],                              [3], []],
  ["nor instead of those of another topic",          [alert(3), alert(2, elsewhere)],                   [3], []],
])("%s", (_, pending, chosen, superseded = []) => {
  const choice = choose(pending, NOW);
  expect(choice?.chosen.map(({ row }) => Number(row))).toEqual(chosen);
  if (choice !== undefined) expect(choice.superseded.map(({ row }) => Number(row))).toEqual(superseded);
});

test("what came while the digest waits goes before it is asked for once more", () => {
  const fresh = aPending(20, {}, { createdAt: NOW });
  expect(choose([fresh, ...many(17)], NOW)?.chosen.length).toBe(17);
  expect(choose([fresh], NOW)?.chosen).toEqual([fresh]);
  expect(choose(many(17), NOW - HOUR)).toBeUndefined();
});
