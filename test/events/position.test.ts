/** Where a reader resumes, and how a change of the server's history is noticed (API.md §4). */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { isOfAnotherPast, positionOf, positionText, type Position } from "../../src/messages/events/resume.ts";
import { begun, endOf, epochOf, type Epoch } from "../../src/store/sql/epochs.ts";
import type { Nearest } from "../../src/store/messages.ts";
import { examples } from "../support/rounds.ts";

test("a position is read as it was written", () => {
  const epoch = fc.stringMatching(/^[0-9a-z]{1,10}$/);
  fc.assert(
    fc.property(fc.nat(), fc.nat(36 ** 10 - 1), epoch, (id, at, epoch) => {
      expect(positionOf(positionText({ id, at, epoch }))).toEqual({ id, at, epoch });
    }),
  );
  expect([positionOf("12"), positionOf("12-z")]).toEqual([{ id: 12 }, { id: 12, at: 35 }]);
});

test.each([
  "",
  "x",
  "-1",
  "1.5",
  "1e3",
  "1-",
  "1-A",
  "1--2",
  "1-zzzzzzzzzzz",
  "9007199254740992",
  "1 ",
  "1-a-",
  "1-a-b-c",
  "1-a-zzzzzzzzzzz",
])("%p is not one", (text) => {
  expect(() => positionOf(text)).toThrow("must be a message or event id");
});

const line: readonly Epoch[] = [["a", 0], ["b", 40], ["c", 60]]; // prettier-ignore
const five = { id: 5, at: 50, epoch: "b" };
// prettier-ignore
test.each([
  ["the message is there",                         five,                     { id: 5, at: 50, seq: 55 }, false],
  ["another has its id",                           five,                     { id: 5, at: 70, seq: 55 }, true],
  ["it was deleted, the ones before are there",    five,                     { id: 4, at: 40, seq: 54 }, false],
  ["it was deleted, as all before it",             five,                     undefined,                  false],
  ["it was deleted, and the clock set back",       five,                     { id: 4, at: 60, seq: 54 }, false],
  ["it was deleted, an earlier one came later",    five,                     { id: 4, at: 40, seq: 61 }, true],
  ["the server has not come so far",               { ...five, id: 9 },       { id: 5, at: 50, seq: 55 }, true],
  ["it is of an epoch that is not in this past",   { ...five, epoch: "x" },  { id: 4, at: 40, seq: 1 },  true],
  ["it is of the epoch that goes on",              { ...five, epoch: "c" },  { id: 4, at: 40, seq: 99 }, false],
  ["nothing was there, and is",                    { ...five, at: 0 },       undefined,                  false],
  ["no epoch is known",                            { id: 5, at: 50 },        { id: 5, at: 70, seq: 55 }, true],
  ["only a number is known",                       { id: 5 },                { id: 5, at: 70, seq: 99 }, false],
  ["only a number is known, and too high",         { id: 9 },                { id: 5, at: 50, seq: 55 }, true],
] as const)("%s", (_, position, nearest, reset) => {
  expect(isOfAnotherPast(position, { lastId: 8, nearest, epochs: { endOf: (name) => endOf(line, name) } })).toBe(reset);
});

describe("a list of epochs", () => {
  test("assigns what was stored before there were any to the first", () => {
    expect(begun([], 7, "a")).toEqual([["a", 0]]);
  });

  test("forgets those in which nothing was stored", () => {
    expect(begun([["a", 0], ["b", 7]], 7, "c")).toEqual([["a", 0], ["c", 7]]); // prettier-ignore
  });

  test("forgets the oldest, and assigns its messages to the oldest that is left", () => {
    const long = Array.from({ length: 1_200 }, (_, n): Epoch => [`e${n}`, n]);
    const after = begun(long, 1_200, "last");
    expect([after.length, after[0], after.at(-1)]).toEqual([1_000, ["e201", 201], ["last", 1_200]]);
    expect([epochOf(after, 5), epochOf(after, 202), epochOf(after, 1_201)]).toEqual(["e201", "e201", "last"]);
    expect([endOf(after, "e5"), endOf(after, "e201"), endOf(after, "last")]).toEqual([-1, 202, Infinity]);
  });
});

/** A stored message. `made` identifies it across all servers. */
interface Kept extends Nearest {
  made: number;
}
/** The stored state of a topic on a server. */
interface Life {
  feed: readonly Kept[];
  lastId: number;
  lastSeq: number;
  line: readonly Epoch[];
  /** The time on the clock. */
  at: number;
}
type Step =
  | { kind: "messages" | "elsewhere"; n: number }
  | { kind: "deleted"; nth: number }
  | { kind: "start" }
  | { kind: "clock"; by: number };

let made = 0;
const started = (life: Life): Life => ({ ...life, line: begun(life.line, life.lastSeq, `e${++made}`) });

/** Plays the steps; returns the topic and the positions of up-to-date readers after each step and each message. */
function lived(from: Life, steps: readonly Step[]) {
  let life = from;
  const places: { place: Required<Position>; seen: number; isOfMessage: boolean }[] = [];
  const look = () => {
    const { lastId, lastSeq, feed, line } = life;
    const nearest = feed.at(-1);
    const isOfMessage = nearest?.id === lastId;
    const epoch = epochOf(line, isOfMessage ? nearest.seq : lastSeq);
    places.push({ place: { id: lastId, at: nearest?.at ?? 0, epoch }, seen: made, isOfMessage });
  };
  for (const step of steps) {
    if (step.kind === "clock") life = { ...life, at: life.at + step.by };
    if (step.kind === "start") life = started(life);
    if (step.kind === "deleted")
      life = { ...life, feed: life.feed.filter((_, i) => i !== step.nth % life.feed.length) };
    for (let n = 0; "n" in step && n < step.n; n++) {
      const [seq, at] = [life.lastSeq + 1, life.at + 1];
      const id = life.lastId + 1;
      life = { ...life, lastSeq: seq, at };
      if (step.kind === "messages") life = { ...life, lastId: id, feed: [...life.feed, { id, at, seq, made: ++made }] };
      look();
    }
    look();
  }
  return { life, places };
}

test("after a restore no reader misses a message silently, and without one none is reset, whatever the clock did", () => {
  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.record({ kind: fc.constantFrom("messages" as const, "elsewhere" as const), n: fc.integer({ min: 1, max: 4 }) }),
    fc.record({ kind: fc.constant("deleted" as const), nth: fc.nat(8) }),
    fc.constant({ kind: "start" as const }),
    fc.record({ kind: fc.constant("clock" as const), by: fc.integer({ min: -20, max: 20 }) }),
  );
  const steps = fc.array(step, { maxLength: 10 });
  fc.assert(
    fc.property(steps, steps, steps, fc.nat(), (before, lost, after, nth) => {
      const first = started({ feed: [], lastId: 0, lastSeq: 0, line: [], at: 0 });
      const copy = lived(first, before);
      const copied = made;
      const original = lived(copy.life, lost);
      const restored = lived(started(copy.life), after).life;
      const places = [...copy.places, ...original.places];
      const reader = places[nth % Math.max(1, places.length)];
      if (reader === undefined) return;
      const { place, seen, isOfMessage } = reader;
      const isReset = ({ feed, lastId, line }: Life) =>
        isOfAnotherPast(place, {
          ...{ lastId, epochs: { endOf: (name: string) => endOf(line, name) } },
          nearest: feed.findLast(({ id }) => id <= place.id),
        });
      expect(isReset(original.life)).toBe(false);
      expect(isReset(lived(original.life, after).life)).toBe(false);
      if (restored.feed.some((kept) => kept.id <= place.id && kept.made > seen)) expect(isReset(restored)).toBe(true);
      if (isOfMessage && seen <= copied) expect(isReset(restored)).toBe(false);
    }),
    { numRuns: examples(2_000) },
  );
});
