/** UUIDs of ids and flips of incidents: pure (CHECKINS.md §10). */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { flipsOf, uniqueKey } from "../../../src/checks/healthchecks/json.ts";
import { newToken } from "../../../src/checks/token.ts";
import type { LoggedEvent, PastIncident } from "../../../src/store/checks.ts";
import { BASE32 } from "../../../src/util/ids.ts";
import { idsOf, uuidOf, uuidOfHash } from "../../../src/util/uuid.ts";

const V8 = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const ids = fc
  .array(fc.constantFrom(...BASE32.split("")), { minLength: 26, maxLength: 26 })
  .map((parts) => parts.join(""));

test("every id has a UUID of version 8, which leads back to it and to ids that differ in the last 8 bits alone", () => {
  fc.assert(
    fc.property(ids, (id) => {
      const uuid = uuidOf(id);
      expect(uuid).toMatch(V8);
      const { first = "", last = "" } = idsOf(uuid) ?? {};
      expect([first <= id, id <= last, uuidOf(first), uuidOf(last)]).toEqual([true, true, uuid, uuid]);
      expect(first.slice(0, 24)).toBe(last.slice(0, 24));
    }),
  );
});

test("different ids have different UUIDs", () => {
  fc.assert(
    fc.property(ids, ids, (one, other) => {
      fc.pre(one.slice(0, 24) !== other.slice(0, 24));
      expect(uuidOf(one) === uuidOf(other)).toBe(false);
    }),
  );
});

test.each([
  ["00000000000000000000000000", "00000000-0000-8000-8000-000000000000"],
  ["zzzzzzzzzzzzzzzzzzzzzzzzzz", "ffffffff-ffff-8fff-bfff-ffffffffffff"],
])("the UUID of %s is %s", (id, uuid) => {
  expect(uuidOf(id)).toBe(uuid);
});

test("nothing else is taken for one", () => {
  const uuid = uuidOf(newToken());
  for (const text of ["", uuid.toUpperCase(), ` ${uuid}`, uuid.replaceAll("-", ""), crypto.randomUUID(), `${uuid}0`])
    expect(idsOf(text)).toBeUndefined();
  expect(uuidOfHash("ab".repeat(32))).toMatch(V8);
});

test("a unique key is the SHA-1 of half the UUID, as Healthchecks makes it", () => {
  // hashlib.sha1(b"0000000000008000").hexdigest()
  expect(uniqueKey("00000000000000000000000000")).toBe("eb332475d4bf94e7250db0ed5e490247359ed7e1");
});

const incident = (openedAt: number, closedAt?: number): PastIncident => ({
  ...{ n: 1, reason: "failed", openedAt, missed: 0, isTold: true, reminders: 0 },
  ...(closedAt !== undefined && { closedAt }),
});
const event = (n: number, kind: LoggedEvent["kind"], at: number): LoggedEvent => ({ n, kind, at });

// prettier-ignore
const rows: [promise: string, incidents: PastIncident[], events: LoggedEvent[], flips: [number, 0 | 1][]][] = [
  ["nothing happened",               [],                     [],                                              []],
  ["the first success",              [],                     [event(1, "start", 1), event(2, "ok", 2)],       [[2, 1]]],
  ["a success of a log that is cut", [],                     [event(7, "ok", 2)],                             []],
  ["down and up again",              [incident(3, 5)],       [event(1, "ok", 1)],                             [[5, 1], [3, 0], [1, 1]]],
  ["still down",                     [incident(3)],          [],                                              [[3, 0]]],
  ["a pause that ends an incident",  [incident(3, 5)],       [event(1, "ok", 1), event(4, "paused", 5)],      [[3, 0], [1, 1]]],
  ["a pause and its end",            [],                     [event(1, "ok", 1), event(2, "paused", 2), event(3, "resumed", 4)], [[4, 1], [2, 0], [1, 1]]],
  ["a pause of one that never succeeded", [],                [event(1, "paused", 1), event(2, "resumed", 2)], [[1, 0]]],
  ["a pause that its first success ends", [],                [event(1, "paused", 1), event(2, "resumed", 2), event(3, "ok", 2)], [[2, 1], [1, 0]]],
  ["a first success while it is paused",  [],                [event(1, "paused", 1), event(2, "ok", 2), event(3, "resumed", 3)], [[3, 1], [1, 0]]],
  ["a first success that is not enough",  [incident(1, 3)],  [event(1, "fail", 1), event(2, "ok", 2), event(3, "ok", 3)], [[3, 1], [1, 0]]],
  ["a pause whose beginning is forgotten", [],               [event(7, "resumed", 7), event(8, "ok", 8)],    [[7, 1]]],
  ["a first failure",                [incident(1, 2)],       [event(1, "fail", 1), event(3, "ok", 2)],        [[2, 1], [1, 0]]],
];
test.each(rows)("flips: %s", (_, incidents, events, flips) => {
  expect(flipsOf(incidents, events)).toEqual(flips.map(([at, up]) => ({ at, up })));
});
