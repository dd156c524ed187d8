/** What is sent to a device next (DELIVERY.md §2). */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { choose } from "../../src/delivery/push/choose.ts";
import type { Pending } from "../../src/delivery/delivery.ts";
import type { TopicId } from "../../src/topics/topic.ts";
import { aPending, aTopic, HOUR, MINUTE, NOW, SECOND } from "./pendings.ts";

const old = { createdAt: NOW - MINUTE };
const later = { dueAt: NOW + 1 };
const many = (n: number, other: Partial<Pending> = old) =>
  Array.from({ length: n }, (_, i) => aPending(n - i, {}, other));
const urgent = (seq: number, other: Partial<Pending> = old) => aPending(seq, { priority: "urgent" }, other);
const alert = (seq: number, other: Partial<Pending> = {}) => aPending(seq, { dedup_key: "disk" }, other);
const urgentAlert = (seq: number) => aPending(seq, { dedup_key: "disk", priority: "urgent" });
const looksSo = (seq: number) => aPending(seq, { data: { dedup_key: "disk" } });
const aTest = (seq: number) => aPending(seq, {}, { kind: "test", message: undefined, topic: undefined });
const elsewhere = { topic: { ...aTopic, id: 2 as TopicId } };

// prettier-ignore
test.each<[string, Pending[], number[] | undefined, number[]?]>([
  ["nothing of nothing",                             [],                                                undefined],
  ["nothing that is not due",                        [aPending(1, {}, later)],                          undefined],
  ["what is due this moment",                        [aPending(1, {}, { dueAt: NOW })],                 [1]],
  ["the oldest first",                               many(3),                                           [1]],
  ["what has been due the longest",                  [aPending(3), aPending(2), aPending(1, {}, { dueAt: NOW })], [2]],
  ["the oldest that is due",                         [...many(3).slice(0, 2), aPending(1, {}, later)],  [2]],
  ["the urgent one before older ones",               [aPending(4), urgent(3), aPending(2), urgent(5)],  [3]],
  ["five of an outage one by one",                   many(5),                                           [1]],
  ["six as a digest, the newest message first",      many(6).reverse(),                                 [6, 5, 4, 3, 2, 1]],
  ["not those that are to be tried later",           [aPending(7, {}, { ...old, ...later }), ...many(5)], [1]],
  ["six of a burst one by one",                      many(6, { createdAt: NOW - MINUTE + 1 }),          [1]],
  ["the urgent ones before the digest",              [...many(17), urgent(0)],                          [0]],
  ["a new alert before the retry of an old one",     [alert(3), alert(2, later), aPending(4)],          [3], [2]],
  ["of an alert the newest, in the oldest's place",  [alert(3), aPending(2), alert(1)],                 [3], [1]],
  ["what is older than an alert before it",          [alert(3), alert(2), aPending(1)],                 [1]],
  ["not instead of newer ones that wait",            [alert(3, later), alert(2)],                       [2], []],
  ["nor of an urgent one by one that is not",        [alert(3), urgentAlert(2), alert(1)],              [2], [1]],
  ["nor of messages that only look like alerts",     [looksSo(3), looksSo(2)],                          [2], []],
  ["nor of tests",                                   [aTest(3), aTest(2)],                              [2], []],
  ["nor instead of those of another topic",          [alert(3), alert(2, elsewhere)],                   [2], []],
])("%s", (_, pending, chosen, superseded = []) => {
  const choice = choose(pending, NOW);
  expect(choice?.chosen.map(({ row }) => Number(row))).toEqual(chosen);
  if (choice !== undefined) expect(choice.superseded.map(({ row }) => Number(row))).toEqual(superseded);
});

test("messages that arrive while the digest waits are sent before it is tried again", () => {
  const fresh = aPending(20, {}, { createdAt: NOW });
  expect(choose([fresh, ...many(17)], NOW)?.chosen.length).toBe(17);
  expect(choose([fresh], NOW)?.chosen).toEqual([fresh]);
  expect(choose(many(17), NOW - HOUR)).toBeUndefined();
});

test("no push that is due waits for a younger one of its priority, except the newest of its own alert", () => {
  const waiting = fc.array(fc.record({ age: fc.nat(120), wait: fc.integer({ min: -5, max: 120 }), kind: fc.nat(4) }), {
    minLength: 1,
    maxLength: 20,
  });
  fc.assert(
    fc.property(waiting, (given) => {
      const pending = given.map(({ age, wait, kind }, seq) => {
        const times = { createdAt: NOW - age * SECOND, dueAt: NOW - wait * SECOND };
        return kind === 0 ? urgent(seq, times) : kind === 1 ? alert(seq, times) : aPending(seq, {}, times);
      });
      const due = pending.filter(({ dueAt }) => dueAt <= NOW);
      const { chosen = [], superseded = [] } = choose(pending, NOW) ?? {};
      expect(chosen.length > 0).toBe(due.length > 0);
      expect(chosen.every((one) => due.includes(one))).toBe(true);
      const done = new Set([...chosen, ...superseded]);
      const isUrgent = due.some((one) => one.isUrgent);
      const oldest = Math.min(...due.filter((one) => one.isUrgent === isUrgent).map(({ dueAt }) => dueAt));
      if (chosen.length === 1) expect(due.some((one) => one.dueAt === oldest && done.has(one))).toBe(true);
      if (chosen.length > 1) expect(chosen).toEqual(due.filter(isOld).sort((a, b) => b.row - a.row) as typeof chosen);
    }),
  );
});
const isOld = ({ createdAt, isUrgent }: Pending) => !isUrgent && NOW - createdAt >= MINUTE;
