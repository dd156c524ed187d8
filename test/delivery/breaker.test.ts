/** When a push service that does not answer is tried again (DELIVERY.md §3). */
import { expect, test } from "bun:test";
import { Breaker } from "../../src/delivery/lanes/breaker.ts";
import { SECOND } from "./pendings.ts";

const failed = (times: number, now = 0) => {
  const breaker = new Breaker();
  for (let n = 0; n < times; n++) breaker.fail(now, false);
  return breaker;
};
test("opens with the fifth failure in a row", () => {
  expect([failed(4).isOpen, failed(5).isOpen]).toEqual([false, true]);
  const breaker = failed(4);
  breaker.succeed();
  for (let n = 0; n < 4; n++) breaker.fail(0, false);
  expect(breaker.isOpen).toBe(false);
  breaker.fail(0, false);
  expect(breaker.isOpen).toBe(true);
});

test("is probed after 5, 15, 30 and 60 s, and then every minute", () => {
  const breaker = failed(5);
  const waits = [];
  for (let now = breaker.probeAt ?? 0, n = 0; n < 6; n++) {
    breaker.fail(now, true);
    waits.push((breaker.probeAt ?? 0) - now);
    now = breaker.probeAt ?? 0;
  }
  expect([failed(5).probeAt, ...waits]).toEqual([5, 15, 30, 60, 60, 60, 60].map((s) => s * SECOND));
  breaker.succeed();
  expect([breaker.isOpen, breaker.probes]).toEqual([false, 0]);
});

test("does not stay open longer because of pushes that were sent before it opened", () => {
  const breaker = failed(50, 1);
  expect([breaker.probeAt, breaker.probes]).toEqual([1 + 5 * SECOND, 0]);
});
