/** The ids of messages as ntfy's clients know them: reversible, unlike each other, and of this database alone. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { idOf, idOfWaiting, isId, named, newId } from "../../src/ntfy/id.ts";
import type { TopicId } from "../../src/topics/topic.ts";
import { recordId } from "../../src/util/ids.ts";

const topic = fc.integer({ min: 1, max: 2 ** 25 - 1 }).map((row) => row as TopicId);
const message = fc.integer({ min: 1, max: 2 ** 35 - 1 });
const epoch = fc.stringMatching(/^[0-9a-hjkmnp-tv-z]{8}$/);

test("an id has 12 letters and digits, and names its topic and message", () => {
  fc.assert(
    fc.property(topic, message, epoch, (topicId, messageId, name) => {
      const id = idOf(topicId, messageId, name);
      expect(id).toMatch(/^[0-9A-Za-z]{12}$/);
      const found = named(id);
      expect(found).toMatchObject({ topicId, messageId });
      expect(found?.isOf(name)).toBeTrue();
    }),
  );
});

test("the last of all numbers have ids as well", () => {
  const last = idOf((2 ** 25 - 1) as TopicId, 2 ** 35 - 1, "x");
  expect(named(last)).toMatchObject({ topicId: 2 ** 25 - 1, messageId: 2 ** 35 - 1 });
});

test("no two messages share an id: neither of one topic, nor of two", () => {
  const ids = [1, 2, 3, 4_096].flatMap((row) =>
    Array.from({ length: 5_000 }, (_, n) => idOf(row as TopicId, n + 1, "0abc1def")),
  );
  expect(new Set(ids).size).toBe(ids.length);
});

test("neighbours look nothing alike", () => {
  const alike = Array.from({ length: 1_000 }, (_, n) => {
    const [one, next] = [idOf(1 as TopicId, n + 1, "e"), idOf(1 as TopicId, n + 2, "e")];
    return [...one].filter((digit, at) => digit === next[at]).length;
  });
  expect(Math.max(...alike)).toBeLessThan(8);
  expect(alike.reduce((sum, count) => sum + count, 0) / alike.length).toBeLessThan(1);
});

test("a restored database gives a number again, but not the same id: nearly every other epoch is told apart", () => {
  const names = Array.from({ length: 2_000 }, (_, n) => `epoch${n}`);
  const found = named(idOf(7 as TopicId, 42, "the present"));
  expect(names.filter((name) => found?.isOf(name) === true).length).toBeLessThan(20);
});

test.each(["", "short", "PQqsKthGGvV", "PQqsKthGGvVcc", "PQqsKthGGv-c", "zzzzzzzzzzzz", "ÄÖÜäöüß12345", "000000000000"])(
  "%j is no id of ours",
  (text) => {
    expect(named(text)).toBeUndefined();
  },
);

test("any text is an id or it is not, and none throws", () => {
  fc.assert(fc.property(fc.string({ maxLength: 20 }), (text) => (isId(text) || named(text) === undefined)));
});

test("what waits, and what is no message, have ids of the same form", () => {
  expect(isId(newId())).toBeTrue();
  const id = recordId();
  expect(isId(idOfWaiting({ id }))).toBeTrue();
  expect(id).toStartWith(idOfWaiting({ id }));
});
