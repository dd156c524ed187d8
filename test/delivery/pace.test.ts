/** How many pushes are started at once, and how soon the next ones are (DELIVERY.md §9). */
import { expect, test } from "bun:test";
import { createPace } from "../../src/delivery/lanes/pace.ts";
import type { Platform } from "../../src/devices/device.ts";
import { heldClock } from "../support/clock.ts";

test.each<[Platform, number]>([
  ["ios", 8],
  ["android", 8],
  ["web", 3],
])("a slice starts this many over %s: %d", (platform, most) => {
  const slice = createPace(heldClock()).slice();
  let started = 0;
  for (; !slice.isFull; started++) slice.add(platform);
  expect(started).toBe(most);
});

test("a slice that takes long is full, but not before it has started one", () => {
  const clock = heldClock();
  const slice = createPace(clock).slice();
  clock.advance(2);
  expect(slice.isFull).toBe(false);
  slice.add("ios");
  expect(slice.isFull).toBe(true);
});

test("the next slice comes after a short rest, and after a longer one while others publish", () => {
  const machine = heldClock();
  const pace = createPace(heldClock(), machine);
  expect(pace.restMs()).toBe(2);
  machine.advance(1_000);
  pace.noteMessage();
  expect(pace.restMs()).toBe(20);
  machine.advance(49);
  expect(pace.restMs()).toBe(20);
  machine.advance(1);
  expect(pace.restMs()).toBe(2);
});

test("for a minute at most: then waiting pushes are sent as if no one published, until none waits", () => {
  const machine = heldClock();
  const pace = createPace(heldClock(), machine);
  const rest = () => {
    pace.slice();
    pace.noteMessage();
    return pace.restMs();
  };
  machine.advance(1_000);
  expect(rest()).toBe(20);
  machine.advance(59_999);
  expect(rest()).toBe(20);
  machine.advance(1);
  expect(rest()).toBe(2);
  pace.slice(); // a slice that is not full
  expect(rest()).toBe(20);
});
