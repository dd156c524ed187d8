/** The cache of what was rendered: limited by bytes, and the most recently used stays (WEB.md §1). */
import { expect, test } from "bun:test";
import { createKept } from "../../src/util/kept.ts";

const SHORT = 4;
/** Keys and values of ten characters, each counted as two bytes. */
const EACH = 2 * (10 + 10);

function counted(entries: number) {
  const kept = createKept(entries * EACH, SHORT);
  const made: string[] = [];
  const of = (name: string) =>
    kept.of(name.padEnd(10, "."), (text) => {
      made.push(name);
      return text.toUpperCase();
    });
  return { of, made };
}

test("a cached value is made once", () => {
  const { of, made } = counted(2);
  expect([of("a"), of("b"), of("a")]).toEqual(["A.........", "B.........", "A........."]);
  expect(made).toEqual(["a", "b"]);
});

test("when it is full, the least recently used value is removed", () => {
  const { of, made } = counted(2);
  for (const name of ["a", "b", "a", "c", "a", "b"]) of(name);
  expect(made).toEqual(["a", "b", "c", "b"]);
});

test("a value that is short, or larger than the cache, is made each time", () => {
  const { of, made } = counted(0);
  of("a");
  of("a");
  expect(made).toEqual(["a", "a"]);
  const kept = createKept(1_000, SHORT);
  let times = 0;
  for (let n = 0; n < 2; n++) kept.of("abc", (text) => `${text}${++times}`);
  expect(times).toBe(2);
});
