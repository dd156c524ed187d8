/** Where a reader goes on, and how it is noticed that the server has another past (API.md §4). */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { isOfAnotherPast, positionOf, positionText } from "../../src/messages/events/position.ts";

test("a position reads as it was written", () => {
  fc.assert(
    fc.property(fc.nat(), fc.option(fc.nat(36 ** 10 - 1), { nil: undefined }), (id, at) => {
      const position = { id, ...(at !== undefined && { at }) };
      expect(positionOf(positionText(position))).toEqual(position);
    }),
  );
});

test.each(["", "x", "-1", "1.5", "1e3", "1-", "1-A", "1--2", "1-zzzzzzzzzzz", "9007199254740992", "1 ", "1-a-b"])(
  "%p is none",
  (text) => {
    expect(() => positionOf(text)).toThrow("must be the id");
  },
);

// prettier-ignore
test.each([
  ["the message is there",                       { id: 5, at: 50 }, { id: 5, at: 50 }, false],
  ["another has its id",                         { id: 5, at: 50 }, { id: 5, at: 70 }, true],
  ["it was deleted, the ones before are there",  { id: 5, at: 50 }, { id: 4, at: 40 }, false],
  ["it was deleted, as all before it",           { id: 5, at: 50 }, undefined,         false],
  ["it was deleted, an earlier one came later",  { id: 5, at: 50 }, { id: 4, at: 60 }, true],
  ["the server has not come so far",             { id: 9, at: 90 }, { id: 5, at: 50 }, true],
  ["only a number is known",                     { id: 5 },         { id: 5, at: 70 }, false],
  ["only a number is known, and too high",       { id: 9 },         { id: 5, at: 50 }, true],
] as const)("%s", (_, position, nearest, reset) => {
  expect(isOfAnotherPast(position, 8, nearest)).toBe(reset);
});

interface Kept {
  id: number;
  at: number;
}
/** A feed as it is stored; `steps`: how many messages come (positive), or which one is deleted. */
function lived(kept: readonly Kept[], lastId: number, from: number, steps: readonly number[]) {
  let [feed, last, at] = [[...kept], lastId, from];
  for (const step of steps)
    if (step >= 0) for (let n = 0; n < step; n++) feed.push({ id: ++last, at: ++at });
    else feed = feed.filter((_, i) => i !== -step % Math.max(1, feed.length));
  return { feed, last, at };
}

test("after a restore no reader misses a message silently, and without one none is sent back", () => {
  const steps = fc.array(fc.integer({ min: -5, max: 5 }), { maxLength: 12 });
  fc.assert(
    fc.property(steps, steps, steps, fc.nat(), (before, lost, after, nth) => {
      const copy = lived([], 0, 0, before);
      const original = lived(copy.feed, copy.last, copy.at, lost);
      const restored = lived(copy.feed, copy.last, original.at + 1, after);
      const place = original.feed[nth % Math.max(1, original.feed.length)];
      if (place === undefined) return;
      const isReset = ({ feed, last }: typeof original) =>
        isOfAnotherPast(
          place,
          last,
          feed.findLast(({ id }) => id <= place.id),
        );
      const seen = new Set(original.feed.filter(({ id }) => id <= place.id).map(({ at }) => at));
      const missed = restored.feed.filter(({ id, at }) => id <= place.id && at > original.at && !seen.has(at));
      expect(isReset(original)).toBe(false);
      expect(isReset(lived(original.feed, original.last, original.at, after))).toBe(false);
      if (missed.length > 0) expect(isReset(restored)).toBe(true);
      if (place.at <= copy.at) expect(isReset(restored)).toBe(false);
    }),
  );
});
